import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

const TABLES = { invoice: 'analytics_invoice_records', transaction: 'analytics_revenue_transactions' } as const
export type RecordKind = keyof typeof TABLES

/** So many ids wanted from a millisecond on; `prefix` is what stands before it (`inv_<project>_`). */
export type WantedIds = { prefix: string; ms: number; count: number }

/**
 * For each wish, the milliseconds from its own on whose ids no record has, in order; as many as are wanted and lie within
 * `span`. Each id is one look-up in the primary key for equality: as texts, ids are not in the order of their milliseconds
 * where the number of digits changes (2001) or a sign appears (1970). The series is made only as far as it is read, yet a long
 * one looks so dear to the planner that it compiles the statement, which takes far longer than to run it.
 * The id is made apart (`offset 0`): behind the fence a condition that computes could look at foreign rows, so it gets no index.
 */
export async function freeMilliseconds(
  orm: Orm,
  kind: RecordKind,
  wanted: WantedIds[],
  span: number,
): Promise<number[][]> {
  const found = await rows<{ i: number; ms: number }>(
    orm,
    sql`select w.i, f.ms::float8 as ms
      from jsonb_to_recordset(${JSON.stringify(wanted.map((wish, i) => ({ ...wish, i })))}::jsonb)
        as w(i int, prefix text, ms bigint, count int)
      cross join lateral (
        select s.ms from (
          select m.ms, w.prefix || m.ms as id from (select w.ms + generate_series(0, ${span - 1}::int) as ms) m offset 0) s
        where (select t.id from ${sql.raw(TABLES[kind])} t where t.id = s.id) is null
        limit w.count) f
      order by w.i, f.ms`,
  )
  const free: number[][] = wanted.map(() => [])
  for (const { i, ms } of found) free[i]?.push(ms)
  return free
}
