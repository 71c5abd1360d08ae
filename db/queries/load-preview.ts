import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import type { UpsertColumn, UpsertRecord } from './upsert'

/** The tables whose amounts are summed by month: the day and the rows that count. */
const SUMMED = {
  analytics_invoice_records: { day: 'invoice_date', only: 'id is not null' },
  analytics_revenue_transactions: { day: 'date', only: `type = 'payment_received'` },
} as const
export type SummedTable = keyof typeof SUMMED

export const isSummed = (table: string): table is SummedTable => Object.hasOwn(SUMMED, table)
/** The column by which a table's amounts belong to a month. */
export const dayColumn = (table: SummedTable): string => SUMMED[table].day

/** An amount in a month (`2026-11`, UTC), as a decimal string. */
export type MonthAmount = { month: string; currency: string; amount: string }

/** What an upsert would do with a record, and its stored amount where its table is summed and the record counts. */
export type Previewed = { reference: string; state: 'added' | 'updated' | 'unchanged'; was: MonthAmount | null }

const monthOf = (table: SummedTable, alias: string) =>
  sql.raw(`to_char(${alias}.${SUMMED[table].day} at time zone 'UTC', 'YYYY-MM')`)

/** A stored amount as JSON, or null. */
const amountOf = (table: string, alias: string) =>
  isSummed(table)
    ? sql`case when ${sql.raw(`${alias}.${SUMMED[table].only}`)} then jsonb_build_object('month', ${monthOf(table, alias)},
        'currency', ${sql.raw(alias)}.currency, 'amount', ${sql.raw(alias)}.amount::text) end`
    : sql`null::jsonb`

/** Columns that follow from the project: an invoice's customer moves with it. */
const FOLLOWING: Record<string, string> = {
  analytics_invoice_records: 'customer_id',
  analytics_revenue_transactions: 'customer_id',
}

/** Tells what `upsertByReference` would do, without writing. Table and column names must come from our own code. */
export async function previewUpsert(
  orm: Orm,
  contractorId: string,
  { table, columns, records }: { table: string; columns: UpsertColumn[]; records: UpsertRecord[] },
): Promise<Previewed[]> {
  if (records.length === 0) return []
  const changing = columns
    .filter(({ update, column }) => update && column !== FOLLOWING[table])
    .map(({ column }) => column)
  const list = (alias: string) => changing.map((column) => `${alias}.${column}`).join(', ')
  const changed = changing.length === 0 ? 'false' : `(${list('t')}) is distinct from (${list('r')})`
  const shape = columns.map(({ column, type }) => `${column} ${type}`).join(', ')
  return await rows<Previewed>(
    orm,
    sql`select r.source_reference as reference, case when t.id is null then 'added' when ${sql.raw(changed)} then 'updated' else 'unchanged' end as state,
        ${amountOf(table, 't')} as was
      from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as ${sql.raw(`r(${shape})`)}
      left join lateral (select * from ${sql.identifier(table)} s
        where s.contractor_id = ${contractorId} and s.source_reference = r.source_reference limit 1) t on true`,
  )
}

/** The stored amounts of some records, for those that count. */
export async function storedAmounts(orm: Orm, table: SummedTable, ids: string[]): Promise<MonthAmount[]> {
  const found = await rows<{ was: MonthAmount | null }>(
    orm,
    sql`select ${amountOf(table, 't')} as was from ${sql.identifier(table)} t
      where id = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
  )
  return found.flatMap(({ was }) => was ?? [])
}

/** What is stored of a contractor in one month (`2026-11`, UTC), by currency, through the index by day. */
export async function storedMonth(
  orm: Orm,
  contractorId: string,
  { table, month }: { table: SummedTable; month: string },
): Promise<{ currency: string; amount: string }[]> {
  const { day, only } = SUMMED[table]
  const begins = sql`(${`${month}-01`}::timestamp at time zone 'UTC')`
  return await rows<{ currency: string; amount: string }>(
    orm,
    sql`select currency, sum(amount)::text as amount from ${sql.identifier(table)} where contractor_id = ${contractorId}
      and ${sql.raw(day)} >= ${begins} and ${sql.raw(day)} < ${begins} + interval '1 month' and ${sql.raw(only)} group by currency`,
  )
}
