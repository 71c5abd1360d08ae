import { type SQL, sql } from 'drizzle-orm'
import { bigint, customType, numeric, text, timestamp } from 'drizzle-orm/pg-core'

/** A UTC timestamp in milliseconds. The API shows exactly what is stored and compared. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** A whole number of 64 bits that JavaScript's numbers hold: a size, a position. */
export const number = (name: string) => bigint(name, { mode: 'number' })

/** The bytes of a file or of a part of it. */
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** An exact amount of money, two decimals. */
export const money = (name: string) => numeric(name, { precision: 14, scale: 2 })

/**
 * The columns `created_at` and `updated_at`. The trigger `touch` updates `updated_at` on every real change. In lists that can be read by
 * `updatedAfter`, the trigger `stamp` also sets it on new rows, so that no new row is older than one already shown.
 */
export const lifeTimes = () => ({
  createdAt: moment('created_at').notNull().default(sql`date_trunc('milliseconds', clock_timestamp())`),
  updatedAt: moment('updated_at').notNull().default(sql`date_trunc('milliseconds', clock_timestamp())`),
})

/** The record's id in the file it was loaded from; unique within the contractor. */
export const sourceReference = () => text('source_reference')

/** The software or the sheet whose export brought the record first; null of our own files and of records that no file brought. */
export const source = () => text('source')

/** The parts of a postal address in US exports. */
export const addressParts = () => ({
  address: text('address'),
  city: text('city'),
  state: text('state'),
  zip: text('zip'),
})

/** A contractor's words and names in one expression, so that no other condition can take an index on it. See docs/decisions/027-record-search.md. */
export const foundBy = (expression: SQL) => sql`(contractor_id || ':' || ${expression}) collate "C"`

/** The words of a record that people look for it by, each with its contractor. */
export const wordsOf = (text: SQL) => findWords(sql`id`, text)

/** The same of rows that another column identifies. */
export const findWords = (id: SQL, text: SQL) => sql`find_words(contractor_id, ${id}, ${text})`

/**
 * The contractor as the first column of a list's index. Its own collation distinguishes that index from others that begin with the
 * contractor: only this one matches a condition under "C", so the planner cannot choose a wrong index. See
 * docs/decisions/033-query-plans.md.
 */
export const walkedBy = () => sql`contractor_id collate "C"`
