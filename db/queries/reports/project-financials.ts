import type { Database } from '../../client'

/** Reads refunds separately from payments, because each kind has its own index. Adjustments are neither. */
const TEXT = `with project as (
    select p.id, p.name, p.status, p.customer_id as "customerId", p.total_amount as "totalAmount", c.currency
    from projects p join contractors c on c.id = $1 where p.contractor_id = $1 and p.id = $2),
  report as (select coalesce($3::text, currency) as currency from project),
  invoice as (
    select id, number, amount, currency, paid_amount,
      (invoice_date at time zone 'UTC')::date as date, (due_date at time zone 'UTC')::date as due,
      invoice_status_at(settled_at is not null or paid_amount >= amount, invoice_date, due_date, $4::timestamptz) as status
    from analytics_invoice_records where contractor_id = $1 and project_id = $2),
  line as (
    select i.id, i.number, i.date, i.due as "dueDate", i.status, i.amount, i.paid_amount as paid,
      case i.status when 'paid' then 0.00 else i.amount - i.paid_amount end as unpaid,
      case i.status when 'overdue' then ($4::timestamptz at time zone 'UTC')::date - i.due else 0 end as "daysPastDue"
    from invoice i join report r on r.currency = i.currency),
  movement as (
    select type, amount, currency, invoice_id from analytics_revenue_transactions
      where contractor_id = $1 and project_id = $2 and type = 'payment_received'
    union all
    select type, amount, currency, invoice_id from analytics_revenue_transactions
      where contractor_id = $1 and project_id = $2 and type = 'refund'),
  billed as (
    select coalesce(sum(amount), 0.00) as invoiced, coalesce(sum(unpaid), 0.00) as unpaid,
      coalesce(sum(unpaid) filter (where status = 'overdue'), 0.00) as overdue,
      min("dueDate") filter (where status in ('current', 'future')) as next_due, count(*) as n,
      count(*) filter (where status = 'paid') as n_paid, count(*) filter (where status = 'overdue') as n_overdue,
      count(*) filter (where status = 'current') as n_current, count(*) filter (where status = 'future') as n_future
    from line),
  moved as (
    select coalesce(sum(amount) filter (where type = 'payment_received'), 0.00) as paid,
      coalesce(sum(amount) filter (where type = 'refund'), 0.00) as refunded,
      coalesce(sum(case type when 'refund' then -amount else amount end) filter (where invoice_id is null), 0.00) as loose,
      count(*) filter (where type = 'payment_received') as n_payments, count(*) filter (where type = 'refund') as n_refunds
    from movement m join report r on r.currency = m.currency)
  select row_to_json(answer)::text as report from (
    select (select row_to_json(p) from project p) as project, r.currency, b.invoiced, m.paid, m.refunded,
      b.invoiced - m.paid + m.refunded as balance, b.unpaid, b.overdue, m.loose as "withoutInvoice",
      b.next_due as "nextDueDate",
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
