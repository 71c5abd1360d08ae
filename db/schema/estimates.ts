import { sql } from 'drizzle-orm'
import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { foundBy, lifeTimes, moment, money, source, sourceReference, walkedBy } from './columns'
import { ofContractor } from './contractors'
import { projects } from './projects'
import { ofCustomer } from './users'

/**
 * Estimates sent to customers. Triggers maintain `status` and `turns_at`. `stated_status` is the latest status from the office's
 * file. A sent estimate expires with time, as an invoice becomes overdue.
 */
export const estimates = pgTable(
  'estimates',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    customerId: ofCustomer(),
    projectId: text('project_id').references(() => projects.id),
    sourceReference: sourceReference(),
    source: source(),
    number: text('number').notNull(),
    amount: money('amount').notNull(),
    currency: text('currency').notNull(),
    estimateDate: moment('estimate_date').notNull(),
    validUntil: moment('valid_until'),
    statedStatus: text('stated_status').notNull(),
    status: text('status').notNull().default('draft'),
    turnsAt: moment('turns_at'),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('estimates_source').on(t.contractorId, t.sourceReference),
    index('estimates_walk').on(walkedBy(), t.updatedAt, t.id),
    index('estimates_by_customer').on(t.contractorId, t.customerId, t.updatedAt, t.id),
    index('estimates_by_project').on(t.contractorId, t.projectId, t.updatedAt, t.id),
    index('estimates_by_status').on(t.status, t.contractorId, t.updatedAt, t.id),
    index('estimates_by_date').on(t.contractorId, t.estimateDate, t.id),
    index('estimates_by_amount').on(t.contractorId, t.amount, t.id),
    // For the foreign key: without it, deleting a project or customer reads the whole table.
    index('estimates_of_project').on(t.projectId),
    index('estimates_of_customer').on(t.customerId),
    index('estimates_by_number').on(t.contractorId, sql`number collate "C"`, t.id),
    index('estimates_find').on(foundBy(sql`find_number(number)`)),
    index('estimates_turning').on(t.contractorId, t.turnsAt).where(sql`turns_at is not null`),
  ],
)
