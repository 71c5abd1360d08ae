import { sql } from 'drizzle-orm'
import { numeric, text, timestamp } from 'drizzle-orm/pg-core'

/** A moment, UTC, to the millisecond: what the API shows is exactly what is stored and compared. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** An exact amount of money, two decimals. */
export const money = (name: string) => numeric(name, { precision: 14, scale: 2 })

/**
 * `created_at` and `updated_at`; the second is bumped by the trigger `touch` on every real change. In the lists that are read by
 * `updatedAfter` the trigger `stamp` gives it to new rows too: there no row is older than one that was shown before.
 */
export const lifeTimes = () => ({
  createdAt: moment('created_at').notNull().default(sql`date_trunc('milliseconds', clock_timestamp())`),
  updatedAt: moment('updated_at').notNull().default(sql`date_trunc('milliseconds', clock_timestamp())`),
})

/** The record's name in the file it was loaded from; unique within the contractor. */
export const sourceReference = () => text('source_reference')

/** A postal address in the parts a US export has. */
export const addressParts = () => ({
  address: text('address'),
  city: text('city'),
  state: text('state'),
  zip: text('zip'),
})

/**
 * The contractor as the index of a walk leads with it. A collation of its own keeps that index apart from the others that lead with the
 * contractor: a condition under "C" fits it alone, so the planner has no choice to get wrong. See docs/decisions/029-stable-plans.md.
 */
export const walkedBy = () => sql`contractor_id collate "C"`
