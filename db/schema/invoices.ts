import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { foundBy, lifeTimes, moment, money, sourceReference, walkedBy } from './columns'
import { contractors } from './contractors'
import { projects } from './projects'
import { users } from './users'

/**
 * Analytics invoice records. Triggers maintain `status`, `turns_at`, `open_amount` and the sums of its transactions, all in the
 * invoice's currency. A status that depends on time has the time of its next change in `turns_at`, so a reader finds outdated ones with
 * one index lookup. What each word means: docs/accounting.md.
 */
export const invoiceRecords = pgTable(
  'analytics_invoice_records',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id')
      .notNull()
      .references(() => contractors.id),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    customerId: text('customer_id')
      .notNull()
      .references(() => users.id),
    sourceReference: sourceReference(),
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
    /** What the contractor's software says is open, and since when it has been known here. */
    statedBalance: money('stated_balance'),
    statedAt: moment('stated_at'),
    /** What is still to be paid; below zero, a credit of the customer's. */
    openAmount: money('open_amount').notNull().default('0'),
    status: text('status').notNull().default('current'),
    turnsAt: moment('turns_at'),
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
    // For the foreign key: without it, deleting a project or customer reads the whole table.
    index('invoices_of_project').on(t.projectId),
    index('invoices_of_customer').on(t.customerId),
    index('invoices_find').on(foundBy(sql`find_number(number)`)),
    index('invoices_in_credit').on(t.contractorId, t.customerId).where(sql`open_amount < 0`),
    index('invoices_settled')
      .on(t.contractorId, sql`coalesce(settled_at, stated_at)`)
      .where(sql`coalesce(settled_at, stated_at) is not null`),
    index('invoices_turning').on(t.contractorId, t.turnsAt).where(sql`turns_at is not null`),
  ],
)
