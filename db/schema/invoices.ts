import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { foundBy, lifeTimes, moment, money, source, sourceReference, walkedBy } from './columns'
import { ofContractor } from './contractors'
import { ofProject } from './projects'
import { ofCustomer } from './users'

/**
 * Analytics invoice records. Triggers maintain `status`, `turns_at`, `open_amount` and the sums of its transactions, all in the
 * invoice's currency and as of the contractor's today. The moment at which time alone changes any of them is `turns_at`, so a reader finds
 * outdated ones with one index lookup. What each word means: docs/accounting.md.
 */
export const invoiceRecords = pgTable(
  'analytics_invoice_records',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    projectId: ofProject(),
    customerId: ofCustomer(),
    sourceReference: sourceReference(),
    source: source(),
    number: text('number').notNull(),
    amount: money('amount').notNull(),
    currency: text('currency').notNull(),
    invoiceDate: moment('invoice_date').notNull(),
    dueDate: moment('due_date').notNull(),
    /** The paid date of the contractor's software. */
    settledAt: moment('settled_at'),
    /** Payments less refunds and reversals. */
    paidAmount: money('paid_amount').notNull().default('0'),
    refundedAmount: money('refunded_amount').notNull().default('0'),
    reversedAmount: money('reversed_amount').notNull().default('0'),
    creditedAmount: money('credited_amount').notNull().default('0'),
    writtenOffAmount: money('written_off_amount').notNull().default('0'),
    /** The part that is held back until the work is accepted. */
    retainageAmount: money('retainage_amount').notNull().default('0'),
    /** The open balance that the contractor's software states, and since when it has been known here. */
    statedBalance: money('stated_balance'),
    statedAt: moment('stated_at'),
    /** False where a job was exported as billed and nothing says what was paid: it is in no receivable, and never overdue. */
    paymentKnown: boolean('payment_known').notNull().default(true),
    /** The amount still to be paid; below zero, a credit of the customer's. */
    openAmount: money('open_amount').notNull().default('0'),
    status: text('status').notNull().default('current'),
    turnsAt: moment('turns_at'),
    /** What transactions that are dated ahead, or wait for the invoice's date, will take off. */
    pendingAmount: money('pending_amount').notNull().default('0'),
    /** When the next transaction that is dated ahead, or waits for the invoice's date, begins to count. */
    pendingAt: moment('pending_at'),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('invoices_source').on(t.contractorId, t.sourceReference),
    index('invoices_walk').on(walkedBy(), t.updatedAt, t.id),
    index('invoices_by_customer').on(t.contractorId, t.customerId, t.updatedAt, t.id),
    index('invoices_by_project').on(t.contractorId, t.projectId, t.updatedAt, t.id),
    index('invoices_by_status').on(t.status, t.contractorId, t.updatedAt, t.id),
    index('invoices_by_date').on(t.contractorId, t.invoiceDate, t.id),
    index('invoices_by_due').on(t.contractorId, t.dueDate, t.id),
    index('invoices_by_amount').on(t.contractorId, t.amount, t.id),
    index('invoices_by_open').on(t.contractorId, t.openAmount, t.id),
    // For the foreign key: without it, deleting a project or customer reads the whole table.
    index('invoices_of_project').on(t.projectId),
    index('invoices_of_customer').on(t.customerId),
    index('invoices_retained').on(t.contractorId, t.projectId).where(sql`retainage_amount > 0`),
    index('invoices_by_number').on(t.contractorId, sql`number collate "C"`, t.id),
    index('invoices_find').on(foundBy(sql`find_number(number)`)),
    index('invoices_payment_not_known').on(t.contractorId, t.currency).where(sql`not payment_known`),
    index('invoices_in_credit').on(t.contractorId, t.customerId).where(sql`open_amount < 0`),
    index('invoices_settled')
      .on(t.contractorId, sql`coalesce(settled_at, stated_at)`)
      .where(sql`coalesce(settled_at, stated_at) is not null`),
    index('invoices_turning').on(t.contractorId, t.turnsAt).where(sql`turns_at is not null`),
  ],
)
