import { pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * The latest time at which the service is known to have run, in one row, `service`. Clients may have seen this time in lists, so no
 * later change gets an earlier one, even after the clock was set back.
 */
export const clock = pgTable('clock', { name: text('name').primaryKey(), seenAt: moment('seen_at').notNull() })
