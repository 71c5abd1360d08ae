import type { Database } from '../client'
import { statementOf } from './list'

/** Whose transactions are read: those of an invoice, or what a payment was allocated to. */
const OF = {
  invoice: `t.invoice_id = $2 and t.contractor_id || '' = $1`,
  payment: `t.contractor_id = $1 and t.type = 'allocation' and t.reference = $2`,
} as const

/** The days are those of the contractor's zone, which is `c`. */
const text = (
  of: keyof typeof OF,
) => `select coalesce(json_agg(json_strip_nulls(row_to_json(x)) order by x.date, x.id), '[]')::text as items from (
    select t.id, t.type, day_in(t.date, c.timezone) as date, t.amount, t.currency, t.method, t.method_detail as "methodDetail",
      case when t.type <> 'allocation' then t.reference end as reference, case when t.type = 'allocation' then t.reference end as "paymentId",
      t.invoice_id as "invoiceId", i.number as "invoiceNumber", t.mismatched as "otherCurrency",
      day_in(greatest(t.date, t.waits_until), c.timezone) > $3::date as ahead
    from analytics_revenue_transactions t join contractors c on c.id = $1 left join analytics_invoice_records i on i.id = t.invoice_id
    where ${OF[of]} order by t.date, t.id limit $4::int) x`

/** Returns what was paid, credited and given back on an invoice, or what became of a payment, the first first, as JSON text. */
export async function transactionsOf(
  db: Database,
  of: keyof typeof OF,
  { contractorId, id, today, limit }: { contractorId: string; id: string; today: string; limit: number },
): Promise<string> {
  const [row] = await db.run<{ items: string }>(
    statementOf(`transactions_of | ${of}`, () => text(of)),
    [contractorId, id, today, limit],
  )
  if (!row) throw new Error('an aggregate without grouping answers one row')
  return row.items
}
