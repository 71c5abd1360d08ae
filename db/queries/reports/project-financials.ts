import type { Database } from '../../client'
import { DUE_PART, SIGNED } from './open-invoices'

const TYPES = [`type = 'payment_received'`, `type = 'refund'`, `type in ('adjustment', 'reversal', 'write_off')`]
const moved = (type: string) => `coalesce(sum(amount) filter (where type = '${type}'), 0.00)`

/** Reads each kind of transaction by its own index. */
const TEXT = `with project as (
    select p.id, p.name, p.status, p.customer_id as "customerId", p.total_amount as "totalAmount", c.currency
    from projects p join contractors c on c.id = $1 where p.contractor_id = $1 and p.id = $2),
  report as (select coalesce($3::text, c.currency) as currency, c.timezone as zone, ($4::timestamptz at time zone c.timezone)::date as today
    from project p join contractors c on c.id = $1),
  invoice as (
    select i.*, day_in(i.invoice_date, r.zone) as day, day_in(i.due_date, r.zone) as due,
      invoice_status_on(i.open_amount, i.retainage_amount, i.invoice_date, i.due_date, r.zone, $4::timestamptz) as status_now
    from analytics_invoice_records i cross join report r where i.contractor_id = $1 and i.project_id = $2),
  line as (
    select i.id, i.number, i.day as date, i.due as "dueDate", i.status_now as status, i.amount, i.paid_amount as paid,
      i.credited_amount as credited, i.written_off_amount as "writtenOff", ${DUE_PART('i.open_amount', 'i.retainage_amount')} as unpaid,
      least(greatest(i.open_amount, 0), i.retainage_amount) as retainage,
      case i.status_now when 'overdue' then r.today - i.due else 0 end as "daysPastDue"
    from invoice i join report r on r.currency = i.currency),
  movement as (${TYPES.map(
    (type) => `
    select type, amount, currency, invoice_id is null or mismatched as loose from analytics_revenue_transactions
      where contractor_id = $1 and project_id = $2 and ${type}`,
  ).join(' union all ')}),
  billed as (
    select coalesce(sum(amount), 0.00) as invoiced, coalesce(sum(unpaid) filter (where status <> 'future'), 0.00) as unpaid,
      coalesce(sum(unpaid) filter (where status = 'overdue'), 0.00) as overdue,
      coalesce(sum(unpaid) filter (where status = 'current'), 0.00) as not_yet_due,
      coalesce(sum(unpaid + retainage) filter (where status = 'future'), 0.00) as future,
      coalesce(sum(retainage) filter (where status <> 'future'), 0.00) as retainage,
      min("dueDate") filter (where status in ('current', 'future') and unpaid > 0) as next_due, count(*) as n,
      count(*) filter (where status = 'paid') as n_paid, count(*) filter (where status = 'overdue') as n_overdue,
      count(*) filter (where status = 'current') as n_current, count(*) filter (where status = 'future') as n_future
    from line),
  moved as (
    select ${moved('payment_received')} as paid, ${moved('refund')} as refunded, ${moved('reversal')} as reversed,
      ${moved('adjustment')} as credited, ${moved('write_off')} as written_off,
      coalesce(sum(${SIGNED}) filter (where loose), 0.00) as loose,
      coalesce(sum(amount) filter (where loose and type = 'write_off'), 0.00) as given_up,
      (select coalesce(-sum(i.open_amount), 0.00) from invoice i join report r on r.currency = i.currency where i.open_amount < 0) as in_credit,
      count(*) filter (where type = 'payment_received') as n_payments, count(*) filter (where type = 'refund') as n_refunds
    from movement m join report r on r.currency = m.currency)
  select row_to_json(answer)::text as report from (
    select (select row_to_json(p) from project p) as project, r.currency, b.invoiced, m.paid, m.refunded, m.reversed, m.credited,
      m.written_off as "writtenOff", b.unpaid + b.retainage + b.future - m.loose - m.in_credit - m.given_up as balance, b.unpaid, b.overdue,
      b.not_yet_due as "notYetDue", b.future, b.retainage, m.loose + m.in_credit as unapplied, m.loose as "withoutInvoice",
      b.next_due as "nextDueDate",
      'Open on ' || r.today || ', by days of ' || r.zone || ': unpaid = overdue + notYetDue. Invoices dated ahead are in future only. Held-back '
        'retainage and unapplied money are apart. balance = unpaid + retainage + future - unapplied, less what was written off without an invoice.' as basis,
      (select row_to_json(c) from (select b.n as invoices, b.n_paid as paid, b.n_overdue as overdue, b.n_current as current,
        b.n_future as future, m.n_payments as payments, m.n_refunds as refunds) c) as counts,
      (select coalesce(json_agg(l order by l."dueDate", l.id), '[]')
        from (select * from line order by "dueDate", id limit $5::int) l) as invoices,
      greatest(b.n - $5::int, 0) as more,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select currency from invoice union select currency from movement) o
        where o.currency <> r.currency) as "otherCurrencies"
    from report r cross join billed b cross join moved m) answer`

const STATEMENT = { name: 'plumbline_report_project_financials', text: TEXT }

export type ProjectFinancialsQuery = {
  contractorId: string
  projectId: string
  /** Undefined means the contractor's own currency. */
  currency: string | undefined
  now: Date
  /** How many invoices are listed one by one, earliest due date first. */
  lines: number
}

/** Returns a project's finances as JSON text, or undefined. Another contractor's project counts as missing. */
export async function projectFinancials(db: Database, query: ProjectFinancialsQuery): Promise<string | undefined> {
  const { contractorId, projectId, currency = null, now, lines } = query
  const [row] = await db.run<{ report: string }>(STATEMENT, [
    contractorId,
    projectId,
    currency,
    now.toISOString(),
    lines,
  ])
  return row?.report
}
