import type { Database } from '../../client'

/** The outcome of a lead follows from its project's status; every status belongs to exactly one outcome. */
const FATES = {
  won: ['scheduled', 'in_progress', 'on_hold', 'completed'],
  open: ['lead', 'estimate'],
  lost: ['cancelled'],
}
/** The outcome of a project `p` as SQL. */
export const FATE = `case ${Object.entries(FATES)
  .map(([fate, statuses]) => `when p.status in (${statuses.map((status) => `'${status}'`).join(', ')}) then '${fate}'`)
  .join(' ')} end`

const COUNTS = Object.keys(FATES)
  .map((fate) => `count(*) filter (where fate = '${fate}') as ${fate}`)
  .join(', ')
const AMOUNTS = `leads, won, open, lost, revenue, round(won::numeric / nullif(leads, 0), 4) as conversion`
const ORDER = 'revenue desc, leads desc, category'

/**
 * Payments and refunds are read separately, because each has its own index by project. One project is one lead, so nothing counts
 * twice.
 */
const moved = (type: string, amount: string) => `
    select l.category, t.currency, ${amount} as amount from lead l join analytics_revenue_transactions t
      on t.contractor_id = $1 and t.project_id = l.project_id and t.type = '${type}' where l.fate = 'won'`

const TEXT = `with report as (select coalesce($4::text, currency) as currency from contractors where id = $1),
  lead as (
    select l.project_id, l.source_category as category, ${FATE} as fate
    from leads l join projects p on p.id = l.project_id and p.contractor_id = $1
    where l.contractor_id = $1 and l.received_at >= $2::timestamp at time zone 'UTC'
      and l.received_at < ($3::timestamp + interval '1 day') at time zone 'UTC'),
  movement as (${moved('payment_received', 't.amount')} union all ${moved('refund', '-t.amount')}),
  mine as (select m.category, m.amount from movement m join report r on r.currency = m.currency),
  earned as (select category, sum(amount) as revenue from mine group by category),
  counted as (select category, count(*) as leads, ${COUNTS} from lead group by category),
  source as (select c.*, coalesce(e.revenue, 0.00) as revenue from counted c left join earned e using (category)),
  total as (select count(*) as leads, ${COUNTS}, (select coalesce(sum(amount), 0.00) from mine) as revenue from lead)
  select row_to_json(answer)::text as report from (
    select $2::date as "from", $3::date as "to", r.currency,
      (select row_to_json(t) from (select ${AMOUNTS} from total) t) as total,
      (select coalesce(json_agg(s order by ${ORDER}), '[]') from (
        select category, ${AMOUNTS} from source) s) as sources,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select distinct currency from movement) o where o.currency <> r.currency) as "otherCurrencies"
    from report r) answer`

const STATEMENT = { name: 'plumbline_report_lead_performance', text: TEXT }

export type LeadPerformanceQuery = {
  contractorId: string
  /** ISO days in UTC on which leads arrived, both included. */
  from: string
  to: string
  /** Undefined means the contractor's own currency. */
  currency: string | undefined
}

/** Returns the outcomes of each source's leads, as JSON text. */
export async function leadPerformance(db: Database, query: LeadPerformanceQuery): Promise<string> {
  const { contractorId, from, to, currency = null } = query
  const [row] = await db.run<{ report: string }>(STATEMENT, [contractorId, from, to, currency])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
