import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { moment, number } from './columns'
import { ofContractor } from './contractors'

/**
 * The statuses that projects and estimates had before, each with the moment at which it was replaced here: files tell what a status is, and
 * never when it became that. A trigger writes them; they are kept as long as the feed.
 */
export const statusChanges = pgTable(
  'status_changes',
  {
    id: number('id').primaryKey().generatedAlwaysAsIdentity(),
    contractorId: ofContractor(),
    resource: text('resource').notNull(),
    recordId: text('record_id').notNull(),
    was: text('was').notNull(),
    became: text('became').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [
    index('status_changes_recent').on(t.contractorId, t.at, t.id),
    // For retention.
    index('status_changes_at').on(t.at),
  ],
)
