import { sql } from 'drizzle-orm'
import { check, index, integer, json, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, moment, number } from './columns'
import { ofContractor } from './contractors'

/** Loads of files that came over the API, each with its report. */
export const loads = pgTable(
  'loads',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    /** The key's id; null for a person. */
    keyId: text('key_id'),
    file: text('file').notNull(),
    /** The mode when the file was declared complete: `delete` when what it no longer has is deleted, otherwise `count`. */
    complete: text('complete', { enum: ['count', 'delete'] }),
    /** Bytes of the file, not compressed. */
    size: number('size').notNull(),
    state: text('state', { enum: ['running', 'done', 'partial', 'refused', 'failed', 'interrupted'] }).notNull(),
    /** Rows read so far. */
    read: integer('read').notNull().default(0),
    /** The report, stored as JSON and not in binary, which takes no NUL of a refused cell; `counts` are those of the file. */
    report: json('report'),
    counts: json('counts'),
    error: text('error'),
    createdAt: moment('created_at').notNull(),
    /** The time when the process that loads it was last alive. */
    seenAt: moment('seen_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    index('loads_contractor').on(t.contractorId, t.id),
    index('loads_created').on(t.createdAt),
    check('loads_state', sql`(state = 'running') = (ended_at is null)`),
  ],
)

/** The upload in parts that a contractor has begun; one at a time. */
export const loadUploads = pgTable('load_uploads', {
  contractorId: ofContractor().primaryKey(),
  /** The sender's own name for it. */
  upload: text('upload').notNull(),
  file: text('file').notNull(),
  encoding: text('encoding', { enum: ['identity', 'gzip'] }).notNull(),
  /** Bytes in all, and how many of them are stored. */
  size: number('size').notNull(),
  received: number('received').notNull(),
  seenAt: moment('seen_at').notNull(),
})

/** The bytes of an upload in parts, each piece at its offset. */
export const loadParts = pgTable(
  'load_parts',
  {
    contractorId: text('contractor_id')
      .notNull()
      .references(() => loadUploads.contractorId, { onDelete: 'cascade' }),
    at: number('at').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contractorId, t.at] })],
)

/**
 * A contractor's last load: what it writes is noted in `load_images`, so that it can be taken back. `step` is the part of it that is being
 * written: when the process dies, that part is taken back.
 */
export const loadJournals = pgTable(
  'load_journals',
  {
    contractorId: ofContractor().primaryKey(),
    loadId: text('load_id').notNull(),
    state: text('state', { enum: ['running', 'ended', 'taking_back', 'taken_back'] }).notNull(),
    step: text('step'),
    files: json('files').notNull().$type<string[]>(),
    /** The author of the load, as the portal shows them. */
    author: text('author'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at'),
  },
  () => [check('load_journals_state', sql`state in ('running', 'ended', 'taking_back', 'taken_back')`)],
)

/** The loads before the last one that changed something and can still be taken back, after those that came later. */
export const earlierLoads = pgTable(
  'earlier_loads',
  {
    loadId: text('load_id').primaryKey(),
    contractorId: ofContractor(),
    files: json('files').notNull().$type<string[]>(),
    author: text('author'),
    createdAt: moment('created_at').notNull(),
    endedAt: moment('ended_at').notNull(),
    /** The `n` of its last image: those up to it, and after that of the load before, are its own. */
    lastImage: number('last_image').notNull(),
  },
  (t) => [index('earlier_loads_contractor').on(t.contractorId, t.lastImage)],
)

/** The mappings by which a contractor's files of one shape are read: the field that each column fills, as a person chose it. */
export const loadMappings = pgTable(
  'load_mappings',
  {
    contractorId: ofContractor(),
    /** A hash of the columns' names (lib/load/mapping/shape.ts). */
    shape: text('shape').notNull(),
    /** The file that it was made for. */
    name: text('name').notNull(),
    mapping: jsonb('mapping').notNull().$type<{
      columns: { column: string; field: string | null }[]
      dates?: 'mdy' | 'dmy'
      answers?: Record<string, string>
    }>(),
    updatedAt: moment('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contractorId, t.shape] })],
)

/**
 * The earlier state of a load's records: `before` is null for one that it added, `after` for one that it deleted. `after` is a hash of what
 * a file fills, so that a later change by somebody else is noticed.
 */
export const loadImages = pgTable(
  'load_images',
  {
    contractorId: text('contractor_id')
      .notNull()
      .references(() => loadJournals.contractorId, { onDelete: 'cascade' }),
    n: number('n').generatedAlwaysAsIdentity(),
    step: text('step').notNull(),
    tableName: text('table_name').notNull(),
    recordId: text('record_id').notNull(),
    before: jsonb('before'),
    after: number('after'),
  },
  (t) => [primaryKey({ columns: [t.contractorId, t.n] })],
)
