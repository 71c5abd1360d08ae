import type { Database } from '../../client'

/** The first moment after the day. */
const BEHIND = `($2::timestamp + interval '1 day') at time zone 'UTC'`

/**
 * Amounts open now, of invoices dated up to the day. Time never changes the status `paid`, so the index on status finds everything
 * unpaid without updating any status first.
 */
const OPEN_NOW = `
  select customer_id, currency, (due_date at time zone 'UTC')::date as due, amount - paid_amount as unpaid
  from analytics_invoice_records
  where contractor_id = $1 and status in ('overdue', 'current', 'future') and amount > paid_amount
    and invoice_date < ${BEHIND}`

/**
 * Amounts open at the end of a past day: the amount open now, with later payments and refunds undone, of invoices not marked paid
 * by then. The later records are read once through their own indexes, which costs less than a lookup per invoice.
 */
const OPEN_THEN = `
  select i.customer_id, i.currency, (i.due_date at time zone 'UTC')::date as due,
    i.amount - i.paid_amount + coalesce(later.paid, 0.00) as unpaid
  from analytics_invoice_records i left join (
    select invoice_id, sum(amount) as paid from (
      select invoice_id, amount from analytics_revenue_transactions
        where contractor_id = $1 and type = 'payment_received' and invoice_id is not null and date >= ${BEHIND}
      union all
      select invoice_id, -amount from analytics_revenue_transactions
        where contractor_id = $1 and type = 'refund' and invoice_id is not null and date >= ${BEHIND}) t
    group by invoice_id) later on later.invoice_id = i.id
  where i.contractor_id = $1 and i.invoice_date < ${BEHIND} and (i.settled_at is null or i.settled_at >= ${BEHIND})
    and i.amount - i.paid_amount + coalesce(later.paid, 0.00) > 0`

/** The parts of an answer, per customer and in total. Days are whole days in UTC; an invoice is not late on its due date. */
const PARTS = {
  unpaid: 'coalesce(sum(unpaid), 0.00)',
  overdue: late('late > 0'),
  current: late('late <= 0'),
  days1to30: late('late between 1 and 30'),
  days31to60: late('late between 31 and 60'),
  days61to90: late('late between 61 and 90'),
  over90: late('late > 90'),
  invoices: 'count(*)',
  oldestDueDate: 'min(due)',
}

function late(condition: string): string {
  return `coalesce(sum(unpaid) filter (where ${condition}), 0.00)`
}

const NAMES = Object.keys(PARTS)
  .map((name) => `"${name}"`)
  .join(', ')
const SUMS = Object.entries(PARTS)
  .map(([name, sum]) => `${sum} as "${name}"`)
  .join(', ')
const ORDER = 'overdue desc, unpaid desc, "customerId"'

const text = (open: string) => `with open as (${open}),
  report as (select coalesce($3::text, currency) as currency from contractors where id = $1),
  aged as (select o.customer_id, o.due, o.unpaid, $2::date - o.due as late from open o join report r on r.currency = o.currency),
  total as (select ${SUMS} from aged),
  customer as (select customer_id as "customerId", ${SUMS} from aged group by customer_id)
  select row_to_json(answer)::text as report from (
    select $2::date as "asOf", r.currency,
      (select row_to_json(t) from total t) as total,
      (select coalesce(json_agg(c order by ${ORDER}), '[]') from (
        select k."customerId", u.name, ${NAMES} from (select * from customer order by ${ORDER} limit $4::int) k
        join users u on u.id = k."customerId" and u.contractor_id = $1) c) as customers,
      (select greatest(count(*) - $4::int, 0) from customer) as more,
      (select coalesce(json_agg(o.currency order by o.currency), '[]') from (
        select distinct currency from open) o where o.currency <> r.currency) as "otherCurrencies"
    from report r) answer`

const NOW = { name: 'plumbline_report_aging_now', text: text(OPEN_NOW) }
const THEN = { name: 'plumbline_report_aging_then', text: text(OPEN_THEN) }

export type ReceivablesAgingQuery = {
  contractorId: string
  /** An ISO day in UTC, included. */
  asOf: string
  /** Whether that day is over. If so, only what happened by its end counts; otherwise the current books count. */
  isPast: boolean
  /** Undefined means the contractor's own currency. */
  currency: string | undefined
  /** How many customers are listed one by one, most overdue first. */
  limit: number
}

/** Returns what customers owe, grouped by how late it is, as JSON text. */
export async function receivablesAging(db: Database, query: ReceivablesAgingQuery): Promise<string> {
  const { contractorId, asOf, isPast, currency = null, limit } = query
  const [row] = await db.run<{ report: string }>(isPast ? THEN : NOW, [contractorId, asOf, currency, limit])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
