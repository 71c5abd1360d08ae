import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { amountOf, dayColumn, isSummed, type MonthAmount, monthIn } from './month-amounts'
import type { UpsertColumn, UpsertRecord } from './upsert'

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
