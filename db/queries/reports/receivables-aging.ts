import type { Database } from '../../client'

/** The start of the next day. */
const BEHIND = `($2::timestamp + interval '1 day') at time zone 'UTC'`

/**
 * Amounts open now, of invoices dated up to the day. Time never changes the status `paid`, so the index on status finds everything
 * unpaid without updating any status first.
 */
const OPEN_NOW = `
  select customer_id, currency, (due_date at time zone 'UTC')::date as due, amount - paid_amount as unpaid
  from analytics_invoice_records
  where contractor_id = $1 and status in ('overdue', 'current', 'future') and amount > paid_amount
    and invoice_date < ${BEHIND}`

/**
 * Amounts open at the end of a past day: the amount open now, with later payments and refunds undone, of invoices not marked paid
 * by then. The later records are read once through their own indexes, which costs less than a lookup per invoice.
 */
const OPEN_THEN = `
  select i.customer_id, i.currency, (i.due_date at time zone 'UTC')::date as due,
    i.amount - i.paid_amount + coalesce(later.paid, 0.00) as unpaid
  from analytics_invoice_records i left join (
    select invoice_id, sum(amount) as paid from (
      select invoice_id, amount from analytics_revenue_transactions
        where contractor_id = $1 and type = 'payment_received' and invoice_id is not null and date >= ${BEHIND}
      union all
      select invoice_id, -amount from analytics_revenue_transactions
        where contractor_id = $1 and type = 'refund' and invoice_id is not null and date >= ${BEHIND}) t
    group by invoice_id) later on later.invoice_id = i.id
  where i.contractor_id = $1 and i.invoice_date < ${BEHIND} and (i.settled_at is null or i.settled_at >= ${BEHIND})
    and i.amount - i.paid_amount + coalesce(later.paid, 0.00) > 0`

/** The parts of an answer, per customer and in total. Days are whole days in UTC; an invoice is not late on its due date. */
const PARTS = {
  unpaid: 'coalesce(sum(unpaid), 0.00)',
  overdue: late('late > 0'),
  current: late('late <= 0'),
  days1to30: late('late between 1 and 30'),
  days31to60: late('late between 31 and 60'),
  days61to90: late('late between 61 and 90'),
  over90: late('late > 90'),
  invoices: 'count(*)',
  oldestDueDate: 'min(due)',
}

function late(condition: string): string {
  return `coalesce(sum(unpaid) filter (where ${condition}), 0.00)`
}

const NAMES = Object.keys(PARTS)
  .map((name) => `"${name}"`)
  .join(', ')
const SUMS = Object.entries(PARTS)
  .map(([name, sum]) => `${sum} as "${name}"`)
  .join(', ')
const ORDERS = {
  overdue: 'overdue desc, unpaid desc, "customerId"',
  unpaid: 'unpaid desc, overdue desc, "customerId"',
}

/** The day of a customer's last payment up to the day of the report, by the index of the customer's payments. */
const LAST_PAID = `(select max(t.date at time zone 'UTC')::date from analytics_revenue_transactions t
    where t.contractor_id = $1 and t.customer_id = c."customerId" and t.type = 'payment_received' and t.date < ${BEHIND})`

const text = (open: string, order: string) => `with open as (${open}),
  report as (select coalesce($3::text, currency) as currency from contractors where id = $1),
  aged as (select o.customer_id, o.due, o.unpaid, $2::date - o.due as late from open o join report r on r.currency = o.currency),
  total as (select ${SUMS} from aged),
  owing as (select customer_id as "customerId", ${SUMS} from aged group by customer_id),
  dated as (select c.*, case when $6::date is null then null else ${LAST_PAID} end as paid_on from owing c),
  customer as (select * from dated where ($6::date is null or paid_on is null or paid_on < $6::date)
    and ($7::numeric is null or unpaid >= $7::numeric))
  select row_to_json(answer)::text as report from (
    select $2::date as "asOf", r.currency,
      (select row_to_json(t) from total t) as total,
      (select coalesce(json_agg(c order by ${order}), '[]') from (
        select c."customerId", u.name, ${NAMES}, ${LAST_PAID} as "lastPaymentDate"
        from (select * from customer order by ${order} limit $4::int offset $5::int) c
        join users u on u.id = c."customerId" and u.contractor_id = $1) c) as customers,
      (select greatest(count(*) - $4::int - $5::int, 0) from customer) as more,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select distinct currency from open) o where o.currency <> r.currency) as "otherCurrencies"
    from report r) answer`

const named = (name: string, open: string) => ({
  overdue: { name: `plumbline_report_aging_${name}`, text: text(open, ORDERS.overdue) },
  unpaid: { name: `plumbline_report_aging_${name}_unpaid`, text: text(open, ORDERS.unpaid) },
})
const NOW = named('now', OPEN_NOW)
const THEN = named('then', OPEN_THEN)

export type ReceivablesAgingQuery = {
  contractorId: string
  /** An ISO day in UTC, included. */
  asOf: string
  /** Whether that day is over. If so, only what happened by its end counts; otherwise the current books count. */
  isPast: boolean
  /** Undefined means the contractor's own currency. */
  currency: string | undefined
  /** How many customers are listed one by one, and behind how many. */
  limit: number
  skip: number
  sort: keyof typeof ORDERS
  /** Only customers without a payment since this day. */
  notPaidSince: string | undefined
  /** Only customers who owe at least this. */
  minUnpaid: number | undefined
}

/** Returns what customers owe, grouped by how late it is, as JSON text. */
export async function receivablesAging(db: Database, query: ReceivablesAgingQuery): Promise<string> {
  const {
    contractorId,
    asOf,
    isPast,
    currency = null,
    limit,
    skip,
    sort,
    notPaidSince = null,
    minUnpaid = null,
  } = query
  const [row] = await db.run<{ report: string }>((isPast ? THEN : NOW)[sort], [
    contractorId,
    asOf,
    currency,
    limit,
    skip,
    notPaidSince,
    minUnpaid,
  ])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
