import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** A customer's open balances as files state them, and what the books have: what is open less what is in credit. */
export type CustomerBalance = {
  name: string
  currency: string
  stated: string
  open: string
  credit: string
  unstated: number
}

const texts = (values: readonly string[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(values)}::jsonb))`

/**
 * Returns, of some customers, those whose stated balances are not what the books have. Files have deducted what is recorded and counts later only.
 */
export const balancesApart = (
  orm: Orm,
  contractorId: string,
  customers: readonly string[],
): Promise<CustomerBalance[]> =>
  rows<CustomerBalance>(
    orm,
    sql`with invoice as (
        select customer_id, currency, sum(stated_balance) as stated, sum(greatest(open_amount - greatest(pending_amount, 0), 0)) as open, sum(-least(open_amount, 0)) as credit,
          count(*) filter (where stated_balance is null and settled_at is null and open_amount <> 0)::int as unstated, count(stated_balance) as n
        from analytics_invoice_records where contractor_id = ${contractorId} and customer_id = any(${texts(customers)}) group by 1, 2),
      loose as (
        select customer_id, currency, sum(case when type in ('refund', 'reversal') then -amount when type = 'write_off' then 0 else amount end) as amount
        from analytics_revenue_transactions
        where contractor_id = ${contractorId} and customer_id = any(${texts(customers)}) and (invoice_id is null or mismatched) group by 1, 2)
      select u.name, i.currency, i.stated::text, i.open::text, (i.credit + coalesce(l.amount, 0))::text as credit, i.unstated
      from invoice i join users u on u.id = i.customer_id left join loose l using (customer_id, currency)
      where i.n > 0 and i.stated <> i.open - i.credit - coalesce(l.amount, 0) order by abs(i.stated - i.open + i.credit + coalesce(l.amount, 0)) desc, u.name limit 50`,
  )

/** What is open and what is in credit, in one currency. */
export type BookTotals = { receivable: string; credit: string }

/** Returns a contractor's totals of today in its currency: by the indexes of what is open, in credit and unapplied. */
export async function bookTotals(orm: Orm, contractorId: string, currency: string): Promise<BookTotals> {
  const [row] = await rows<BookTotals>(
    orm,
    sql`with on_day as (select timezone as zone, (now() at time zone timezone)::date as today from contractors where id = ${contractorId})
      select
      (select coalesce(sum(open_amount), 0.00) from analytics_invoice_records
        where contractor_id = ${contractorId} and status in ('overdue', 'current', 'future') and currency = ${currency})::text as receivable,
      ((select coalesce(-sum(open_amount), 0.00) from analytics_invoice_records where contractor_id = ${contractorId} and open_amount < 0 and currency = ${currency})
        + (select coalesce(sum(case when type in ('refund', 'reversal') then -amount when type = 'write_off' then 0 else amount end), 0.00)
          from analytics_revenue_transactions, on_day where contractor_id = ${contractorId} and currency = ${currency} and (invoice_id is null or mismatched)
            and day_in(date, zone) <= today)
        + (select coalesce(sum(case when type in ('refund', 'reversal') then -amount when type = 'write_off' then 0 else amount end), 0.00)
          from analytics_revenue_transactions, on_day where contractor_id = ${contractorId} and currency = ${currency} and waits_until is not null
            and day_in(waits_until, zone) > today and day_in(date, zone) <= today))::text as credit`,
  )
  return row ?? { receivable: '0.00', credit: '0.00' }
}
