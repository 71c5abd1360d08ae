import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * The service's checks of itself, counted by hour and part, for the status page. They are of the service as a whole and of no contractor;
 * retention keeps 90 days.
 */
export const serviceChecks = pgTable(
  'service_checks',
  {
    /** The beginning of the hour, UTC. */
    hour: moment('hour').notNull(),
    /** The part that was checked: `service`, `database`, `limits`, `disk`. */
    part: text('part').notNull(),
    checks: integer('checks').notNull(),
    /** The checks that found a fault. */
    faults: integer('faults').notNull(),
  },
  (t) => [primaryKey({ name: 'service_checks_pk', columns: [t.hour, t.part] })],
)
