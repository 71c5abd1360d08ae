import type { Database } from '../../client'

const FROM = `$2::timestamp at time zone 'UTC'`
const BEHIND = `($3::timestamp + interval '1 day') at time zone 'UTC'`

/** Sums one kind of record by period and currency. Each kind's condition matches a partial index. */
const summed = (kind: string, table: string, date: string, only = '') => `
    select '${kind}' as kind, date_trunc($4::text, ${date} at time zone 'UTC')::date as start, currency, sum(amount) as amount
    from ${table} where contractor_id = $1 and ${date} >= ${FROM} and ${date} < ${BEHIND} ${only} group by 2, 3`

const KINDS = ['invoiced', 'received', 'refunded']
const SUMS = KINDS.map((kind) => `coalesce(sum(s.amount) filter (where s.kind = '${kind}'), 0.00) as ${kind}`).join(
  ', ',
)
const AMOUNTS = `${KINDS.join(', ')}, received - refunded as net`

/**
 * Periods come from the calendar and not from the records, so periods without records are included. Weeks begin on Monday (ISO).
 */
const TEXT = `with report as (select coalesce($5::text, currency) as currency from contractors where id = $1),
  summed as (${[
    summed('invoiced', 'analytics_invoice_records', 'invoice_date'),
    summed('received', 'analytics_revenue_transactions', 'date', `and type = 'payment_received'`),
    summed('refunded', 'analytics_revenue_transactions', 'date', `and type = 'refund'`),
  ].join(' union all ')}),
  mine as (select s.kind, s.start, s.amount from summed s join report r on r.currency = s.currency),
  period as (
    select p::date as start, (p + ('1 ' || $4)::interval - interval '1 day')::date as last
    from generate_series(date_trunc($4::text, $2::timestamp), $3::timestamp, ('1 ' || $4)::interval) p),
  flow as (select p.start, p.last, ${SUMS} from period p left join mine s on s.start = p.start group by p.start, p.last),
  total as (select ${SUMS} from mine s)
  select row_to_json(answer)::text as report from (
    select $2::date as "from", $3::date as "to", $4::text as by, r.currency,
      (select row_to_json(t) from (select ${AMOUNTS} from total) t) as total,
      (select json_agg(p order by p."from") from (
        select to_char(start, case $4 when 'week' then 'IYYY-"W"IW' else 'YYYY-MM' end) as period,
          greatest(start, $2::date) as "from", least(last, $3::date) as "to", ${AMOUNTS} from flow) p) as periods,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select distinct currency from summed) o where o.currency <> r.currency) as "otherCurrencies"
    from report r) answer`

const STATEMENT = { name: 'plumbline_report_cash_flow', text: TEXT }

export type CashFlowQuery = {
  contractorId: string
  /** ISO days in UTC, both included. */
  from: string
  to: string
  by: 'week' | 'month'
  /** Undefined means the contractor's own currency. */
  currency: string | undefined
}

/** Returns the amounts invoiced, received and refunded in each period, as JSON text. */
export async function cashFlow(db: Database, query: CashFlowQuery): Promise<string> {
  const { contractorId, from, to, by, currency = null } = query
  const [row] = await db.run<{ report: string }>(STATEMENT, [contractorId, from, to, by, currency])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
