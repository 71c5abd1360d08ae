import type { Database } from '../../client'
import { untilDay } from '../days'
import { statementOf } from '../list'
import { AGES, type Age, DUE_PART, type OnDay, OPEN_ON, reportOf, STALE, UNDATED } from './open-invoices'

const [DAY, ZONE] = ['$2', '$3::text']
const ON: OnDay = { day: DAY, zone: ZONE, today: '$4::date' }

/** The orders of the list, each by a column of a line and then by id. */
export const OPEN_INVOICE_SORTS = {
  dueDate: '"dueDate"',
  number: 'number collate "C"',
  customer: 'lower(customer)',
  date: 'date',
  amount: 'amount',
  unpaid: 'unpaid',
} as const
export type OpenInvoiceSort = keyof typeof OPEN_INVOICE_SORTS | `-${keyof typeof OPEN_INVOICE_SORTS}`

/** Returns the SQL of an order's name. */
function orderOf(sort: OpenInvoiceSort): string {
  const [name, direction] = sort.startsWith('-') ? [sort.slice(1), ' desc'] : [sort, '']
  const [, column] = Object.entries(OPEN_INVOICE_SORTS).find(([key]) => key === name) ?? []
  if (column === undefined) throw new Error(`${sort} is no order of this list`)
  return `${column}${direction}, id${direction}`
}

/** The day of an invoice's last payment up to the day of the list. */
const LAST_PAID = `(select max(day_in(t.date, ${ZONE})) from analytics_revenue_transactions t
    where t.contractor_id || '' = $1 and t.invoice_id = l.id and t.type in ('payment_received', 'allocation') and t.amount > 0
      and ${untilDay('t.date', DAY, ZONE)})`

/**
 * The lines are those that the aging report adds up: the same query, currency and ages. Names are looked up for what is told, and for all only
 * where they are sorted by.
 */
const text = (age: Age | undefined, sort: OpenInvoiceSort) => `with open as (${OPEN_ON(ON)}),
  report as (select coalesce($5::text, currency) as currency from contractors where id = $1),
  line as materialized (
    select i.id, i.number, i.amount, i.project_id as "projectId", a.* from (
      select o.id as open_id, o.customer_id as "customerId", o.dated as date, o.due as "dueDate", o.open - ${DUE_PART('o.open', 'o.retainage')} as retainage,
        ${DUE_PART('o.open', 'o.retainage')} as unpaid, $2::date - o.due as late
      from open o join report r on r.currency = o.currency where o.open > 0 and ($6::text is null or o.customer_id = $6)) a
    join analytics_invoice_records i on i.id = a.open_id and i.contractor_id || '' = $1
    where a.unpaid > 0 and ${age ? AGES[age] : 'true'}),
  named as (select l.*, u.name as customer from line l join users u on u.id = l."customerId" and u.contractor_id || '' = $1),
  page as (select * from named order by ${orderOf(sort)} limit $7::int offset $8::int)
  select ${STALE} as stale, row_to_json(answer)::text as report from (
    select $2::date as "asOf", r.currency, t.total, (select coalesce(json_agg(p order by ${orderOf(sort)}), '[]') from (
        select l.id, l.number, l."customerId", l.customer, l."projectId", p.name as project, l.date, l."dueDate", greatest(l.late, 0) as "daysLate",
          l.amount, l.unpaid, l.retainage, ${LAST_PAID} as "lastPaymentDate"
        from page l join projects p on p.id = l."projectId" and p.contractor_id || '' = $1) p) as invoices,
      greatest((t.total ->> 'invoices')::int - $7::int - $8::int, 0) as more,
      'Open on ' || $2::date || ', by days of ' || ${ZONE} || '. unpaid is what is still to be paid without retainage, as in get_receivables_aging. ${UNDATED}' as basis
    from report r cross join (select json_build_object('invoices', count(*), 'amount', coalesce(sum(amount), 0.00), 'unpaid', coalesce(sum(unpaid), 0.00),
      'retainage', coalesce(sum(retainage), 0.00)) as total from line) t) answer`

export type OpenInvoicesQuery = {
  contractorId: string
  zone: string
  asOf: string
  today: string
  currency: string | undefined
  age: Age | undefined
  customerId: string | undefined
  sort: OpenInvoiceSort
  limit: number
  skip: number
}

/** Returns the invoices that something is unpaid of on a day, as JSON text. */
export async function listOpenInvoices(db: Database, query: OpenInvoicesQuery): Promise<string> {
  const { contractorId, zone, asOf, today, currency = null, age, customerId = null, sort, limit, skip } = query
  const statement = statementOf(`open_invoices | ${age} | ${sort}`, () => text(age, sort))
  const values = [contractorId, asOf, zone, today, currency, customerId, limit, skip]
  const report = await reportOf(db, { ...statement, long: true }, values)
  if (report === undefined) throw new Error('a contractor that has a key is there')
  return report
}
