import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { foundBy, lifeTimes, moment, money, source, sourceReference, walkedBy } from './columns'
import { ofContractor } from './contractors'
import { invoiceRecords } from './invoices'
import { ofProject } from './projects'
import { ofCustomer } from './users'

/** Types of transactions, as docs/accounting.md defines them; only the first is shown as a payment. */
export const TRANSACTION_TYPES = [
  'payment_received',
  'refund',
  'adjustment',
  'reversal',
  'write_off',
  'allocation',
] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

/**
 * Analytics revenue transactions. Payments have the type `payment_received`; the indexes named after payments contain only those.
 */
export const revenueTransactions = pgTable(
  'analytics_revenue_transactions',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    projectId: ofProject(),
    customerId: ofCustomer(),
    invoiceId: text('invoice_id').references(() => invoiceRecords.id),
    sourceReference: sourceReference(),
    source: source(),
    type: text('type', { enum: TRANSACTION_TYPES }).notNull(),
    amount: money('amount').notNull(),
    currency: text('currency').notNull(),
    date: moment('date').notNull(),
    method: text('method').notNull(),
    /** The method as its source wrote it. */
    methodDetail: text('method_detail'),
    reference: text('reference'),
    /** True when its invoice is in another currency, so that it settles nothing; kept by a trigger. */
    mismatched: boolean('mismatched').notNull().default(false),
    /** The date of its invoice, where that is after its own: until then it is the customer's credit; kept by a trigger. */
    waitsUntil: moment('waits_until'),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('transactions_source').on(t.contractorId, t.sourceReference),
    index('payments_walk').on(walkedBy(), t.updatedAt, t.id).where(sql`type = 'payment_received'`),
    index('payments_by_customer')
      .on(t.contractorId, t.customerId, t.updatedAt, t.id)
      .where(sql`type = 'payment_received'`),
    index('payments_by_project')
      .on(t.contractorId, t.projectId, t.updatedAt, t.id)
      .where(sql`type = 'payment_received'`),
    index('payments_by_date').on(t.contractorId, t.date, t.id).where(sql`type = 'payment_received'`),
    index('payments_by_amount').on(t.contractorId, t.amount, t.id).where(sql`type = 'payment_received'`),
    // For the list of what is no payment.
    index('corrections_by_date')
      .on(t.contractorId, t.date, t.id)
      .where(sql`type in ('refund', 'adjustment', 'reversal', 'write_off')`),
    index('refunds_by_project').on(t.contractorId, t.projectId, t.date).where(sql`type = 'refund'`),
    index('corrections_by_project')
      .on(t.contractorId, t.projectId, t.date)
      .where(sql`type in ('adjustment', 'reversal', 'write_off')`),
    index('allocations_of_payment').on(t.contractorId, t.reference).where(sql`type = 'allocation'`),
    index('allocations_by_project').on(t.contractorId, t.projectId, t.date).where(sql`type = 'allocation'`),
    index('transactions_unapplied')
      .on(t.contractorId, t.customerId, t.currency, t.type, t.date, t.amount)
      .where(sql`invoice_id is null or mismatched`),
    index('transactions_waiting').on(t.contractorId, t.waitsUntil).where(sql`waits_until is not null`),
    index('payments_find')
      .on(foundBy(sql`find_number(reference)`))
      .where(sql`type = 'payment_received' and reference is not null`),
    // For the foreign key: without it, deleting a project or customer reads the whole table.
    index('transactions_of_project').on(t.projectId),
    index('transactions_of_customer').on(t.customerId),
    index('transactions_by_invoice').on(t.invoiceId),
  ],
)
