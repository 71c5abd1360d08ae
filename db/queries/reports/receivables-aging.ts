import type { Database } from '../../client'
import { DUE_PART, OPEN_NOW, OPEN_THEN, SIGNED, UNDATED, untilDay } from './open-invoices'

const [DAY, ZONE] = ['$2', '$8::text']

/** The parts of an answer, per customer and in total. An invoice is not late on its due date. */
const PARTS = {
  unpaid: 'coalesce(sum(unpaid), 0.00)',
  overdue: late('late > 0'),
  current: late('late <= 0'),
  days1to30: late('late between 1 and 30'),
  days31to60: late('late between 31 and 60'),
  days61to90: late('late between 61 and 90'),
  over90: late('late > 90'),
  invoices: 'count(*) filter (where unpaid > 0)',
  retainage: 'coalesce(sum(held), 0.00)',
  oldestDueDate: 'min(due) filter (where unpaid > 0)',
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
const LAST_PAID = `(select max(day_in(t.date, ${ZONE})) from analytics_revenue_transactions t
    where t.contractor_id = $1 and t.customer_id = c."customerId" and t.type = 'payment_received' and ${untilDay('t.date', DAY, ZONE)})`

/**
 * Money and credits that no invoice has used: unapplied transactions, each once through their own index, and what invoices have in credit. Added
 * up as they are read, because an office may have a million of them.
 */
const unapplied = (until: string) => `
    select customer_id, currency, ${SIGNED} as amount from analytics_revenue_transactions
      where contractor_id = $1 and (invoice_id is null or mismatched) ${until}
    union all select customer_id, currency, -open from open where open < 0`

const CREDITS_NOW = `
  union all select customer_id, currency, day_in(invoice_date, ${ZONE}), day_in(due_date, ${ZONE}), open_amount, retainage_amount
  from analytics_invoice_records where contractor_id = $1 and open_amount < 0 and ${untilDay('invoice_date', DAY, ZONE)}`

const text = (open: string, until: string, order: string) => `with open as (${open}),
  report as (select coalesce($3::text, currency) as currency from contractors where id = $1),
  asked as (select o.customer_id, o.due, o.dated, o.open, ${DUE_PART('o.open', 'o.retainage')} as unpaid
    from open o join report r on r.currency = o.currency where o.open > 0),
  aged as (select customer_id, due, unpaid, open - unpaid as held, $2::date - due as late from asked where dated <= $2::date),
  loose as (select customer_id, currency, sum(amount) as amount from (${unapplied(until)}) l group by customer_id, currency),
  written as (select customer_id, currency, amount from analytics_revenue_transactions
    where contractor_id = $1 and type = 'write_off' ${until}),
  apart as (
    select customer_id, sum(unapplied) as unapplied, sum(written) as written from (
      select customer_id, currency, amount as unapplied, 0 as written from loose
      union all select customer_id, currency, 0, amount from written) a join report r using (currency) group by customer_id),
  total as (select ${SUMS}, (select coalesce(sum(unapplied), 0.00) from apart) as unapplied,
    (select coalesce(sum(written), 0.00) from apart) as "writtenOff",
    (select coalesce(sum(open), 0.00) from asked where dated > $2::date) as future from aged),
  owing as (select customer_id as "customerId", ${SUMS} from aged group by customer_id having sum(unpaid) > 0),
  dated as (select c.*, case when $6::date is null then null else ${LAST_PAID} end as paid_on from owing c),
  customer as (select * from dated where ($6::date is null or paid_on is null or paid_on < $6::date)
    and ($7::numeric is null or unpaid >= $7::numeric))
  select row_to_json(answer)::text as report from (
    select $2::date as "asOf", r.currency,
      (select row_to_json(t) from total t) as total,
      (select coalesce(json_agg(c order by ${order}), '[]') from (
        select c."customerId", u.name, ${NAMES}, coalesce(a.unapplied, 0.00) as unapplied, coalesce(a.written, 0.00) as "writtenOff",
          ${LAST_PAID} as "lastPaymentDate"
        from (select * from customer order by ${order} limit $4::int offset $5::int) c
        join users u on u.id = c."customerId" and u.contractor_id = $1
        left join apart a on a.customer_id = c."customerId") c) as customers,
      (select greatest(count(*) - $4::int - $5::int, 0) from customer) as more,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select currency from open where dated <= $2::date union select currency from loose) o where o.currency <> r.currency) as "otherCurrencies",
      'Open on ' || $2::date || ', by days of ' || ${ZONE} || ': unpaid = overdue + current. Apart from it: future (invoices dated after that day, with their retainage), retainage, and '
        'unapplied, which customers have in credit: deposits, unapplied payments, overpayments, credit memos. writtenOff is no longer owed. ${UNDATED}' as basis
    from report r) answer`

const named = (name: string, open: string, until: string) => ({
  overdue: { name: `plumbline_report_aging_${name}`, text: text(open, until, ORDERS.overdue) },
  unpaid: { name: `plumbline_report_aging_${name}_unpaid`, text: text(open, until, ORDERS.unpaid) },
})
const NOW = named('now', OPEN_NOW(ZONE) + CREDITS_NOW, '')
const THEN = named('then', OPEN_THEN(DAY, ZONE), `and ${untilDay('date', DAY, ZONE)}`)

export type ReceivablesAgingQuery = {
  contractorId: string
  /** The contractor's time zone, and one of the contractor's days (ISO), included. */
  zone: string
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
    zone,
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
    zone,
  ])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
