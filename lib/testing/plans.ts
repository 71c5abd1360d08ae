import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'

/** A plan as `explain analyze` returns it. */
export type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Returns the table rows that a plan read, including those it filtered out. */
export function readBy(plan: Plan): number {
  const own = plan['Relation Name']
    ? (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops']
    : 0
  return (plan.Plans ?? []).reduce((sum, below) => sum + readBy(below), own)
}

/** Runs a statement without parameters and returns the plan it ran by. */
export async function explained(db: Database, text: string): Promise<Plan> {
  const [row] = await rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    db.orm,
    sql.raw(`explain (analyze, timing off, format json) ${text}`),
  )
  if (!row) throw new Error('explain answers one row')
  return row['QUERY PLAN'][0].Plan
}

/** Leaves it to the test when statistics are updated. */
export async function withoutAutovacuum(db: Database): Promise<void> {
  const tables = await rows<{ name: string }>(
    db.orm,
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  )
  for (const { name } of tables)
    await db.orm.execute(sql`alter table ${sql.identifier(name)} set (autovacuum_enabled = off)`)
}

/** Returns how many rows have been read so far by table, through sequential, sample and index scans; over a single connection. */
export async function rowsRead(db: Database): Promise<Map<string, number>> {
  await db.orm.execute(sql`select pg_stat_force_next_flush()`)
  const found = await rows<{ name: string; n: number }>(
    db.orm,
    sql`select relname as name, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::float8 as n
      from pg_stat_user_tables where schemaname = 'public'`,
  )
  return new Map(found.map(({ name, n }) => [name, n]))
}
