import { sql } from 'drizzle-orm'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import type { Database } from '../client'

type Queue = 'change_queue' | 'search_queue'

/** A queue is vacuumed after so many of its rows were taken: 11 ms of Postgres. */
const TIDY_AFTER = 10_000

const untidy = shared('rows taken from queues', () => new WeakMap<Database, Map<Queue, number>>())

/**
 * Notes that rows were taken from a queue, and vacuums it now and then. Until then its index still has the rows that are gone, and whoever looks
 * for the first that waits steps over all of them. Autovacuum comes once a minute, and a flood of leads queues 400,000 changes in one; the embedded
 * database has none. Whoever else is vacuuming the queue is not waited for.
 */
export async function noteTaken(db: Database, queue: Queue, rows: number): Promise<void> {
  const counts = untidy().get(db) ?? new Map<Queue, number>()
  untidy().set(db, counts)
  const taken = (counts.get(queue) ?? 0) + rows
  counts.set(queue, taken < TIDY_AFTER ? taken : 0)
  if (taken < TIDY_AFTER) return
  await db.orm
    .execute(sql`vacuum (skip_locked, truncate off) ${sql.identifier(queue)}`)
    .catch((fault) => logFault({ operation: 'vacuum', queue }, fault))
}
