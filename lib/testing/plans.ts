import { sql } from 'drizzle-orm'
import { type Database, rows } from '@/db/client'

/** Returns how long a run takes, in milliseconds. */
function took(work: () => void): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

/** The floor: a shorter run is noise. */
const FLOOR_MS = 4
/** The measured growth below which work is linear, whatever disturbed it. Quadratic work grows sixteenfold. */
const LINEAR = 8
const RUNS = 9

/**
 * Returns how many times longer some work takes on four times as much input: about 4 when it is linear, 16 when it is quadratic.
 * Work too short to measure counts as linear. Each size counts by its shortest run, which is what is left when nothing else holds the
 * machine. The large one goes first, so that both are measured compiled, and again only while it looks longer than linear.
 */
export function growth<T>(make: (size: number) => T, work: (input: T) => void, size: number): number {
  const [small, large] = [make(size), make(4 * size)]
  const runs = (input: T, count: number) => Math.min(...Array.from({ length: count }, () => took(() => work(input))))
  work(small)
  let long = runs(large, 1)
  const short = Math.max(FLOOR_MS, runs(small, 3))
  for (let run = 1; run < RUNS && long > LINEAR * short; run++) long = Math.min(long, runs(large, 1))
  return long < 4 * FLOOR_MS ? 4 : long / short
}

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
