import type { Database } from '../../client'
import { EACH_TYPE } from './open-invoices'
import { BILLED } from './unbilled-work'

/** What jobs may be sorted by, the greatest first, by its column. */
export const JOB_SORTS = {
  contract: 'contract',
  billed: 'billed',
  received: 'received',
  leftToBill: 'left_to_bill',
} as const
export type JobSort = keyof typeof JOB_SORTS

const FROM =
  'from analytics_revenue_transactions m where m.contractor_id = $1 and m.project_id = p.id and m.currency = r.currency'
const RECEIVED = `select coalesce(sum(case type when 'payment_received' then amount when 'allocation' then amount
    when 'refund' then -amount when 'reversal' then -amount end), 0.00) as received
  from (${EACH_TYPE.map((type) => `select type, amount ${FROM} and ${type} and day_in(m.date, r.zone) <= $5::date`).join(' union all ')}) t`

/** Projects are found by the index on status, the invoices and transactions of each by the indexes on project. */
const statement = (sort: JobSort) => ({
  name: `plumbline_report_jobs_${JOB_SORTS[sort]}`,
  long: true,
  text: `with report as (select currency, timezone as zone from contractors where id = $1),
  job as materialized (
    select p.id, p.name, p.customer_id, p.status, p.total_amount as contract, b.billed, b.scheduled, m.received, p.total_amount - b.billed as left_to_bill
    from projects p cross join report r cross join lateral (${BILLED('$5')}) b cross join lateral (${RECEIVED}) m
    where p.contractor_id = $1 and p.status = any(string_to_array($2::text, ','))),
  told as (select * from job order by ${JOB_SORTS[sort]} desc, id limit $3::int offset $4::int)
  select row_to_json(answer)::text as report from (
    select r.currency, $5::date as "asOf",
      (select row_to_json(t) from (select count(*) as jobs, coalesce(sum(contract), 0.00) as contract, coalesce(sum(billed), 0.00) as billed,
        coalesce(sum(received), 0.00) as received, coalesce(sum(left_to_bill), 0.00) as "leftToBill" from job) t) as total,
      (select coalesce(json_agg(row_to_json(l)), '[]') from (
        select w.id as "projectId", w.name as "projectName", w.customer_id as "customerId", u.name as "customerName", w.status,
          w.contract, w.billed, w.scheduled, w.received, w.left_to_bill as "leftToBill"
        from told w join users u on u.id = w.customer_id and u.contractor_id = $1 order by w.${JOB_SORTS[sort]} desc, w.id) l) as jobs,
      (select greatest(count(*) - $3::int - $4::int, 0) from job) as more
    from report r) answer`,
})

export type JobsQuery = {
  contractorId: string
  statuses: readonly string[]
  sort: JobSort
  limit: number
  skip: number
  /** The contractor's day (ISO) up to which invoices and payments count. */
  today: string
}

/** Returns jobs in some statuses with contract, billed, received and what is left to bill, as JSON text. */
export async function jobs(db: Database, query: JobsQuery): Promise<string> {
  const { contractorId, statuses, sort, limit, skip, today } = query
  const [row] = await db.run<{ report: string }>(statement(sort), [
    contractorId,
    statuses.join(','),
    limit,
    skip,
    today,
  ])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
