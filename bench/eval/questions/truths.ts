import { type SQL, sql } from 'drizzle-orm'
import type { Books } from '../books'
import type { Truth } from '../question'

/** Rows of a truth come with names as text and sums as floating point, so that every driver gives the same. */
type Item = { names: string[] }

const listed =
  (ordered: boolean) =>
  async (books: Books, query: SQL): Promise<Truth> => {
    const items = await books.read<Item>(query)
    return { kind: 'list', items: items.map(({ names }) => names.filter((name) => name !== null)), ordered }
  }

/** A list in any order. The query gives `names`, an array of text: all that an item may be called. */
export const list = listed(false)

/** A list whose order counts. */
export const ranking = listed(true)

/** Figures by label, from a query with one row. */
export async function figures(books: Books, query: SQL): Promise<Truth> {
  const [row = {}] = await books.read<Record<string, number>>(query)
  return { kind: 'figures', figures: row }
}

/** A day, from a query with one row `day`. */
export async function day(books: Books, query: SQL): Promise<Truth> {
  const [row] = await books.read<{ day: string }>(query)
  return { kind: 'day', day: row?.day ?? '' }
}

/** Returns who or what a question is about: the first row of a query. @throws when the books have none */
export async function subject(books: Books, query: SQL): Promise<Record<string, string>> {
  const [row] = await books.read<Record<string, string>>(query)
  if (!row) throw new Error('the books have nothing that this question could be about')
  return row
}

/** A moment of a column as its day, UTC. */
export const dayOf = (column: SQL): SQL => sql`(${column} at time zone 'UTC')::date`

/** Invoices `i` that are not paid, and what is unpaid of each. */
export const isUnpaid = (books: Books): SQL =>
  sql`i.contractor_id = ${books.contractorId} and i.open_amount > i.retainage_amount`
/** Invoices that are owed: what is dated ahead is not yet billed. */
export const isOpen = (books: Books): SQL => sql`${isUnpaid(books)} and ${INVOICED} <= ${books.today}::date`
export const UNPAID = sql`(i.open_amount - i.retainage_amount)`
export const DUE = dayOf(sql`i.due_date`)
export const INVOICED = dayOf(sql`i.invoice_date`)
/** A condition on open invoices: the due day is over. */
export const isLate = (books: Books): SQL => sql`${DUE} < ${books.today}::date`

/** Customers whose name nobody shares, so that a question can name one. */
export const uniqueNames = (books: Books): SQL =>
  sql`(select name from users where contractor_id = ${books.contractorId} and owns_project group by name having count(*) = 1)`

/** The first day of the last month that had this number: the September a person means. */
export const lastMonth = (books: Books, month: number): SQL =>
  sql`(select max(m)::date from generate_series(date_trunc('year', ${books.today}::date) - interval '1 year', ${books.today}::date, '1 month') m
    where extract(month from m) = ${month}::int)`

/** Returns a `between` of the first and the last day of a period that contains the day. */
export const within = (column: SQL, period: 'week' | 'month' | 'quarter' | 'year', at: SQL): SQL =>
  sql`${column} between date_trunc(${period}::text, (${at})::timestamp)::date
    and (date_trunc(${period}::text, (${at})::timestamp) + (case ${period}::text when 'quarter' then '3 months' else '1 ' || ${period}::text end)::interval - interval '1 day')::date`

/** Customers, by `column`, who have no invoice dated ahead, so that what they owe can be read in one way only. */
export const nothingAhead = (books: Books, column: SQL): SQL =>
  sql`not exists (select from analytics_invoice_records f where f.customer_id = ${column} and f.invoice_date > ${books.today}::timestamp at time zone 'UTC')`
