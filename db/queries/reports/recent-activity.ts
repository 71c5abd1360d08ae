import type { Database, Statement } from '../../client'
import { withinDays } from '../days'
import { statementOf } from '../list'
import { DUE_PART } from './open-invoices'

const [SINCE, TODAY, ZONE, LIMIT] = ['$2', '$3', '$4::text', '$5::int']

/** The record's project and customer, by their primary keys, with the names that people call them by. */
const WHOSE = `r.customer_id as "customerId", (select u.name from users u where u.id = r.customer_id and u.contractor_id || '' = $1) as "customerName",
  r.project_id as "projectId", (select p.name from projects p where p.id = r.project_id and p.contractor_id || '' = $1) as "projectName"`

/** The days from the first to today, of moments that the service stored by its own clock: their range, without a plain day among them. */
const stored = (column: string) =>
  `${column} >= day_begins(${SINCE}::date, ${ZONE}) and day_in(${column}, ${ZONE}) <= ${TODAY}::date`

/**
 * The SQL of each kind: `rows` finds its records by their business days (`at`), each through an index of the contractor; `item` is what is
 * told of one of them; `summed` kinds have an amount and a currency.
 */
const PARTS = {
  leads: {
    rows: `select l.project_id, p.customer_id, l.received_at as at, l.project_id as id, l.first_name || ' ' || l.last_name as who,
        coalesce(l.lead_source, l.source) as source, l.source_category, p.status
      from leads l join projects p on p.id = l.project_id and p.contractor_id || '' = $1
      where l.contractor_id = $1 and ${withinDays('l.received_at', SINCE, TODAY, ZONE)}`,
    item: `day_in(r.at, ${ZONE}) as date, r.who as "leadName", r.source, r.source_category as category, r.status, ${WHOSE}`,
    summed: false,
  },
  payments: {
    rows: `select t.id, t.project_id, t.customer_id, t.date as at, t.amount, t.currency, t.method from analytics_revenue_transactions t
      where t.contractor_id = $1 and t.type = 'payment_received' and ${withinDays('t.date', SINCE, TODAY, ZONE)}`,
    item: `r.id, day_in(r.at, ${ZONE}) as date, r.amount, r.currency, r.method, ${WHOSE}`,
    summed: true,
  },
  invoices: {
    rows: `select i.id, i.project_id, i.customer_id, i.invoice_date as at, i.amount, i.currency, i.number, i.status, i.due_date
      from analytics_invoice_records i where i.contractor_id = $1 and ${withinDays('i.invoice_date', SINCE, TODAY, ZONE)}`,
    item: `r.id, r.number, day_in(r.at, ${ZONE}) as date, day_in(r.due_date, ${ZONE}) as "dueDate", r.amount, r.currency, r.status, ${WHOSE}`,
    summed: true,
  },
  overdue: {
    rows: `select i.id, i.project_id, i.customer_id, i.due_date as at, ${DUE_PART('i.open_amount', 'i.retainage_amount')} as amount, i.currency, i.number
      from analytics_invoice_records i where i.contractor_id = $1 and i.status || '' in ('overdue', 'current')
        and ${withinDays('i.due_date', `(${SINCE}::date - 1)`, `(${TODAY}::date - 1)`, ZONE)}`,
    item: `r.id, r.number, day_in(r.at, ${ZONE}) + 1 as date, day_in(r.at, ${ZONE}) as "dueDate", r.amount as unpaid, r.currency, ${WHOSE}`,
    summed: true,
  },
  statuses: {
    // A record that changed several times counts once, from the first status to the last; one that came back to it does not count.
    rows: `select * from (select s.record_id as id, s.resource, max(s.at) as at, (array_agg(s.was order by s.at, s.id))[1] as was,
          (array_agg(s.became order by s.at desc, s.id desc))[1] as became
        from status_changes s where s.contractor_id = $1 and s.resource = any(string_to_array($6::text, ','))
          and ${stored('s.at')} group by s.resource, s.record_id) s
      cross join lateral (
        select p.name, p.customer_id, p.id as project_id from projects p
          where s.resource = 'projects' and p.id = s.id and p.contractor_id || '' = $1
        union all select e.number, e.customer_id, e.project_id from estimates e
          where s.resource <> 'projects' and e.id = s.id and e.contractor_id || '' = $1) o where s.was <> s.became`,
    item: `case r.resource when 'projects' then 'project' else 'estimate' end as type, r.id, r.name, day_in(r.at, ${ZONE}) as date,
      r.was as "from", r.became as "to", ${WHOSE}`,
    summed: false,
  },
  notes: {
    rows: `select e.id, e.project_id, p.customer_id, e.created_at as at, e.kind, e.text, e.follow_up_on, e.author_name
      from project_entries e join projects p on p.id = e.project_id and p.contractor_id || '' = $1
      where e.contractor_id = $1 and e.undone_at is null and ${stored('e.created_at')}`,
    item: `r.id, r.kind, day_in(r.at, ${ZONE}) as date, left(r.text, 500) as "noteText", r.follow_up_on as "followUpOn", r.author_name as author, ${WHOSE}`,
    summed: false,
  },
} as const
export type ActivityKind = keyof typeof PARTS

const TOTAL = (kind: ActivityKind) => `'total', (select coalesce(json_agg(t order by t.currency), '[]')
    from (select currency, sum(amount) as amount from ${kind} group by currency) t),`

const told = (
  kind: ActivityKind,
) => `'${kind}', json_build_object('count', (select count(*) from ${kind}), ${PARTS[kind].summed ? TOTAL(kind) : ''}
    'items', (select coalesce(json_agg(json_strip_nulls(row_to_json(i)) order by n), '[]') from (
      select row_number() over (order by r.at desc, r.id desc) as n, (select x from (select ${PARTS[kind].item}) x) as i
      from (select * from ${kind} order by at desc, id desc limit ${LIMIT}) r) l))`

/** The most changes of one resource that are counted, from the end of its feed. */
export const MOST_CHANGES = 2_000

/** What was stored since the first day, by resource: the end of each one's feed, as far as it is counted, and what waits for its place. */
const STORED = `(select coalesce(json_agg(s order by s.resource), '[]') from (
    select w.resource, case when x.n <= ${MOST_CHANGES} then x.created end as created, case when x.n <= ${MOST_CHANGES} then x.updated end as updated,
      case when x.n <= ${MOST_CHANGES} then x.deleted end as deleted
    from unnest(string_to_array($7::text, ',')) w(resource) cross join lateral (
      select count(*)::int as n, (count(*) filter (where change = 'created'))::int as created,
        (count(*) filter (where change in ('updated', 'turned')))::int as updated, (count(*) filter (where change = 'deleted'))::int as deleted
      from (
        (select * from (select c.change, c.numbered_at from changes c
          where (c.contractor_id, c.resource, c.position) > ($1, w.resource, 0) and (c.contractor_id, c.resource) <= ($1, w.resource)
          order by c.contractor_id desc, c.resource desc, c.position desc limit ${MOST_CHANGES + 1}) c
          where c.numbered_at >= day_begins(${SINCE}::date, ${ZONE}))
        union all (select q.change, null from change_queue q where q.contractor_id = $1 and q.resource = w.resource limit ${MOST_CHANGES + 1})) c) x
    where x.n > 0) s)`

const text = (
  kinds: readonly ActivityKind[],
) => `with ${kinds.map((kind) => `${kind} as materialized (${PARTS[kind].rows})`).join(', ')}
  select json_build_object(${kinds.map(told).join(', ')}, 'stored', ${STORED})::text as report
  from (select ${LIMIT}, ${ZONE}, $6::text, $7::text) given`

const statement = (kinds: readonly ActivityKind[]): Statement =>
  statementOf(`activity | ${kinds.join(' ')}`, () => text(kinds))

export type RecentActivityQuery = {
  contractorId: string
  kinds: readonly ActivityKind[]
  /** The contractor's time zone and days (ISO), both included. */
  zone: string
  since: string
  today: string
  /** The records of each kind that are told one by one, the latest first. */
  limit: number
  /** The resources whose changes of status are told, and those whose stored changes are counted. */
  statusesOf: readonly string[]
  storedOf: readonly string[]
}

/** Returns what happened in an office in some days, by kind, as JSON text. */
export async function recentActivity(db: Database, query: RecentActivityQuery): Promise<string> {
  const { contractorId, kinds, zone, since, today, limit, statusesOf, storedOf } = query
  const [row] = await db.run<{ report: string }>({ ...statement(kinds), long: true }, [
    contractorId,
    since,
    today,
    zone,
    limit,
    statusesOf.join(','),
    storedOf.join(','),
  ])
  if (!row) throw new Error('a select of scalars answers one row')
  return row.report
}
