import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * The last run of each kind of background work (lib/jobs/table.ts), whichever process or function did it, for the status page and the
 * metrics. Written at most once a minute by each process, and at once when the outcome changes.
 */
export const jobRuns = pgTable('job_runs', {
  job: text('job').primaryKey(),
  /** The end of the last run, and how long it took. */
  ranAt: moment('ran_at').notNull(),
  tookMs: integer('took_ms').notNull(),
  succeeded: boolean('succeeded').notNull(),
  /** The end of the last run that succeeded. */
  succeededAt: moment('succeeded_at'),
  /** What the run left for the next one when its time was up, by name. */
  unfinished: text('unfinished').array().notNull(),
})
