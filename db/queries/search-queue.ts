import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { log, logFault } from '@/lib/core/log'
import { Pace, stopwatch } from '@/lib/core/slices'
import { type Database, type Orm, rows } from '../client'
import { PUBLIC_OWNER } from '../schema'
import { noteTaken } from './tidy'
import { inHand } from './work-in-hand'

/** Changes per statement. Small, because the embedded database answers nothing else in the meantime. */
const AT_ONCE = 50

const NOW = { name: 'plumbline_now', text: 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms' }

/** Indexes at most `most` queued changes of an owner. Returns how many it indexed. */
async function take(db: Database, owner: string, most: number): Promise<number> {
  const [row] = await rows<{ taken: number }>(db.orm, sql`select index_queued(${owner}, ${most}::int) as taken`)
  return row?.taken ?? 0
}

/**
 * The same in the background: nothing where another process, or a search, is indexing the owner's changes.
 * @returns undefined then
 */
async function takeIfFree(db: Database, owner: string, most: number): Promise<number | undefined> {
  const [row] = await rows<{ taken: number | null }>(
    db.orm,
    sql`select case when pg_try_advisory_xact_lock(hashtextextended('search_queue ' || ${owner}, 0))
      then index_queued(${owner}, ${most}::int) end as taken`,
  )
  return row?.taken ?? undefined
}

/** Takes the next change of an owner out of the queue: search keeps what it has of that record. */
async function leaveOut(db: Database, owner: string): Promise<void> {
  const [gone] = await rows<{ kind: string; reference: string }>(
    db.orm,
    sql`delete from search_queue where owner = ${owner} and id = (select id from search_queue where owner = ${owner} order by id limit 1)
      returning kind, reference`,
  )
  if (gone)
    log(
      'error',
      { operation: 'index' },
      `indexing ${gone.kind} ${gone.reference} ended the process; it is left out of search`,
    )
}

/** Indexes the changes that a statement had which ended its process, one by one, and leaves out the one that does so again. */
async function takeSingly(db: Database, owner: string): Promise<number> {
  for (let taken = 0; ; taken++) {
    if (taken === AT_ONCE) return taken
    const one = await inHand(
      db.orm,
      { kind: 'index', subject: `${owner} next` },
      { begun: () => take(db, owner, 1), left: () => leaveOut(db, owner).then(() => 1), later: () => 0 },
    )
    if (one === 0) return taken
  }
}

/**
 * Does work that indexes changes of an owner; over the embedded database, which runs in this process, what ended it before is found first,
 * and left out.
 */
async function guarded<T>(db: Database, owner: string, does: () => Promise<T>): Promise<T | number> {
  if (db.driver !== 'pglite') return await does()
  const work = { kind: 'index', subject: owner } as const
  return await inHand<T | number>(db.orm, work, { begun: does, left: () => takeSingly(db, owner), later: does })
}

/** Indexes at most `most` queued changes of an owner, waiting for whoever else does. Returns how many it indexed. */
export async function indexSome(db: Database, owner: string, most = AT_ONCE): Promise<number> {
  const taken = await guarded(db, owner, () => take(db, owner, most))
  await noteTaken(db, 'search_queue', taken)
  return taken
}

/** Indexes all queued changes of an owner after a load, so that search finds them. Stops when `signal` aborts. */
export async function indexQueued(db: Database, owner: string, signal?: AbortSignal): Promise<void> {
  const pace = new Pace(db)
  while (!signal?.aborted) {
    const held = stopwatch()
    const most = Math.min(AT_ONCE, pace.rows)
    const taken = await indexSome(db, owner, most)
    pace.took(taken, held())
    if (taken < most) return
    await pace.between()
  }
}

/** Returns the owners that have queued changes. */
async function ownersQueued(db: Database): Promise<string[]> {
  // Steps from owner to owner along the index, however long the queue is.
  const text = `with recursive found as (
      (select owner from search_queue order by owner limit 1)
      union all
      select (select q.owner from search_queue q where q.owner > f.owner order by q.owner limit 1) from found f where f.owner is not null)
    select owner from found where owner is not null`
  return (await db.run<{ owner: string }>({ name: 'plumbline_search_queues', text }, [])).map(({ owner }) => owner)
}

/** The batches of one owner before the others have their turn. */
const BATCHES = 4

type Turn = { goesOn: () => boolean; pace: Pace }
/** The changes that a turn indexed, and whether more may wait, for this process. */
type Taken = { taken: number; more: boolean }

/** Indexes some batches of an owner's queued changes. */
async function indexTurn(db: Database, owner: string, { goesOn, pace }: Turn): Promise<Taken> {
  let all = 0
  for (let batch = 0; batch < BATCHES && goesOn(); batch++) {
    const most = Math.min(AT_ONCE, pace.rows)
    const held = stopwatch()
    const taken = await guarded(db, owner, () => takeIfFree(db, owner, most))
    // Another process has this owner, and is doing this work.
    if (taken === undefined) return { taken: all, more: false }
    all += taken
    pace.took(taken, held())
    await noteTaken(db, 'search_queue', taken)
    if (taken < most) return { taken: all, more: false }
    await pace.between()
  }
  return { taken: all, more: true }
}

/** The rest before the next turn, as a multiple of what the last one took. */
const RESTS = { quiet: { times: 3, mostMs: 1_000 }, flood: { times: 29, mostMs: 4_000 } }

/** A rest ends within this time where the work is no longer wanted, as when the server stops. */
const STEP_MS = 500

/**
 * Returns how long the background rests after a turn, in milliseconds. In a flood, when changes come faster than a quarter of the time suffices
 * for, it rests nearly always, since what is being written goes first: leads are stored at once, and are in the index a little later.
 * @param comePerMs how many changes were queued in a millisecond lately
 */
export function restAfter({ tookMs, taken, comePerMs }: { tookMs: number; taken: number; comePerMs: number }): number {
  const isFlood = comePerMs * tookMs * (1 + RESTS.quiet.times) > taken
  const { times, mostMs } = isFlood ? RESTS.flood : RESTS.quiet
  return Math.min(mostMs, times * tookMs)
}

/** Returns a function that tells how many changes were queued in a millisecond since it was called last. */
async function arrivals(db: Database): Promise<() => Promise<number>> {
  const last = { name: 'plumbline_search_last', text: 'select last_value::float8 as n from search_queue_id_seq' }
  const look = async () => ({ at: performance.now(), n: (await db.run<{ n: number }>(last, []))[0]?.n ?? 0 })
  let before = await look()
  return async () => {
    const now = await look()
    const perMs = (now.n - before.n) / (now.at - before.at)
    before = now
    return perMs
  }
}

/**
 * Indexes the queued changes of all owners, who have turns, until none waits. Any number of processes may do so at once: no two work on one
 * owner. An owner whose changes cannot be indexed keeps no other waiting.
 * @returns the number of owners of whom some are left, because that failed or `goesOn` said no
 */
export async function indexAllQueued(db: Database, goesOn: () => boolean): Promise<number> {
  const turn = { goesOn, pace: new Pace(db) }
  const failed = new Set<string>()
  let rest = 0
  let waiting = await ownersQueued(db)
  if (waiting.length === 0) return 0
  const arrived = await arrivals(db)
  while (waiting.length > 0 && goesOn()) {
    const left: string[] = []
    for (const owner of waiting) {
      for (; rest > 0 && goesOn(); rest -= STEP_MS) await setTimeout(Math.min(rest, STEP_MS))
      const began = performance.now()
      const { taken, more } = await indexTurn(db, owner, turn).catch((fault: unknown) => {
        failed.add(owner)
        logFault({ operation: 'index', owner }, fault)
        return { taken: 0, more: false }
      })
      if (more) left.push(owner)
      const tookMs = performance.now() - began
      rest = restAfter({ tookMs, taken, comePerMs: await arrived() })
    }
    waiting = left
  }
  return waiting.length + failed.size
}

/** The most queued changes that are counted. */
export const MOST_BEHIND = 10_000

/**
 * Counts the records whose changes are queued, of an owner and of what all may read, so that a search can say how far the index is behind;
 * at most {@link MOST_BEHIND} changes are looked at.
 * @param kinds which records count: those that the reader may find
 */
export async function countBehind(db: Database, owner: string, kinds: readonly string[]): Promise<number> {
  const text = `select count(distinct (kind, reference))::int as n from (
    select kind, reference from search_queue where owner in ($1, '${PUBLIC_OWNER}') and kind = any(string_to_array($2, ' ')) limit ${MOST_BEHIND}) q`
  const [row] = await db.run<{ n: number }>({ name: 'plumbline_search_behind', text }, [owner, kinds.join(' ')])
  return row?.n ?? 0
}

/** Queues a jurisdiction's permits that were written since a given time. */
export async function queuePermits(orm: Orm, jurisdiction: string, since: Date): Promise<void> {
  await orm.execute(sql`insert into search_queue (owner, kind, reference)
    select 'public', 'permit', id from permits
    where jurisdiction_id = ${jurisdiction} and updated_at >= ${since.toISOString()}::timestamptz`)
}

/** Returns the time of the database's clock, which also sets `updated_at`. */
export async function databaseNow(db: Database): Promise<Date> {
  const [row] = await db.run<{ ms: number }>(NOW, [])
  return new Date(row?.ms ?? 0)
}
