import type { Version } from './checksum.js'
import type { Batch, Store } from './store.js'
import { type Change, type Delete, isUpsert, type Upsert } from './types.js'

const keyOf = ({ resource, id }: { resource: string; id: string }): string => `${resource}/${id}`

/**
 * The records whose copy is ahead of the cursor. An item's record is as it is now, perhaps newer than its change, or gone; its next item is
 * then on its way. The copy has what was sent, while the totals are those at the cursor, so a proof counts such records as they were there.
 */
export class Ahead {
  /** The values by record: the `updatedAt` that was sent, null where it was gone, and the one at the cursor. */
  readonly #records = new Map<string, { sent: string | null; at: string }>()

  note(item: Change): void {
    const sent = item.record?.updatedAt ?? null
    if (item.change === 'deleted' || item.updatedAt === undefined || sent === item.updatedAt)
      this.#records.delete(keyOf(item))
    else this.#records.set(keyOf(item), { sent, at: item.updatedAt })
  }

  /** Turns what a copy has of a resource into what it would have at the cursor. */
  async *atCursor(resource: string, versions: ReturnType<Store['versions']>): AsyncGenerator<Version> {
    const gone = new Map(
      [...this.#records].filter(([key, { sent }]) => sent === null && key.startsWith(`${resource}/`)),
    )
    for await (const [id, updatedAt] of versions) {
      const key = keyOf({ resource, id })
      const ahead = this.#records.get(key)
      gone.delete(key)
      yield [id, ahead?.sent === updatedAt ? ahead.at : updatedAt]
    }
    for (const [key, { at }] of gone) yield [key.slice(resource.length + 1), at]
  }
}

/** Turns a page's items into what to store: of each record only the last. */
export function batchOf(items: readonly Change[], state: string): Batch {
  const last = new Map(items.map((item) => [keyOf(item), item]))
  const [upserts, deletes]: [Upsert[], Delete[]] = [[], []]
  for (const { resource, id, change, record } of last.values()) {
    const upsert = { resource, id, record }
    if (change !== 'deleted' && isUpsert(upsert)) upserts.push(upsert)
    else deletes.push({ resource, id })
  }
  return { upserts, deletes, state }
}
