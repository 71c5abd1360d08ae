import type { Database } from '../../client'
import { DUE_PART, EACH_TYPE, reportOf, SIGNED, STALE, statedOn } from './open-invoices'

const moved = (type: string) => `coalesce(sum(amount) filter (where type = '${type}' and dated), 0.00)`

const SUMS = 'i.amount, i.paid, i.refunded, i.reversed, i.credited, i.written_off'

/**
 * Reads each kind of transaction by its own index. The sums of an invoice are the stored ones, which are the database's today's, or those of the
 * day that is asked for.
 */
const TEXT = `with project as (
    select p.id, p.name, p.status, p.customer_id as "customerId",
      case when $6::boolean then (select u.name from users u where u.id = p.customer_id and u.contractor_id || '' = $1) end as "customerName", p.total_amount as "totalAmount", c.currency
    from projects p join contractors c on c.id = $1 where p.contractor_id = $1 and p.id = $2),
  report as (select coalesce($3::text, c.currency) as currency, c.timezone as zone, ($4::timestamptz at time zone c.timezone)::date as today,
      (now() at time zone c.timezone)::date as stored
    from project p join contractors c on c.id = $1),
  movement as (
    select t.*, invoice_id is null or mismatched as loose, day <= r.today as dated, waits > r.today as early
    from (${EACH_TYPE.map(
      (type) => `
    select type, amount, m.currency, invoice_id, mismatched, day_in(date, zone) as day, coalesce(day_in(waits_until, zone), '-infinity') as waits
      from analytics_revenue_transactions m cross join report where contractor_id = $1 and project_id = $2 and ${type}`,
    ).join(' union all ')}) t cross join report r),
  summed as materialized (
    select i.*, day_in(i.invoice_date, r.zone) as day, day_in(i.due_date, r.zone) as due, day_in(i.invoice_date, r.zone) > r.today as ahead,
      s.paid, s.credited, s.written_off, s.refunded, s.reversed, s.pending, ${statedOn({ day: 'r.today', zone: 'r.zone', today: 'r.today' })} as stated
    from analytics_invoice_records i cross join report r cross join lateral (
      select i.paid_amount as paid, i.credited_amount as credited, i.written_off_amount as written_off, i.refunded_amount as refunded,
        i.reversed_amount as reversed, i.pending_amount as pending where r.today = r.stored
      union all select paid, credited, written_off, refunded, reversed, pending from invoice_sums_on(i.id, i.currency, r.zone, r.today)
        where r.today <> r.stored) s
    where i.contractor_id = $1 and i.project_id = $2),
  opened as materialized (
    select i.*, case when i.payment_known then invoice_open_on(${SUMS}, i.stated, i.pending) else 0.00 end as open,
      case when i.payment_known then invoice_open_on(${SUMS}, null, 0) else 0.00 end as open_by_records
    from summed i),
  invoice as (
    select i.*, case when i.payment_known then invoice_status_on(i.open, i.retainage_amount, i.invoice_date, i.due_date, r.zone, $4::timestamptz)
      else 'current' end as status_now
    from opened i cross join report r),
  line as (
    select i.id, i.number, i.day as date, i.due as "dueDate", i.status_now as status, i.amount, i.paid, i.credited, i.written_off as "writtenOff",
      case when i.ahead then 0.00 else ${DUE_PART('i.open', 'i.retainage_amount')} end as unpaid,
      case when i.ahead then greatest(i.open, 0) else 0.00 end as future, case when i.ahead then 0.00 else least(greatest(i.open, 0), i.retainage_amount) end as retainage,
      case i.status_now when 'overdue' then r.today - i.due else 0 end as "daysPastDue", i.ahead, i.open, i.open_by_records - i.open as unrecorded,
      i.payment_known
    from invoice i join report r on r.currency = i.currency),
  billed as (
    select coalesce(sum(amount), 0.00) as invoiced, coalesce(sum(unpaid), 0.00) as unpaid,
      coalesce(sum(unpaid) filter (where status = 'overdue'), 0.00) as overdue,
      coalesce(sum(unpaid) filter (where status = 'current'), 0.00) as not_yet_due,
      coalesce(sum(future), 0.00) as future, coalesce(sum(retainage), 0.00) as retainage,
      coalesce(sum(unrecorded), 0.00) as unrecorded, coalesce(-sum(open) filter (where not ahead and open < 0), 0.00) as in_credit,
      coalesce(sum(amount) filter (where not payment_known), 0.00) as not_known,
      min("dueDate") filter (where status in ('current', 'future') and unpaid + future > 0) as next_due, count(*) as n,
      count(*) filter (where status = 'paid') as n_paid, count(*) filter (where status = 'overdue') as n_overdue,
      count(*) filter (where status = 'current') as n_current, count(*) filter (where status = 'future') as n_future
    from line),
  moved as (
    select ${moved('payment_received')} + ${moved('allocation')} as paid, ${moved('refund')} as refunded, ${moved('reversal')} as reversed,
      ${moved('adjustment')} as credited, ${moved('write_off')} as written_off,
      coalesce(sum(${SIGNED}) filter (where loose and dated), 0.00) as loose, coalesce(sum(${SIGNED}) filter (where early and dated), 0.00) as early,
      coalesce(sum(amount) filter (where loose and dated and type = 'write_off'), 0.00) as given_up,
      coalesce(sum(amount) filter (where not dated and type in ('payment_received', 'allocation')), 0.00) as paid_ahead,
      count(*) filter (where type = 'payment_received' and dated) as n_payments, count(*) filter (where type = 'refund' and dated) as n_refunds
    from movement m join report r on r.currency = m.currency)
  select ${STALE} as stale, row_to_json(answer)::text as report from (
    select (select row_to_json(p) from project p) as project, r.currency, b.invoiced, m.paid, m.refunded, m.reversed, m.credited,
      m.written_off as "writtenOff", b.unpaid + b.retainage + b.future - m.loose - m.early - b.in_credit - m.given_up as balance, b.unpaid, b.overdue,
      b.not_yet_due as "notYetDue", b.future, b.retainage, m.loose + m.early + b.in_credit as unapplied, m.loose as "withoutInvoice",
      m.paid_ahead as "paidAhead", b.unrecorded as "paidWithoutRecord",
      b.next_due as "nextDueDate",
      'Open on ' || r.today || ', by days of ' || r.zone || ': unpaid = overdue + notYetDue. Invoices dated ahead are in future only. Held-back '
        'retainage and unapplied money are apart, and paidAhead, which is dated after today. paidWithoutRecord is what files say was paid and no payment '
        'shows. balance = unpaid + retainage + future - unapplied, less what was written off without an invoice.' as basis,
      (select row_to_json(c) from (select b.n as invoices, b.n_paid as paid, b.n_overdue as overdue, b.n_current as current,
        b.n_future as future, m.n_payments as payments, m.n_refunds as refunds) c) as counts,
      (select coalesce(json_agg(l order by l."dueDate", l.id), '[]')
        from (select id, number, date, "dueDate", status, amount, paid, credited, "writtenOff", unpaid, future, retainage, "daysPastDue"
          from line order by "dueDate", id limit $5::int) l) as invoices,
      greatest(b.n - $5::int, 0) as more,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select currency from invoice union select currency from movement) o
        where o.currency <> r.currency) as "otherCurrencies"
    from report r cross join billed b cross join moved m) answer`

const STATEMENT = { name: 'plumbline_report_project_financials', text: TEXT, long: true }

export type ProjectFinancialsQuery = {
  contractorId: string
  projectId: string
  /** The currency; undefined means the contractor's own. */
  currency: string | undefined
  now: Date
  /** The number of invoices that are listed one by one, earliest due date first. */
  lines: number
  mayReadCustomers: boolean
}

/** Returns a project's finances as JSON text, or undefined. Another contractor's project counts as missing. */
export async function projectFinancials(db: Database, query: ProjectFinancialsQuery): Promise<string | undefined> {
  const { contractorId, projectId, currency = null, now, lines, mayReadCustomers } = query
  return await reportOf(db, STATEMENT, [contractorId, projectId, currency, now.toISOString(), lines, mayReadCustomers])
}
