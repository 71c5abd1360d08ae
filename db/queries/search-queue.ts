import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'

/** Changes per statement. Small, because the embedded database answers nothing else in the meantime. */
const AT_ONCE = 50

const NOW = { name: 'plumbline_now', text: 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms' }

/** Indexes at most `most` queued changes of an owner, or of any owner when it is null. Returns how many it indexed. */
export async function indexSome(db: Database, owner: string | null, most = AT_ONCE): Promise<number> {
  const [row] = await rows<{ taken: number }>(db.orm, sql`select index_queued(${owner}, ${most}::int) as taken`)
  return row?.taken ?? 0
}

/** The pace of a load: how many changes to take at once, a callback for the time each batch took, and a wait between batches. */
export type Pace = { rows: number; took(rows: number, milliseconds: number): void; between(): Promise<void> }

/** The embedded database vacuums the queue after this many changes. Otherwise each batch would skip over all processed rows. */
const TIDY_AFTER = 2_000

/** Indexes all queued changes of an owner after a load, so that search finds them. Stops when `signal` aborts. */
export async function indexQueued(db: Database, owner: string, pace?: Pace, signal?: AbortSignal): Promise<void> {
  let untidy = 0
  while (!signal?.aborted) {
    const began = performance.now()
    const most = Math.min(AT_ONCE, pace?.rows ?? AT_ONCE)
    const taken = await indexSome(db, owner, most)
    pace?.took(taken, performance.now() - began)
    if (taken < most) return
    untidy += taken
    if (db.driver === 'pglite' && untidy >= TIDY_AFTER) {
      await db.orm.execute(sql`vacuum search_queue`)
      untidy = 0
    }
    await pace?.between()
  }
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
