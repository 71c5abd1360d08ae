import type { Database } from '../../client'
import { untilDay } from '../days'
import { AHEAD_ON, DUE_PART, LOOSE_ON, type OnDay, reportOf, STALE } from './open-invoices'

const ON: OnDay = { day: '$3', zone: '$4::text', today: '$3::date' }
const MINE = 'and customer_id = $2'

/** What a customer owes today by currency, as the report of receivables counts it, and what they ever were billed and paid. */
const TEXT = `with open as (
    select currency, day_in(due_date, ${ON.zone}) as due, open_amount as open, ${DUE_PART('open_amount', 'retainage_amount')} as unpaid
    from analytics_invoice_records where contractor_id = $1 ${MINE} and open_amount <> 0 and ${untilDay('invoice_date', ON.day, ON.zone)}),
  line as (
    select currency, amount as billed, 0 as received, 0 as refunded, 0 as reversed, 0 as unpaid, 0 as overdue, 0 as future, 0 as unapplied from analytics_invoice_records
      where contractor_id = $1 ${MINE}
    union all select currency, 0, case type when 'payment_received' then amount else 0 end, case type when 'refund' then amount else 0 end,
        case type when 'reversal' then amount else 0 end, 0, 0, 0, 0 from analytics_revenue_transactions
      where contractor_id = $1 ${MINE} and type in ('payment_received', 'refund', 'reversal') and ${untilDay('date', ON.day, ON.zone)}
    union all select currency, 0, 0, 0, 0, unpaid, case when due < ${ON.today} then unpaid else 0 end, 0, 0 from open where open > 0
    union all select currency, 0, 0, 0, 0, 0, 0, open, 0 from (${AHEAD_ON(ON, MINE)}) ahead
    union all select currency, 0, 0, 0, 0, 0, 0, 0, -open from open where open < 0
    union all select currency, 0, 0, 0, 0, 0, 0, 0, amount from (${LOOSE_ON(ON, MINE)}) loose)
  select ${STALE} as stale, (select coalesce(json_agg(b order by b.currency), '[]') from (
      select currency, sum(billed) as billed, sum(received) as received, sum(refunded) as refunded, sum(reversed) as reversed,
        sum(unpaid) as unpaid, sum(overdue) as overdue, sum(future) as future,
        sum(unapplied) as unapplied from line group by currency) b)::text as report`

const STATEMENT = { name: 'plumbline_report_customer_balance', text: TEXT, long: true }

export type CustomerBalanceQuery = { contractorId: string; customerId: string; zone: string; today: string }

/** Returns what a customer owes, was billed and paid, by currency, as JSON text. */
export async function customerBalance(db: Database, query: CustomerBalanceQuery): Promise<string> {
  const { contractorId, customerId, zone, today } = query
  const report = await reportOf(db, STATEMENT, [contractorId, customerId, today, zone])
  if (report === undefined) throw new Error('a select of scalars answers one row')
  return report
}
