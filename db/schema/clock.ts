import { pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * The latest moment at which the service is known to have run; one row, `service`. Readers of lists may have been told it, so nothing
 * that changes later gets an earlier one, also when the clock was set back since.
 */
export const clock = pgTable('clock', { name: text('name').primaryKey(), seenAt: moment('seen_at').notNull() })
