import { unseen } from '@/db/queries/connector-links'
import type { WalkCursor } from '@/db/schema'
import { apply } from './apply'
import type { Place } from './place'
import { applyGone } from './remove'

/** The number of times a kind is begun again because objects before the page were deleted while it was read. */
const MOST_AGAIN = 3
const AT_ONCE = 200

/** Returns where a walk over everything begins. */
export const walkFrom = (now: Date): WalkCursor => ({
  kind: 0,
  position: 1,
  last: null,
  again: 0,
  began: now.toISOString(),
})

/**
 * Reads and writes the next page of a walk. Pages are places in a list, from which objects may be deleted meanwhile; so each page begins with
 * the last object of the one before, and where it does not, its kind is read again.
 * @returns where the next page begins; undefined after the last one
 */
export async function walkOn(place: Place, cursor: WalkCursor): Promise<WalkCursor | undefined> {
  const { connector, session, tally } = place
  const kind = connector.kinds[cursor.kind]
  if (kind === undefined) return undefined
  const page = await connector.page(session, kind, cursor.position)
  if (cursor.last !== null && page.first !== cursor.last && cursor.again < MOST_AGAIN)
    return { ...cursor, position: 1, last: null, again: cursor.again + 1 }
  await apply(place, page.items)
  tally.read += page.read - (cursor.last === null ? 0 : 1)
  if (page.next !== null) return { ...cursor, position: page.next, last: page.last }
  return cursor.kind + 1 < connector.kinds.length
    ? { ...cursor, kind: cursor.kind + 1, position: 1, last: null, again: 0 }
    : undefined
}

/**
 * Deletes what a walk did not see, which was deleted there while nobody looked. Each is asked for by its id before: one that is there after
 * all is written.
 */
export async function removeUnseen(place: Place): Promise<void> {
  const { db, books, connector, session, generation } = place
  for (const entity of connector.deletable)
    for (let after = ''; ; ) {
      const found = await unseen(db.orm, books, { generation, entity, after, most: AT_ONCE })
      const last = found.at(-1)
      if (!last) break
      const there = await connector.find(
        session,
        entity,
        found.map(({ id }) => id),
      )
      await apply(place, there)
      const alive = new Set(there.map(({ id }) => id))
      const gone = found.filter(({ id }) => !alive.has(id))
      await applyGone(
        place,
        gone.map(({ id }) => ({ kind: 'gone' as const, entity, id })),
      )
      after = last.id
    }
}
