import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * The work that a later process takes up again when this one ends in the middle of it, such as the run of a source. A row is written before
 * the work begins and deleted when it ends, well or not, so that a row found open was ended with its process.
 */
export const workInHand = pgTable(
  'work_in_hand',
  {
    kind: text('kind').notNull(),
    /** The id of what it is done for: a source, a contractor, a message. */
    subject: text('subject').notNull(),
    /** The number of times in a row that it has begun without an end. */
    times: integer('times').notNull(),
    /** False once it was found open: the next time it begins alone. */
    isOpen: boolean('is_open').notNull(),
    /** The time until which the process that began it may be at it; null where a lease of its own says so. */
    until: moment('until'),
    begunAt: moment('begun_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.subject] })],
)
