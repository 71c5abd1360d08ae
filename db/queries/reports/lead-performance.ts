import type { Database } from '../../client'
import { withinDays } from '../days'

/** An open lead's statuses, of those that came in and those that a file brought: the one meaning of an open lead. */
export const IS_OPEN = `status in ('lead', 'estimate')`

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
const ZONE = '$5::text'

/** Of fewer decided leads than this a share says nothing: one more or less would move it by a quarter. */
export const LEAST_DECIDED = 5

/** The amounts, with won of those decided: an open lead may still become either. */
const AMOUNTS = `leads, won, open, lost, won + lost as decided, revenue, kept as "keptDeposits",
  case when won + lost >= ${LEAST_DECIDED} then round(won::numeric / (won + lost), 4) end as conversion,
  case when won + lost >= ${LEAST_DECIDED} then 'enough' when won + lost > 0 then 'few' else 'none' end as sample, contacted,
  hours as "hoursToContact"`
const CONTACTS = `count(contact) as contacted,
    round((extract(epoch from percentile_cont(0.5) within group (order by contact)) / 3600)::numeric, 1) as hours`

/**
 * Returns SQL of one type of transaction. Payments, refunds and reversals are read separately, because each has its own index by project.
 * One project is one lead, so nothing counts twice. What an open lead has paid is a deposit that may still go back.
 */
const moved = (type: string, amount: string) => `
    select l.key, l.fate, t.currency, ${amount} as amount from lead l join analytics_revenue_transactions t
      on t.contractor_id = $1 and t.project_id = l.project_id and ${type} where l.fate <> 'open'`

const EARNED = `coalesce(sum(amount), 0.00) as revenue, coalesce(sum(amount) filter (where fate = 'lost'), 0.00) as kept`

/** The first note or follow-up on a lead, by the index of its project's entries. */
const FIRST_ENTRY = `(select min(e.created_at) from project_entries e
      where e.contractor_id = $1 and e.project_id = l.project_id and e.undone_at is null and e.created_at >= l.received_at)`

const text = (
  source: string,
) => `with report as (select coalesce($4::text, currency) as currency from contractors where id = $1),
  lead as (
    select l.project_id, l.source_category as category, ${source} as source, l.source_category || ' ' || coalesce(${source}, '') as key,
      ${FATE} as fate, ${FIRST_ENTRY} - l.received_at as contact
    from leads l join projects p on p.id = l.project_id and p.contractor_id = $1
    where l.contractor_id = $1 and ${withinDays('l.received_at', '$2', '$3', ZONE)}),
  movement as (${[
    moved(`t.type = 'payment_received'`, 't.amount'),
    moved(`t.type = 'refund'`, '-t.amount'),
    moved(`t.type in ('adjustment', 'reversal', 'write_off') and t.type = 'reversal'`, '-t.amount'),
  ].join(' union all ')}),
  mine as (select m.key, m.fate, m.amount from movement m join report r on r.currency = m.currency),
  earned as (select key, ${EARNED} from mine group by key),
  counted as (select key, category, source, count(*) as leads, ${COUNTS}, ${CONTACTS} from lead group by key, category, source),
  line as (select c.*, coalesce(e.revenue, 0.00) as revenue, coalesce(e.kept, 0.00) as kept from counted c left join earned e using (key)),
  total as (select count(*) as leads, ${COUNTS}, ${CONTACTS}, (select revenue from (select ${EARNED} from mine) x) as revenue,
    (select kept from (select ${EARNED} from mine) x) as kept from lead)
  select row_to_json(answer)::text as report from (
    select $2::date as "from", $3::date as "to", r.currency,
      (select row_to_json(t) from (select ${AMOUNTS} from total) t) as total,
      (select count(*) from projects where contractor_id = $1 and ${IS_OPEN}) as "openLeads",
      (select coalesce(json_agg(s order by revenue desc, leads desc, category, source), '[]') from (
        select category, source, ${AMOUNTS} from line order by revenue desc, leads desc, category, source limit $6::int) s) as sources,
      (select greatest(count(*) - $6::int, 0) from line) as more,
      'Days of ' || ${ZONE} || '. conversion = won / decided, and null of fewer than ${LEAST_DECIDED} decided (sample). revenue has keptDeposits, what cancelled jobs paid and did not get back. A '
        'lead counts as contacted from its first note or follow-up; calls that nobody noted are not known.' as basis,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select distinct currency from movement) o where o.currency <> r.currency) as "otherCurrencies"
    from report r) answer`

const STATEMENTS = {
  category: { name: 'plumbline_report_lead_performance', text: text('null::text'), long: true },
  source: {
    name: 'plumbline_report_lead_performance_source',
    text: text('coalesce(l.lead_source, l.source)'),
    long: true,
  },
}

/** The most lines in an answer; senders write their sources freely. */
const MOST_LINES = 50

export type LeadPerformanceQuery = {
  contractorId: string
  /** The contractor's time zone, and the days (ISO) on which leads arrived, both included. */
  zone: string
  from: string
  to: string
  by: keyof typeof STATEMENTS
  /** The currency; undefined means the contractor's own. */
  currency: string | undefined
}

/** Returns the outcomes of each source's leads, as JSON text. */
export async function leadPerformance(db: Database, query: LeadPerformanceQuery): Promise<string> {
  const { contractorId, zone, from, to, by, currency = null } = query
  const values = [contractorId, from, to, currency, zone, MOST_LINES]
  const [row] = await db.run<{ report: string }>(STATEMENTS[by], values)
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
