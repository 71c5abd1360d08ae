import type { Database, Value } from '../client'
import { statementOf } from './list'
import { MOST_SORTED } from './list-shape'
import { FATE } from './reports/lead-performance'

export type LeadsQuery = {
  contractorId: string
  limit: number
  /** ISO moments; `to` is the first that is out. */
  from?: string | undefined
  to?: string | undefined
  /** Values with commas. */
  categories?: string | undefined
  outcomes?: string | undefined
  /** A part of what the sender named as the source. */
  source?: string | undefined
  after?: { at: string; id: string } | undefined
  mayReadCustomers: boolean
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** Leads as they came, each with its project; both by the contractor, as our own code never writes them otherwise. */
function leadsText({ from, to, categories, outcomes, source, after, mayReadCustomers }: LeadsQuery): string {
  let next = 3
  const given = (value: unknown, condition: (parameter: string) => string) =>
    value === undefined ? [] : [condition(`$${next++}`)]
  const conditions = [
    'l.contractor_id = $1',
    ...given(from, (p) => `l.received_at >= ${p}::timestamptz`),
    ...given(to, (p) => `l.received_at < ${p}::timestamptz`),
    ...given(categories, (p) => `l.source_category = any(string_to_array(${p}, ','))`),
    ...given(outcomes, (p) => `${FATE} = any(string_to_array(${p}, ','))`),
    ...given(source, (p) => `position(lower(${p}) in lower(coalesce(l.lead_source, l.source))) > 0`),
  ].join(' and ')
  const of = `from leads l join projects p on p.id = l.project_id and p.contractor_id || '' = $1 where ${conditions}`
  const place = after ? `and (l.received_at, l.project_id) < ($${next}::timestamptz, $${next + 1})` : ''
  const who = mayReadCustomers ? `l.first_name || ' ' || l.last_name as "customerName", l.email, l.phone,` : ''
  const counted = after
    ? ''
    : `, (select case when count(*) <= ${MOST_SORTED} then count(*)::int end from (select 1 ${of} limit ${MOST_SORTED + 1}) c) as count`
  return `select coalesce(json_agg(json_strip_nulls(item) order by n) filter (where n <= $2), '[]')::text as items,
      count(*) > $2 as more, max("receivedAt") filter (where n = $2) as at, max("projectId") filter (where n = $2) as id${counted}
    from (select row_number() over () as n, y."receivedAt", y."projectId", row_to_json(y) as item from (select to_char(l.received_at at time zone 'UTC', ${ISO}) as "receivedAt", coalesce(l.lead_source, l.source) as source,
        l.source_category as category, ${FATE} as outcome, ${who} p.customer_id as "customerId", p.id as "projectId",
        p.job_number as "jobNumber", p.name as "projectName", p.status, p.total_amount as amount
      ${of} ${place} order by l.received_at desc, l.project_id desc limit $2::int + 1) y) x`
}

export type LeadsPage = { items: string; more: boolean; at: string | null; id: string | null; count?: number | null }

/** Returns a page of a contractor's leads, the latest first, as JSON text; with the first page, how many there are. */
export async function listLeads(db: Database, query: LeadsQuery): Promise<LeadsPage> {
  const { from, to, categories, outcomes, source, after, mayReadCustomers } = query
  const given = { from, to, categories, outcomes, source }
  const shape = Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const key = ['leads', ...shape, after ? 'behind' : '', mayReadCustomers ? 'who' : ''].join(' ')
  const values: Value[] = [query.contractorId, query.limit]
  for (const value of Object.values(given)) if (value !== undefined) values.push(value)
  if (after) values.push(after.at, after.id)
  const [row] = await db.run<LeadsPage>(
    statementOf(key, () => leadsText(query)),
    values,
  )
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return row
}
