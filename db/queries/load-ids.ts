import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

const TABLES = { invoice: 'analytics_invoice_records', transaction: 'analytics_revenue_transactions' } as const
export type RecordKind = keyof typeof TABLES

/** A request for `count` ids, starting at a millisecond. `prefix` comes before the milliseconds (`inv_<project>_`). */
export type WantedIds = { prefix: string; ms: number; count: number }

/**
 * Returns, for each request, the first milliseconds within `span` whose ids are still free. Each id is one lookup by equality in the
 * primary key, because ids sort as text, not by time, where the number of digits changes (2001) or a minus sign appears (1970). The lookups
 * stop once enough are free. A long series still gets such a high cost estimate that the planner would JIT-compile the statement, which
 * takes far longer than running it. A subselect with `offset 0` builds the id first, because row-level security uses no index for a
 * condition that computes a value.
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
