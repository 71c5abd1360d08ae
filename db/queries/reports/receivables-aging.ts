import type { Database } from '../../client'
import { untilDay } from '../days'
import { AGES, AHEAD_ON, DUE_PART, LOOSE_ON, type OnDay, OPEN_ON, reportOf, STALE, UNDATED } from './open-invoices'

const [DAY, ZONE] = ['$2', '$8::text']

/** The parts of an answer, per customer and in total. */
const PARTS = {
  unpaid: 'coalesce(sum(unpaid), 0.00)',
  ...Object.fromEntries(Object.entries(AGES).map(([age, condition]) => [age, late(condition)])),
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

/** The SQL that is true for rows of customers that are asked for: all, unless the report is narrowed to some. */
const IS_ASKED = `(($6::date is null and $7::numeric is null) or customer_id in (select "customerId" from customer))`

const ON: OnDay = { day: DAY, zone: ZONE, today: '$9::date' }

const text = (order: string) => `with open as (${OPEN_ON(ON)}),
  report as (select coalesce($3::text, currency) as currency from contractors where id = $1),
  asked as (select o.customer_id, o.due, o.open, ${DUE_PART('o.open', 'o.retainage')} as unpaid
    from open o join report r on r.currency = o.currency where o.open > 0),
  aged as (select customer_id, due, unpaid, open - unpaid as held, $2::date - due as late from asked),
  loose as (select customer_id, currency, sum(amount) as amount from (${LOOSE_ON(ON)}
    union all select customer_id, currency, -open from open where open < 0) l group by customer_id, currency),
  written as (select customer_id, currency, amount from analytics_revenue_transactions
    where contractor_id = $1 and type = 'write_off' and ${untilDay('date', DAY, ZONE)}),
  ahead as materialized (${AHEAD_ON(ON)}),
  apart as (
    select customer_id, sum(unapplied) as unapplied, sum(written) as written from (
      select customer_id, currency, amount as unapplied, 0 as written from loose
      union all select customer_id, currency, 0, amount from written) a join report r using (currency) group by customer_id),
  owing as (select customer_id as "customerId", ${SUMS} from aged group by customer_id having sum(unpaid) > 0),
  dated as (select c.*, case when $6::date is null then null else ${LAST_PAID} end as paid_on from owing c),
  customer as (select * from dated where ($6::date is null or paid_on is null or paid_on < $6::date)
    and ($7::numeric is null or unpaid >= $7::numeric)),
  total as (select ${SUMS}, (select coalesce(sum(unapplied), 0.00) from apart where ${IS_ASKED}) as unapplied,
    (select coalesce(sum(written), 0.00) from apart where ${IS_ASKED}) as "writtenOff",
    (select coalesce(sum(open), 0.00) from ahead join report r using (currency) where ${IS_ASKED}) as future,
    (select json_build_object('invoices', count(*), 'amount', coalesce(sum(amount), 0.00)) from analytics_invoice_records i
      join report r on r.currency = i.currency where contractor_id = $1 and not payment_known and ${IS_ASKED}) as "paymentNotKnown" from aged where ${IS_ASKED})
  select ${STALE} as stale, row_to_json(answer)::text as report from (
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
        select currency from open union select currency from loose union select currency from ahead) o where o.currency <> r.currency) as "otherCurrencies",
      'Open on ' || $2::date || ', by days of ' || ${ZONE} || ': unpaid = overdue + current. Apart from it: future (invoices dated after that day, with their retainage), retainage, and '
        'unapplied, which customers have in credit: deposits, unapplied payments, money for invoices dated after that day, overpayments, credit memos. writtenOff is no longer owed. ${UNDATED}' as basis
    from report r) answer`

const STATEMENTS = {
  overdue: { name: 'plumbline_report_aging', text: text(ORDERS.overdue), long: true },
  unpaid: { name: 'plumbline_report_aging_unpaid', text: text(ORDERS.unpaid), long: true },
}

export type ReceivablesAgingQuery = {
  contractorId: string
  /** The contractor's time zone, and one of the contractor's days (ISO), included. */
  zone: string
  asOf: string
  /** The contractor's today: what a file says without a date counts from the day it was loaded on an earlier day, and else in any case. */
  today: string
  /** The currency; undefined means the contractor's own. */
  currency: string | undefined
  /** The number of customers that are listed one by one, and behind how many. */
  limit: number
  skip: number
  sort: keyof typeof ORDERS
  /** Keeps only customers without a payment since this day. */
  notPaidSince: string | undefined
  /** Keeps only customers who owe at least this. */
  minUnpaid: number | undefined
}

/** Returns what customers owe, grouped by how late it is, as JSON text. */
export async function receivablesAging(db: Database, query: ReceivablesAgingQuery): Promise<string> {
  const { contractorId, zone, asOf, today, currency = null, limit, skip, sort } = query
  const { notPaidSince = null, minUnpaid = null } = query
  const report = await reportOf(db, STATEMENTS[sort], [
    contractorId,
    asOf,
    currency,
    limit,
    skip,
    notPaidSince,
    minUnpaid,
    zone,
    today,
  ])
  if (report === undefined) throw new Error('a contractor that has a key is there')
  return report
}
