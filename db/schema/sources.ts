import { sql } from 'drizzle-orm'
import { boolean, index, integer, json, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { bytes, moment, number } from './columns'
import { ofContractor } from './contractors'

/** The kinds of scheduled sources: where files, or the records of a connected program, come from by themselves. */
export const SOURCE_KINDS = ['folder', 'sftp', 'link', 'mail'] as const

/** A place that a contractor's data is fetched from by a schedule, and how it went lately. */
export const scheduledSources = pgTable(
  'scheduled_sources',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    kind: text('kind', { enum: SOURCE_KINDS }).notNull(),
    name: text('name').notNull(),
    /** The kind's settings; never a secret. */
    settings: jsonb('settings').notNull().$type<Record<string, string>>(),
    /** The credential that it signs in with, sealed (lib/core/seal.ts). */
    secret: text('secret'),
    /** The SHA-256 of the token in the URL that mails are posted to. */
    tokenHash: text('token_hash'),
    /** The interval; null where something else begins a run: a mail. */
    every: text('every', { enum: ['hour', 'day', 'week'] }),
    /** The hour in the contractor's time zone. */
    hour: integer('hour'),
    /** A day; 0 is Sunday. */
    weekday: integer('weekday'),
    dates: text('dates', { enum: ['mdy', 'dmy'] }),
    complete: boolean('complete').notNull(),
    state: text('state', { enum: ['active', 'paused'] }).notNull(),
    pausedAt: moment('paused_at'),
    pausedReason: text('paused_reason', { enum: ['person', 'failing', 'secret', 'stopped'] }),
    /** Failed runs in a row, and since when. */
    failures: integer('failures').notNull().default(0),
    failingSince: moment('failing_since'),
    lastRunAt: moment('last_run_at'),
    /** The time when a run last ended well, with something new or without. */
    lastSuccessAt: moment('last_success_at'),
    /** The time when it runs next; null where nothing is to be done. */
    nextAt: moment('next_at'),
    /** The time until which a process has it; a past one was left by one that died. */
    leaseUntil: moment('lease_until'),
    /** The items that it has already seen, so that they are not loaded again. */
    seen: jsonb('seen').notNull().default({}).$type<Record<string, string>>(),
    createdAt: moment('created_at').notNull(),
    createdBy: text('created_by').notNull(),
  },
  (t) => [
    index('scheduled_sources_contractor').on(t.contractorId, t.id),
    index('scheduled_sources_due').on(t.nextAt).where(sql`state = 'active' and next_at is not null`),
    index('scheduled_sources_token').on(t.tokenHash).where(sql`token_hash is not null`),
  ],
)

/** The runs of sources, each with what came of it. */
export const sourceRuns = pgTable(
  'source_runs',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    sourceId: text('source_id')
      .notNull()
      .references(() => scheduledSources.id, { onDelete: 'cascade' }),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at'),
    outcome: text('outcome', { enum: ['running', 'loaded', 'partial', 'unchanged', 'failed'] }).notNull(),
    files: json('files').notNull().$type<string[]>(),
    added: integer('added').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    deleted: integer('deleted').notNull().default(0),
    refused: integer('refused').notNull().default(0),
    /** The reason it failed, in words. */
    error: text('error'),
    /** The load, which may be taken back. */
    loadId: text('load_id'),
    /** The draft that holds its refused rows. */
    draftId: text('draft_id'),
  },
  (t) => [
    index('source_runs_source').on(t.sourceId, t.id),
    index('source_runs_contractor').on(t.contractorId, t.endedAt),
    index('source_runs_started').on(t.startedAt),
  ],
)

/** Mails that a source has taken, so that one that is sent again is not loaded again. */
export const sourceMails = pgTable(
  'source_mails',
  {
    contractorId: ofContractor(),
    sourceId: text('source_id')
      .notNull()
      .references(() => scheduledSources.id, { onDelete: 'cascade' }),
    /** The SHA-256 of what makes it the same mail. */
    messageHash: text('message_hash').notNull(),
    receivedAt: moment('received_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.sourceId, t.messageHash] }), index('source_mails_received').on(t.receivedAt)],
)

/** Files that are held until they are loaded: dropped by a person, or brought by a mail. */
export const loadDrafts = pgTable(
  'load_drafts',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    /** The source that holds them; null for a person. */
    sourceId: text('source_id').references(() => scheduledSources.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').notNull(),
    /** True when nobody finds it any more; its files are being deleted. */
    isDropped: boolean('is_dropped').notNull().default(false),
  },
  (t) => [
    index('load_drafts_contractor').on(t.contractorId, t.createdAt),
    index('load_drafts_created').on(t.createdAt),
  ],
)

/** The files of drafts. */
export const loadDraftFiles = pgTable(
  'load_draft_files',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    draftId: text('draft_id')
      .notNull()
      .references(() => loadDrafts.id, { onDelete: 'cascade' }),
    file: text('file').notNull(),
    /** The role; `refused` are rows that a load refused, with the reason. */
    role: text('role', { enum: ['dropped', 'refused'] }).notNull(),
    size: number('size').notNull().default(0),
    /** The state: `whole` once all of it is there; `gone` while its bytes are being deleted. */
    state: text('state', { enum: ['arriving', 'whole', 'gone'] }).notNull(),
  },
  (t) => [index('load_draft_files_draft').on(t.draftId), index('load_draft_files_contractor').on(t.contractorId)],
)

/** The bytes of held files, each piece at its offset. */
export const loadDraftParts = pgTable(
  'load_draft_parts',
  {
    contractorId: ofContractor(),
    fileId: text('file_id')
      .notNull()
      .references(() => loadDraftFiles.id, { onDelete: 'cascade' }),
    at: number('at').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.fileId, t.at] })],
)

/** The time when a contractor's records of a resource were last loaded, or last written as far as the feed has forgotten it. */
export const dataFreshness = pgTable(
  'data_freshness',
  {
    contractorId: ofContractor(),
    resource: text('resource').notNull(),
    at: moment('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contractorId, t.resource] })],
)
