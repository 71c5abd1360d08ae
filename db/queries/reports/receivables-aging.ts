import type { Database } from '../../client'

/** The first moment behind the day. */
const BEHIND = `($2::timestamp + interval '1 day') at time zone 'UTC'`

/**
 * What is open as the books stand, of invoices dated up to the day. `paid` never turns with the clock, so all that is not paid
 * is found by the index on status without bringing any status to date.
 */
const OPEN_NOW = `
  select customer_id, currency, (due_date at time zone 'UTC')::date as due, amount - paid_amount as unpaid
  from analytics_invoice_records
  where contractor_id = $1 and status in ('overdue', 'current', 'future') and amount > paid_amount
    and invoice_date < ${BEHIND}`

/**
 * What was open when a day in the past was over: what has been paid less what came or went after that day, and not marked paid
 * by then. The later records are read by their own indexes, once, which costs less than looking up those of each invoice.
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

/** The parts of an answer, for a customer and in total. Days are whole and UTC; the due day itself is not late. */
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
  /** An ISO day, UTC; counted whole. */
  asOf: string
  /** Whether that day is over: then only what had happened by its end counts, otherwise the books as they stand. */
  isPast: boolean
  /** The contractor's own when undefined. */
  currency: string | undefined
  /** Customers told one by one, those with the most overdue first. */
  limit: number
}

/** What customers owe by how late it is, as JSON text. */
export async function receivablesAging(db: Database, query: ReceivablesAgingQuery): Promise<string> {
  const { contractorId, asOf, isPast, currency = null, limit } = query
  const [row] = await db.run<{ report: string }>(isPast ? THEN : NOW, [contractorId, asOf, currency, limit])
  if (!row) throw new Error('a contractor that has a key is there')
  return row.report
}
