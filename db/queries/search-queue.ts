import { sql } from 'drizzle-orm'
import type { Database, Orm } from '../client'

/** Changes taken in one statement: short enough for the embedded database, which answers nobody meanwhile. */
const AT_ONCE = 50

const INDEX = { name: 'plumbline_index_queued', text: 'select index_queued($1, $2::int) as taken' }

const NOW = { name: 'plumbline_now', text: 'select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as ms' }

/** Writes the documents of at most `most` queued changes of an owner, of any when it is null; how many it took. */
export async function indexSome(db: Database, owner: string | null, most = AT_ONCE): Promise<number> {
  const [row] = await db.run<{ taken: number }>(INDEX, [owner, most])
  return row?.taken ?? 0
}

/** Writes the documents of everything queued of an owner: after a load, so that what was loaded is found. */
export async function indexQueued(db: Database, owner: string): Promise<void> {
  while ((await indexSome(db, owner)) === AT_ONCE);
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
