import { sql } from 'drizzle-orm'
import { date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { addressParts, lifeTimes, money, source, sourceReference, walkedBy, wordsOf } from './columns'
import { ofContractor } from './contractors'
import { ofCustomer } from './users'

/** A job for a homeowner, from lead to completion. A check constraint limits `status` to its values. */
export const projects = pgTable(
  'projects',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    customerId: ofCustomer(),
    sourceReference: sourceReference(),
    source: source(),
    /** The number assigned to leads in order, see `job_counters`; a loaded project has none. */
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
    index('projects_by_amount').on(t.contractorId, t.totalAmount, t.id),
    index('projects_by_start').on(t.contractorId, t.startDate, t.id).where(sql`start_date is not null`),
    index('projects_by_end').on(t.contractorId, t.endDate, t.id).where(sql`end_date is not null`),
    // For open leads, those of files too.
    index('projects_open').on(t.contractorId, t.createdAt, t.id).where(sql`status in ('lead', 'estimate')`),
    index('projects_owner').on(t.customerId),
    index('projects_find').using('gin', wordsOf(sql`name || ' ' || coalesce(address, '')`)).with({ fastupdate: false }),
  ],
)

/** The project that a record belongs to. */
export const ofProject = () =>
  text('project_id')
    .notNull()
    .references(() => projects.id)
