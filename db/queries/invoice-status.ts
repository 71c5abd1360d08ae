import type { Database } from '../client'

const TURN = {
  name: 'plumbline_turn_invoices',
  text: 'update analytics_invoice_records set status = status where contractor_id = $1 and turns_at <= now()',
}

/**
 * Brings to date the invoices of a contractor whose status the clock has overtaken. The triggers set the new status and
 * `updated_at`, so delta sync sees the turn at the first read behind it.
 */
export async function turnInvoices(db: Database, contractorId: string): Promise<void> {
  await db.run(TURN, [contractorId])
}
