import { sql } from 'drizzle-orm'
import { bigint, boolean, index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { moment, number } from './columns'

/** A signed 64-bit sum; JavaScript's numbers would round it. */
const sum = (name: string) => bigint(name, { mode: 'bigint' })
/** Microseconds, so that two numberings never share a moment. */
const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

/** The columns that tell which record's rows a change concerns, and what the change was. Both tables below have these. */
const changed = () => ({
  resource: text('resource').notNull(),
  recordId: text('record_id').notNull(),
  change: text('change', { enum: ['created', 'updated', 'deleted', 'turned'] }).notNull(),
  /** The record's `updated_at` after the change; null when it is gone. */
  version: moment('version'),
})

/**
 * Changes that have no place in the feed yet. Triggers add them in the transaction of the change, so a writer never waits for another;
 * `number_changes` moves them on after they are committed.
 */
export const changeQueue = pgTable(
  'change_queue',
  {
    contractorId: text('contractor_id').notNull(),
    id: number('id').notNull().generatedAlwaysAsIdentity(),
    ...changed(),
    /** The record's `updated_at` before the change; null when the record was not there. */
    was: moment('was'),
    /** True when the count of existing records already includes this change. */
    counted: boolean('counted').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.contractorId, t.id] }),
    // Whether a record that is not there was deleted just now.
    index('change_queue_deleted').on(t.recordId).where(sql`change = 'deleted'`),
  ],
)

/** The feed. A position is given after the commit, without gaps; `*_before` are the resource's totals just before the change. */
export const changes = pgTable(
  'changes',
  {
    contractorId: text('contractor_id').notNull(),
    position: number('position').notNull(),
    ...changed(),
    /** The time when the position was given. */
    numberedAt: instant('numbered_at').notNull(),
    /** The count before; null while the records of before the feed were not all counted. */
    countBefore: number('count_before'),
    sumBefore: sum('sum_before'),
  },
  (t) => [
    primaryKey({ columns: [t.contractorId, t.resource, t.position] }),
    index('changes_numbered').on(t.numberedAt),
    // Whether a record that is not there was deleted, and when.
    index('changes_deleted').on(t.recordId, t.position).where(sql`change = 'deleted'`),
  ],
)

/** The end of a contractor's feed, and up to which position retention has deleted it. */
export const changeHeads = pgTable('change_heads', {
  contractorId: text('contractor_id').primaryKey(),
  position: number('position').notNull().default(0),
  numberedAt: instant('numbered_at').notNull().default('1970-01-01 00:00:00+00'),
  forgottenTo: number('forgotten_to').notNull().default(0),
})

/** The number of records of a resource at the end of the feed, and their checksum. */
export const changeTotals = pgTable(
  'change_totals',
  {
    contractorId: text('contractor_id').notNull(),
    resource: text('resource').notNull(),
    count: number('count').notNull(),
    checksum: sum('checksum').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contractorId, t.resource] })],
)

/**
 * The progress in counting the records from before the feed, in order of their ids, over all contractors. If a resource has no row, all of
 * its records are counted.
 */
export const changeBase = pgTable('change_base', {
  resource: text('resource').primaryKey(),
  reached: text('reached').notNull().default(''),
})

/**
 * The latest time at which the service is known to have run, in one row, `service`. Clients may have seen this time in lists, so no
 * later change gets an earlier one, even after the clock was set back.
 */
export const clock = pgTable('clock', { name: text('name').primaryKey(), seenAt: moment('seen_at').notNull() })
