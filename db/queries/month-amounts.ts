import { type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** The tables whose amounts are summed by month: the day and the rows that count. */
const SUMMED = {
  analytics_invoice_records: { day: 'invoice_date', only: 'id is not null' },
  analytics_revenue_transactions: { day: 'date', only: `type = 'payment_received'` },
} as const
export type SummedTable = keyof typeof SUMMED

export const isSummed = (table: string): table is SummedTable => Object.hasOwn(SUMMED, table)
/** The column by which a table's amounts belong to a month. */
export const dayColumn = (table: SummedTable): string => SUMMED[table].day

/** An amount in a month (`2026-11`) by the contractor's days, as a decimal string. */
export type MonthAmount = { month: string; currency: string; amount: string }

/** Selects the month of a moment of a contractor, by the contractor's days. */
export const monthIn = (moment: string, contractor: SQL) =>
  sql`to_char(day_in(${sql.raw(moment)}, (select timezone from contractors where id = ${contractor})), 'YYYY-MM')`

const monthOf = (table: SummedTable, alias: string) =>
  monthIn(`${alias}.${SUMMED[table].day}`, sql.raw(`${alias}.contractor_id`))

/** A stored amount as JSON, or null. */
export const amountOf = (table: string, alias: string) =>
  isSummed(table)
    ? sql`case when ${sql.raw(`${alias}.${SUMMED[table].only}`)} then jsonb_build_object('month', ${monthOf(table, alias)},
        'currency', ${sql.raw(alias)}.currency, 'amount', ${sql.raw(alias)}.amount::text) end`
    : sql`null::jsonb`

/** Sums of amounts by month and currency, as one JSON list; `amounts` selects JSON as {@link amountOf} gives it, and a `sign`. */
const summed = (amounts: SQL) =>
  sql`(select coalesce(jsonb_agg(m), '[]') from (select a ->> 'month' as month, a ->> 'currency' as currency, sum(sign * (a ->> 'amount')::numeric)::text as amount
    from (${amounts}) x where a is not null group by 1, 2) m)`

/**
 * Selects what a statement changes of the sums by month, where its `written` names the rows that it writes and their amounts `now`: the
 * statement still sees the rows as they were.
 */
export const changedMonths = (table: string): SQL =>
  isSummed(table)
    ? summed(sql`select now as a, 1 as sign from written
        union all select ${amountOf(table, 't')}, -1 from written w cross join lateral (select * from ${sql.identifier(table)} s
          where s.contractor_id = w.contractor_id and s.source_reference = w.source_reference limit 1) t where not w.inserted`)
    : sql`'[]'::jsonb`

/** The stored amounts of some records, for those that count. */
export async function storedAmounts(orm: Orm, table: SummedTable, ids: string[]): Promise<MonthAmount[]> {
  const found = await rows<{ was: MonthAmount | null }>(
    orm,
    sql`select ${amountOf(table, 't')} as was from ${sql.identifier(table)} t
      where id = any(array(select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))`,
  )
  return found.flatMap(({ was }) => was ?? [])
}

/** Deletes rows of a table; the amounts of those that counted. */
export async function deletedAmounts(orm: Orm, table: string, which: SQL): Promise<MonthAmount[]> {
  const found = await rows<{ was: MonthAmount | null }>(
    orm,
    sql`delete from ${sql.identifier(table)} where ${which} returning ${amountOf(table, table)} as was`,
  )
  return found.flatMap(({ was }) => was ?? [])
}

/** Returns what is stored of a contractor in one month (`2026-11`) of the contractor's days, by currency, through the index by day. */
export async function storedMonth(
  orm: Orm,
  contractorId: string,
  { table, month }: { table: SummedTable; month: string },
): Promise<{ currency: string; amount: string }[]> {
  const { day, only } = SUMMED[table]
  const begins = sql`(${`${month}-01`}::timestamp at time zone 'UTC')`
  // No clock is more than a day from UTC.
  return await rows<{ currency: string; amount: string }>(
    orm,
    sql`select currency, sum(amount)::text as amount from ${sql.identifier(table)} where contractor_id = ${contractorId}
      and ${sql.raw(day)} >= ${begins} - interval '1 day' and ${sql.raw(day)} < ${begins} + interval '1 month 1 day'
      and ${monthIn(day, sql`${contractorId}`)} = ${month} and ${sql.raw(only)} group by currency`,
  )
}
