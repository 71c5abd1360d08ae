import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { addressParts, lifeTimes, money, sourceReference, walkedBy } from './columns'
import { contractors } from './contractors'
import { users } from './users'

/** A job for a home-owner, from lead to completion. `status` is held to its values by a check constraint. */
export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id')
      .notNull()
      .references(() => contractors.id),
    customerId: text('customer_id')
      .notNull()
      .references(() => users.id),
    sourceReference: sourceReference(),
    /** Counted up by leads, see `job_counters`; a project that was loaded has none. */
    jobNumber: integer('job_number'),
    name: text('name').notNull(),
    status: text('status').notNull(),
    totalAmount: money('total_amount').notNull().default('0'),
    ...addressParts(),
    description: text('description'),
    startDate: date('start_date', { mode: 'string' }),
    endDate: date('end_date', { mode: 'string' }),
    ...lifeTimes(),
  },
  (t) => [
    uniqueIndex('projects_source').on(t.contractorId, t.sourceReference),
    uniqueIndex('projects_job_number').on(t.contractorId, t.jobNumber).where(sql`job_number is not null`),
    index('projects_walk').on(walkedBy(), t.updatedAt, t.id),
    index('projects_by_customer').on(t.contractorId, t.customerId, t.updatedAt, t.id),
    index('projects_by_status').on(t.status, t.contractorId, t.updatedAt, t.id),
    index('projects_owner').on(t.customerId),
  ],
)
