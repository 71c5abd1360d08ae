import { type Database, withinContractor } from '@/db/client'
import {
  type Changed,
  changedSince,
  type Image,
  imagesBefore,
  referencesById,
  reverseImages,
  rowsNaming,
} from '@/db/queries/load-images'
import { indexQueued } from '@/db/queries/search-queue'
import { Pace, stopwatch } from '@/lib/core/slices'
import { wordOf } from './missing'
import { SeenReferences } from './seen'

/** The most records that are named; the rest is counted. */
const MOST_NAMED = 10

/** The number of records that taking back removed, put back as they were, and restored. */
export type RevertedLoad = { removed: number; putBack: number; restored: number }

/** Records that others changed: the count, and the first ones in words. */
export type Conflicts = { count: number; named: string[] }

type Place = { db: Database; contractorId: string }
type Options = {
  step?: string | undefined
  signal?: AbortSignal | undefined
  onProgress?: ((done: number) => void) | undefined
}

async function* pages({ db, contractorId }: Place, step?: string, pace = new Pace(db)): AsyncGenerator<Image[]> {
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const most = pace.rows
    const held = stopwatch()
    const page = await withinContractor(db.orm, contractorId, (orm) =>
      imagesBefore(orm, contractorId, { before, step, most }),
    )
    pace.took(page.length, held())
    if (page.length > 0) yield page
    before = page.at(-1)?.n ?? 0
    if (page.length < most) return
    await pace.between()
  }
}

/** Splits images where the table or the kind changes, or a record comes again; each part is taken back in one transaction. */
function runsOf(page: Image[], most: number): Image[][] {
  const runs: Image[][] = []
  let ids = new Set<string>()
  for (const image of page) {
    const last = runs.at(-1)
    const fits = last?.[0]?.table === image.table && last[0].kind === image.kind
    if (last && fits && last.length < most && !ids.has(image.id)) last.push(image)
    else {
      runs.push([image])
      ids = new Set()
    }
    ids.add(image.id)
  }
  return runs
}

/** Says in words what stands in the way for a record. */
function inWords({ table, id, reference, why }: Changed): string {
  const name = `${wordOf(table)} ${reference ?? id}`
  if (why === 'deleted') return `${name} was deleted`
  if (why === 'changed') return `${name} was changed`
  return `${name} has ${why.map((each) => wordOf(each)).join(' and ')} that came later`
}

function add(conflicts: Conflicts, changed: Changed): void {
  conflicts.count++
  if (conflicts.named.length < MOST_NAMED) conflicts.named.push(inWords(changed))
}

const keyOf = ({ table, id }: { table: string; id: string }) => `${table} ${id}`

/** Finds records that the load added and that rows of others belong to by now. */
async function findBelonging(place: Place, added: Image[], own: SeenReferences): Promise<Changed[]> {
  const { db, contractorId } = place
  const [first] = added
  if (!first) return []
  const ids = added.map(({ id }) => id)
  return await withinContractor(db.orm, contractorId, async (orm) => {
    const others = (await rowsNaming(orm, first.table, ids)).filter((row) => !own.has(keyOf(row)))
    const tables = new Map<string, Set<string>>()
    for (const { table, of } of others) tables.set(of, (tables.get(of) ?? new Set()).add(table))
    const references = await referencesById(orm, first.table, [...tables.keys()])
    return [...tables].map(([id, why]) => ({
      table: first.table,
      id,
      reference: references.get(id) ?? null,
      why: [...why],
    }))
  })
}

/** Returns what stands in the way for images of one table and kind. */
async function conflictsIn(place: Place, run: Image[], added: SeenReferences): Promise<Changed[]> {
  const [{ table, kind } = { table: '', kind: 'added' }] = run
  const ns = run.map(({ n }) => n)
  const { db, contractorId } = place
  const changed = await withinContractor(db.orm, contractorId, (orm) => changedSince(orm, contractorId, table, ns))
  return kind === 'added' ? [...changed, ...(await findBelonging(place, run, added))] : changed
}

/**
 * Finds what stands in the way of taking the last load back: records that somebody changed or deleted since, and records that it added
 * and that others belong to by now. Reads only. Remembers 64 bits of each record, as a load does.
 */
export async function conflictsOf(place: Place, { signal }: Options = {}): Promise<Conflicts> {
  const conflicts: Conflicts = { count: 0, named: [] }
  const [added, seen] = [new SeenReferences(), new SeenReferences()]
  for await (const page of pages(place))
    for (const image of page) if (image.kind === 'added') added.firstLine(keyOf(image), 1)
  const pace = new Pace(place.db)
  for await (const page of pages(place, undefined, pace)) {
    if (signal?.aborted) break
    // The latest image of a record says how the load left it.
    const latest = page.filter((image) => seen.firstLine(keyOf(image), 1) === undefined)
    for (const run of runsOf(latest, latest.length)) {
      const held = stopwatch()
      for (const each of await conflictsIn(place, run, added)) add(conflicts, each)
      pace.took(run.length, held())
      await pace.between()
    }
  }
  return conflicts
}

const COUNTED = { added: 'removed', updated: 'putBack', deleted: 'restored' } as const

/**
 * Takes back what the last load wrote, or one step of it, the latest first, in slices that let requests run. What somebody changed since
 * stays as it is and is returned. Goes on where it stopped when it is called again.
 */
export async function revertLoad(
  place: Place,
  { step, signal, onProgress }: Options = {},
): Promise<{ done: RevertedLoad; kept: Conflicts; stopped: boolean }> {
  const { db, contractorId } = place
  const pace = new Pace(db)
  const done: RevertedLoad = { removed: 0, putBack: 0, restored: 0 }
  const kept: Conflicts = { count: 0, named: [] }
  for await (const page of pages(place, step))
    for (let left = page; left.length > 0; ) {
      if (signal?.aborted) return { done, kept, stopped: true }
      const [run = []] = runsOf(left, pace.rows)
      left = left.slice(run.length)
      const [{ table, kind } = { table: '', kind: 'added' as const }] = run
      const held = stopwatch()
      const changed = await reverseImages(db, contractorId, { table, kind, images: run })
      pace.took(run.length, held())
      for (const each of changed) add(kept, each)
      done[COUNTED[kind]] += run.length - changed.length
      onProgress?.(done.removed + done.putBack + done.restored)
      await pace.between()
    }
  await indexQueued(db, contractorId, signal)
  return { done, kept, stopped: false }
}
