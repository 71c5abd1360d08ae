import type { Database } from '../../client'
import { withinDays } from '../days'
import { DUE_PART, OPEN_ON, reportOf, STALE, UNDATED, UNRECORDED_WITHIN, WITHOUT_RECORD } from './open-invoices'

const [FROM, TO, ZONE, TODAY] = ['$2', '$3', '$6::text', '$7::date']

/** Sums one kind of record by period, currency, and whether it is dated ahead. Each kind's condition matches a partial index. */
const summed = (kind: string, table: string, date: string, only = '') => `
    select '${kind}' as kind, date_trunc($4::text, day_in(${date}, ${ZONE})::timestamp)::date as start, currency,
      day_in(${date}, ${ZONE}) > ${TODAY} as ahead, sum(amount) as amount
    from ${table} where contractor_id = $1 and ${withinDays(date, FROM, TO, ZONE)} ${only} group by 2, 3, 4`

/** Kinds of transactions, by the partial indexes that hold them. */
const TRANSACTIONS = {
  received: `type = 'payment_received'`,
  refunded: `type = 'refund'`,
  reversed: `type in ('adjustment', 'reversal', 'write_off') and type = 'reversal'`,
  credited: `type in ('adjustment', 'reversal', 'write_off') and type = 'adjustment'`,
  writtenOff: `type in ('adjustment', 'reversal', 'write_off') and type = 'write_off'`,
}
const sum = (kind: string, and = '') => `coalesce(sum(s.amount) filter (where s.kind = '${kind}'${and}), 0.00)`
const SUMS = [
  ...['invoiced', ...Object.keys(TRANSACTIONS), 'paidWithoutRecord'].map((kind) => `${sum(kind)} as "${kind}"`),
  `${sum('invoiced', ' and s.ahead')} as "invoicedAhead"`,
  `${sum('received', ' and s.ahead')} as "receivedAhead"`,
].join(', ')
const AMOUNTS = 'invoiced, received, refunded, reversed, received - refunded - reversed as net, "paidWithoutRecord"'
const APART = 'credited, "writtenOff", "invoicedAhead", "receivedAhead"'

/**
 * Periods come from the calendar and not from the records, so periods without records are included. Weeks begin on Monday (ISO). What is
 * open at the end is what the aging report of that day says.
 */
const TEXT = `with report as (select coalesce($5::text, currency) as currency from contractors where id = $1),
  summed as (${[
    summed('invoiced', 'analytics_invoice_records', 'invoice_date'),
    ...Object.entries(TRANSACTIONS).map(([kind, only]) =>
      summed(kind, 'analytics_revenue_transactions', 'date', `and ${only}`),
    ),
    UNRECORDED_WITHIN(
      FROM,
      TO,
      ZONE,
      (day, amount) => `
    select 'paidWithoutRecord', date_trunc($4::text, ${day}::timestamp)::date, i.currency, false, ${amount}`,
    ),
  ].join(' union all ')}),
  mine as (select s.kind, s.start, s.ahead, s.amount from summed s join report r on r.currency = s.currency),
  period as (
    select p::date as start, (p + ('1 ' || $4)::interval - interval '1 day')::date as last
    from generate_series(date_trunc($4::text, $2::timestamp), $3::timestamp, ('1 ' || $4)::interval) p),
  flow as (select p.start, p.last, ${SUMS} from period p left join mine s on s.start = p.start group by p.start, p.last),
  total as (select ${SUMS} from mine s),
  open as (${OPEN_ON({ day: `least(${TO}::date, ${TODAY})`, zone: ZONE, today: TODAY })})
  select ${STALE} as stale, row_to_json(answer)::text as report from (
    select $2::date as "from", $3::date as "to", $4::text as by, r.currency,
      (select row_to_json(t) from (select ${AMOUNTS}, ${APART} from total) t) as total,
      (select coalesce(sum(${DUE_PART('o.open', 'o.retainage')}), 0.00) from open o
        where o.currency = r.currency and o.open > 0) as "unpaidAtEnd",
      (select json_agg(p order by p."from") from (
        select to_char(start, case $4 when 'week' then 'IYYY-"W"IW' else 'YYYY-MM' end) as period,
          greatest(start, $2::date) as "from", least(last, $3::date) as "to", ${AMOUNTS} from flow) p) as periods,
      'Days of ' || ${ZONE} || '. net = received - refunded - reversed. invoicedAhead and receivedAhead are the part dated after ' || ${TODAY}
        || '. unpaidAtEnd is open on ' || least($3::date, ${TODAY}) || ', as get_receivables_aging tells it. ${WITHOUT_RECORD} ${UNDATED}' as basis,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select distinct currency from summed) o where o.currency <> r.currency) as "otherCurrencies"
    from report r) answer`

const STATEMENT = { name: 'plumbline_report_cash_flow', text: TEXT, long: true }

export type CashFlowQuery = {
  contractorId: string
  /** The contractor's time zone and day. */
  zone: string
  today: string
  /** The contractor's days (ISO), both included. */
  from: string
  to: string
  by: 'week' | 'month'
  /** The currency; undefined means the contractor's own. */
  currency: string | undefined
}

/** Returns the amounts invoiced, received and refunded in each period, as JSON text. */
export async function cashFlow(db: Database, query: CashFlowQuery): Promise<string> {
  const { contractorId, zone, today, from, to, by, currency = null } = query
  const report = await reportOf(db, STATEMENT, [contractorId, from, to, by, currency, zone, today])
  if (report === undefined) throw new Error('a contractor that has a key is there')
  return report
}
