import { and, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '../client'
import { invoiceRecords } from '../schema'

/**
 * Brings to date the invoices of a contractor whose status the clock has overtaken. The triggers set the new status and
 * `updated_at`, so delta sync sees the turn at the first read behind it.
 */
export async function turnInvoices(db: Database, contractorId: string): Promise<void> {
  await db.orm
    .update(invoiceRecords)
    .set({ status: invoiceRecords.status })
    .where(and(eq(invoiceRecords.contractorId, contractorId), lte(invoiceRecords.turnsAt, sql`now()`)))
}
