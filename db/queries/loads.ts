import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import { type Orm, rows, withinContractor } from '../client'
import { loadMappings, loads } from '../schema'
import { amountOf, dayColumn, isSummed, type MonthAmount, monthIn } from './month-amounts'
import type { UpsertColumn, UpsertRecord } from './upsert'

/** The way files of one shape are read. */
export type StoredMapping = typeof loadMappings.$inferSelect.mapping

/** Returns how a contractor's files of a shape are read; undefined when none was kept. */
export async function findMapping(orm: Orm, contractorId: string, shape: string): Promise<StoredMapping | undefined> {
  const isThat = and(eq(loadMappings.contractorId, contractorId), eq(loadMappings.shape, shape))
  const [found] = await orm.select({ mapping: loadMappings.mapping }).from(loadMappings).where(isThat)
  return found?.mapping
}

/** Keeps how a contractor's files of a shape are read, in place of what was kept before. */
export async function putMapping(
  orm: Orm,
  contractorId: string,
  { shape, name, mapping }: { shape: string; name: string; mapping: StoredMapping },
): Promise<void> {
  const values = { name, mapping, updatedAt: new Date() }
  await withinContractor(orm, contractorId, (within) =>
    within
      .insert(loadMappings)
      .values({ contractorId, shape, ...values })
      .onConflictDoUpdate({ target: [loadMappings.contractorId, loadMappings.shape], set: values }),
  )
}

/** The effect of an upsert on a record; where its table is summed, its stored amount if that counts, and the month of its new day if it has one. */
export type Previewed = {
  reference: string
  state: 'added' | 'updated' | 'unchanged'
  was: MonthAmount | null
  month: string | null
}

/** Tells what `upsertByReference` would do, without writing. Table and column names must come from our own code. */
export async function previewUpsert(
  orm: Orm,
  contractorId: string,
  {
    table,
    columns,
    records,
    source,
  }: { table: string; columns: UpsertColumn[]; records: UpsertRecord[]; source?: string | undefined },
): Promise<Previewed[]> {
  if (records.length === 0) return []
  const changing = columns.filter(({ update, follows }) => update && !follows).map(({ column }) => column)
  const list = (alias: string) => changing.map((column) => `${alias}.${column}`).join(', ')
  const changed =
    changing.length === 0
      ? 'false'
      : `(${list('t')}) is distinct from (${list('r')})${source ? ' or t.source is null' : ''}`
  const month =
    isSummed(table) && columns.some(({ column }) => column === dayColumn(table))
      ? monthIn(`r.${dayColumn(table)}`, sql`${contractorId}`)
      : sql`null`
  const shape = columns.map(({ column, type }) => `${column} ${type}`).join(', ')
  return await rows<Previewed>(
    orm,
    sql`select r.source_reference as reference, case when t.id is null then 'added' when ${sql.raw(changed)} then 'updated' else 'unchanged' end as state,
        ${amountOf(table, 't')} as was, ${month} as month
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as ${sql.raw(`r(${shape})`)}
      left join lateral (select * from ${sql.identifier(table)} s
        where s.contractor_id = ${contractorId} and s.source_reference = r.source_reference limit 1) t on true`,
  )
}

export type Load = typeof loads.$inferSelect

const { report: _, ...WITHOUT_REPORT } = getTableColumns(loads)

const isTheirs = (contractorId: string, id: string) => and(eq(loads.contractorId, contractorId), eq(loads.id, id))

export async function insertLoad(orm: Orm, load: typeof loads.$inferInsert): Promise<void> {
  await orm.insert(loads).values(load)
}

/** Changes a load that is still running. */
export async function changeLoad(orm: Orm, contractorId: string, id: string, changes: Partial<Load>): Promise<void> {
  await orm
    .update(loads)
    .set(changes)
    .where(and(isTheirs(contractorId, id), eq(loads.state, 'running')))
}

export async function findLoad(orm: Orm, contractorId: string, id: string): Promise<Load | undefined> {
  const [found] = await orm.select().from(loads).where(isTheirs(contractorId, id))
  return found
}

/** Returns a contractor's loads, newest first, without their reports. */
export async function listLoads(
  orm: Orm,
  { contractorId, before, limit }: { contractorId: string; before?: string | undefined; limit: number },
): Promise<Omit<Load, 'report'>[]> {
  return await orm
    .select(WITHOUT_REPORT)
    .from(loads)
    .where(and(eq(loads.contractorId, contractorId), before === undefined ? undefined : lt(loads.id, before)))
    .orderBy(desc(loads.id))
    .limit(limit)
}
