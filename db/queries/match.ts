import { sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'

/** A payment that names no invoice: its customer's reference, its amount and moment, and its own reference. */
export type Unmatched = { customer: string; amount: string; date: string; reference: string }

/** An invoice that a payment may be for: the payment's reference, and the invoice's. */
export type Candidate = { payment: string; invoice: string }

/**
 * Returns the invoices that payments may be for: of the same customer, for exactly the amount, dated on the payment's day or before, not paid
 * by another payment, and not still open by what a file said after the payment.
 */
export const candidates = (orm: Orm, contractorId: string, payments: Unmatched[]): Promise<Candidate[]> =>
  rows<Candidate>(
    orm,
    sql`select p.reference as payment, i.source_reference as invoice
      from jsonb_to_recordset(${JSON.stringify(payments)}::jsonb) as p(customer text, amount numeric, date timestamptz, reference text)
      cross join lateral (
        select coalesce(joined_to, id) as id from users where contractor_id = ${contractorId} and source_reference = p.customer limit 1) u
      cross join lateral (
        select id, source_reference from analytics_invoice_records
        where contractor_id = ${contractorId} and customer_id = u.id and amount = p.amount
          and invoice_date < p.date + interval '1 day' and source_reference is not null
          and (coalesce(stated_balance, 0) = 0 or stated_at < p.date) limit 20) i
      -- Not "not exists": Postgres would make a hash of the payments of all contractors for each batch.
      where (
        select t.id from analytics_revenue_transactions t
        where t.invoice_id = i.id and t.type = 'payment_received' and t.source_reference is distinct from p.reference limit 1) is null
      order by 1, 2`,
  )
