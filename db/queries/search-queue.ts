import { sql } from 'drizzle-orm'
import { type Database, type Orm, rows } from '../client'

/** Changes taken in one statement: short enough for the embedded database, which answers nobody meanwhile. */
const AT_ONCE = 50

const NOW = { name: 'plumbline_now', text: 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms' }

/** Writes the documents of at most `most` queued changes of an owner, of any when it is null; how many it took. */
export async function indexSome(db: Database, owner: string | null, most = AT_ONCE): Promise<number> {
  const [row] = await rows<{ taken: number }>(db.orm, sql`select index_queued(${owner}, ${most}::int) as taken`)
  return row?.taken ?? 0
}

/** How many changes to take at a time, what to note of a time, and what to wait for before the next. */
export type Pace = { rows: number; took(rows: number, milliseconds: number): void; between(): Promise<void> }

/** After so many changes the embedded database tidies the queue: it would step over all that were taken, each time. */
const TIDY_AFTER = 2_000

/** Writes the documents of everything queued of an owner, after a load, so that what was loaded is found; until `signal`. */
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

/** Queues the permits of a jurisdiction that were written since a moment. */
export async function queuePermits(orm: Orm, jurisdiction: string, since: Date): Promise<void> {
  await orm.execute(sql`insert into search_queue (owner, kind, reference)
    select 'public', 'permit', id from permits
    where jurisdiction_id = ${jurisdiction} and updated_at >= ${since.toISOString()}::timestamptz`)
}

/** The database's clock, which `updated_at` follows. */
export async function databaseNow(db: Database): Promise<Date> {
  const [row] = await db.run<{ ms: number }>(NOW, [])
  return new Date(row?.ms ?? 0)
}
