import type { Database, Value } from '../client'
import { DIFFERENCES, MESSAGE } from './lead-person'
import { statementOf } from './list'
import { MOST_SORTED } from './list-shape'
import { FATE, IS_OPEN } from './reports/lead-performance'

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

/** The day of the follow-up in force on the project `p` of a lead. */
const FOLLOW_UP = `(select e.follow_up_on from project_entries e where e.contractor_id = p.contractor_id and e.project_id = p.id
  and e.kind = 'follow_up' and e.undone_at is null order by e.created_at desc, e.id desc limit 1)`

/** The characters of a message that a list shows. */
const MESSAGE_LENGTH = 500

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`

/** Where leads are: those that came in, and open ones that a file brought, of which nothing tells the source. */
const CAME = {
  from: `leads l join projects p on p.id = l.project_id and p.contractor_id || '' = $1`,
  mine: 'l.contractor_id = $1',
  at: 'l.received_at',
  id: 'l.project_id',
  source: 'coalesce(l.lead_source, l.source)',
  category: 'l.source_category',
}
const LOADED: typeof CAME = {
  from: 'projects p',
  mine: `p.contractor_id = $1 and p.${IS_OPEN} and not exists (select from leads l where l.project_id = p.id)`,
  at: 'p.created_at',
  id: 'p.id',
  source: 'null::text',
  category: 'null::text',
}
const PLACES = [CAME, LOADED] as const

/** Leads, each with its project; both by the contractor, as our own code never writes them otherwise. */
function leadsText({ from, to, categories, outcomes, source, after, mayReadCustomers }: LeadsQuery): string {
  let next = 3
  const given = (value: unknown, condition: (parameter: string, of: typeof CAME) => string) => {
    const parameter = value === undefined ? '' : `$${next++}`
    return (of: typeof CAME) => (parameter === '' ? [] : [condition(parameter, of)])
  }
  const asked = [
    given(from, (p, of) => `${of.at} >= ${p}::timestamptz`),
    given(to, (p, of) => `${of.at} < ${p}::timestamptz`),
    given(categories, (p, of) => `${of.category} = any(string_to_array(${p}, ','))`),
    given(outcomes, (p) => `${FATE} = any(string_to_array(${p}, ','))`),
    given(source, (p, of) => `position(lower(${p}) in lower(${of.source})) > 0`),
  ]
  const where = (of: typeof CAME) => [of.mine, ...asked.flatMap((condition) => condition(of))].join(' and ')
  const place = (of: typeof CAME) => (after ? `and (${of.at}, ${of.id}) < ($${next}::timestamptz, $${next + 1})` : '')
  const found = PLACES.map(
    (of) => `(select ${of.at} as at, ${of.id} as id, ${of.source} as source, ${of.category} as category from ${of.from}
        where ${where(of)} ${place(of)} order by ${of.at} desc, ${of.id} desc limit $2::int + 1)`,
  ).join(' union all ')
  const who = mayReadCustomers
    ? `btrim(l.first_name || ' ' || l.last_name) as "leadName", case when l.project_id is null then u.email else l.email end as email,
        case when l.project_id is null then u.phone else coalesce(l.phone, l.phone_raw) end as phone, ${DIFFERENCES}, u.name as "customerName",`
    : ''
  const every = PLACES.map((of) => `(select 1 from ${of.from} where ${where(of)} limit ${MOST_SORTED + 1})`)
  const counted = after
    ? ''
    : `, (select case when count(*) <= ${MOST_SORTED} then count(*)::int end from (${every.join(' union all ')}) c) as count`
  return `select coalesce(json_agg(json_strip_nulls(item) order by n) filter (where n <= $2), '[]')::text as items,
      count(*) > $2 as more, max("receivedAt") filter (where n = $2) as at, max("projectId") filter (where n = $2) as id${counted}
    from (select row_number() over () as n, y."receivedAt", y."projectId", row_to_json(y) as item from (
      select to_char(f.at at time zone 'UTC', ${ISO}) as "receivedAt", f.source, f.category, ${FATE} as outcome, ${who}
         left(${MESSAGE}, ${MESSAGE_LENGTH}) as message, l.matched_by as "matchedBy",
        p.customer_id as "customerId", p.id as "projectId", p.job_number as "jobNumber", p.name as "projectName", p.status, p.total_amount as amount,
        ${FOLLOW_UP} as "followUp"
      from (select * from (${found}) f order by at desc, id desc limit $2::int + 1) f
        join projects p on p.id = f.id and p.contractor_id || '' = $1 join users u on u.id = p.customer_id and u.contractor_id || '' = $1
        left join leads l on l.project_id = f.id order by f.at desc, f.id desc) y) x`
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
