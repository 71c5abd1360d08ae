import type { Database } from '../../client'
import { daysFrom, untilDay, withinDays } from '../days'
import { DUE_PART, EACH_TYPE, MOVED_OPEN, type OnDay, reportOf, STALE, SUMS_OF_TYPES } from './open-invoices'

const [TODAY, ZONE] = ['$2', '$3::text']

/** The days told before today, and the day before them with which today is compared. */
const DAYS_BACK = 30
const FIRST = `(${TODAY}::date - ${DAYS_BACK})`
const STORED = `(now() at time zone ${ZONE})::date`
const [SINCE, LAST] = [`least(${FIRST}, ${STORED})`, `greatest(${TODAY}::date, ${STORED})`]
const POINT: OnDay = { day: 'p.day', zone: ZONE, today: `${TODAY}::date` }

/** What happened to invoices of the contractor in the days, as the query of one past day reads it. */
const HAPPENED = [
  ...EACH_TYPE.map(
    (type) =>
      `${type} and invoice_id is not null and not mismatched and waits_until is null and ${withinDays('date', `(${SINCE} + 1)`, LAST, ZONE)}`,
  ).map((condition) => ['date', condition]),
  [
    'waits_until',
    `waits_until is not null and invoice_id is not null and ${withinDays('waits_until', `(${SINCE} + 1)`, LAST, ZONE)}`,
  ],
]
  .map(
    ([
      moment,
      condition,
    ]) => `select invoice_id, day_in(${moment}, ${ZONE}) as day, type, amount from analytics_revenue_transactions
      where contractor_id = $1 and ${condition}`,
  )
  .join(' union all ')

/**
 * What was open and overdue at the end of each of 31 days, as the report of receivables has it for each. Invoices that nothing happened to in
 * these days keep what is stored; the others are reckoned, by the same function as there, on the days on which something happened to them.
 */
const OPEN = `with own as (select currency from contractors where id = $1),
  happened as materialized (${HAPPENED}),
  touched as materialized (select invoice_id as id from happened
    union select id from analytics_invoice_records where contractor_id = $1 and coalesce(settled_at, stated_at) >= ${daysFrom(`(${SINCE} + 1)`, ZONE)}
    union select id from analytics_invoice_records where contractor_id = $1 and ${withinDays('invoice_date', `(${SINCE} + 1)`, LAST, ZONE)}),
  mine as materialized (select i.*, day_in(i.invoice_date, ${ZONE}) as dated, day_in(coalesce(i.settled_at, i.stated_at), ${ZONE}) as told
    from touched t cross join lateral (select * from analytics_invoice_records where id = t.id and contractor_id || '' = $1 offset 0) i
    join own on own.currency = i.currency),
  point as (select id, day from (select invoice_id as id, day from happened union select id, dated from mine union select id, told from mine
      union select id, ${FIRST} from mine union select id, ${TODAY}::date from mine) p where day between ${FIRST} and ${TODAY}::date),
  moved as (select p.id, p.day, ${SUMS_OF_TYPES} from (select p.id, p.day, h.type, case when p.day < ${STORED} then -h.amount else h.amount end as amount
      from point p join happened h on h.invoice_id = p.id and h.day > least(p.day, ${STORED}) and h.day <= greatest(p.day, ${STORED})) p group by p.id, p.day),
  valued as (select day_in(i.due_date, ${ZONE}) as due, p.day as since, lead(p.day) over (partition by i.id order by p.day) as until, i.retainage_amount as retainage,
      case when p.day < i.dated then 0 when moved.id is null and not i.payment_known then i.open_amount else ${MOVED_OPEN(POINT)} end as open
    from point p join mine i on i.id = p.id left join moved on moved.id = p.id and moved.day = p.day),
  part as (select due, ${DUE_PART('open', 'retainage')} as unpaid, since, until from valued where open > 0
    union all select day_in(i.due_date, ${ZONE}), sum(${DUE_PART('i.open_amount', 'i.retainage_amount')}), '-infinity', null
      from analytics_invoice_records i join own on own.currency = i.currency
      where i.contractor_id = $1 and i.status in ('overdue', 'current', 'future') and i.open_amount > 0 and ${untilDay('i.invoice_date', FIRST, ZONE)}
        and not exists (select from touched t where t.id = i.id) group by 1)
  select ${STALE} as stale, (select json_agg(line order by line.day) from (
    select d.day::date as day, coalesce(sum(p.unpaid), 0.00) as open, coalesce(sum(p.unpaid) filter (where p.due < d.day), 0.00) as overdue
    from generate_series(${FIRST}, ${TODAY}::date, interval '1 day') d(day)
      left join part p on p.since <= d.day and (p.until is null or p.until > d.day) group by d.day) line)::text as report`

/** What was received on each day, as in the report of cash flow. */
const RECEIVED = `select coalesce(json_agg(line order by line.day), '[]')::text as report from (
    select day_in(t.date, ${ZONE}) as day, sum(t.amount) as amount from analytics_revenue_transactions t
      join contractors c on c.id = $1 and c.currency = t.currency
    where t.contractor_id = $1 and t.type = 'payment_received' and ${withinDays('t.date', '$4', TODAY, ZONE)} group by 1) line`

/** How many leads came in on each day, as in the report of their sources. */
const LEADS = `select coalesce(json_agg(line order by line.day), '[]')::text as report from (
    select day_in(l.received_at, ${ZONE}) as day, count(*) as amount from leads l
    where l.contractor_id = $1 and ${withinDays('l.received_at', '$4', TODAY, ZONE)} group by 1) line`

export type FiguresQuery = { contractorId: string; zone: string; today: string }

/** Returns what was open and overdue on each of the 31 days up to today, as JSON text. */
export async function openByDay(db: Database, { contractorId, zone, today }: FiguresQuery): Promise<string> {
  const report = await reportOf(db, { name: 'plumbline_figures_open', text: OPEN }, [contractorId, today, zone])
  if (report === undefined) throw new Error('a select of scalars answers one row')
  return report
}

const STATEMENTS = {
  received: { name: 'plumbline_figures_received', text: RECEIVED },
  leads: { name: 'plumbline_figures_leads', text: LEADS },
}

/** Returns the sums of days from one up to today that have any, as JSON text. */
export async function sumsByDay(
  db: Database,
  kind: keyof typeof STATEMENTS,
  { contractorId, zone, today, from }: FiguresQuery & { from: string },
): Promise<string> {
  const [row] = await db.run<{ report: string }>(STATEMENTS[kind], [contractorId, today, zone, from])
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return row.report
}
