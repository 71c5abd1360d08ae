import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { contractors } from './contractors'
import { projects } from './projects'

/** The last job number given to a lead of a contractor. A row, not a sequence: a lead that is undone leaves no gap. */
export const jobCounters = pgTable('job_counters', {
  contractorId: text('contractor_id')
    .primaryKey()
    .references(() => contractors.id),
  last: integer('last').notNull().default(0),
})

/**
 * What a lead said of itself, beside the project it became. `dedupe_key` names it for good: the contractor, the source and the
 * sender's own id, or else the delivery it came by, so that a delivery run again finds its project.
 */
export const leads = pgTable(
  'leads',
  {
    projectId: text('project_id')
      .primaryKey()
      .references(() => projects.id),
    // The project's own; that it is there is checked by the project.
    contractorId: text('contractor_id').notNull(),
    source: text('source').notNull(),
    dedupeKey: text('dedupe_key').notNull().unique(),
    externalId: text('external_id'),
    leadSource: text('lead_source'),
    sourceKeyword: text('source_keyword'),
    sourceCategory: text('source_category').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email'),
    phone: text('phone'),
    receivedAt: moment('received_at').notNull(),
  },
  (t) => [index('leads_received').on(t.contractorId, t.receivedAt)],
)

/**
 * Every request to the lead webhook that carried a valid key, also refused ones: what came in, and what became of it. Not
 * bound to keys or projects by foreign keys, so that it is written and pruned without looking at them.
 */
export const leadDeliveries = pgTable(
  'lead_deliveries',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id').notNull(),
    keyId: text('key_id'),
    requestId: text('request_id').notNull(),
    source: text('source').notNull(),
    receivedAt: moment('received_at').notNull(),
    contentType: text('content_type'),
    bytes: integer('bytes').notNull(),
    body: text('body').notNull(),
    outcome: text('outcome').notNull(),
    status: integer('status').notNull(),
    projectId: text('project_id'),
    jobNumber: integer('job_number'),
    reason: text('reason'),
    faults: jsonb('faults'),
    mapping: jsonb('mapping'),
    replayOf: text('replay_of'),
  },
  (t) => [
    index('lead_deliveries_walk').on(t.contractorId, t.id),
    // Those people look for; the others are met soon on the walk.
    index('lead_deliveries_faulty').on(t.contractorId, t.outcome, t.id).where(sql`outcome in ('refused', 'failed')`),
    index('lead_deliveries_replays').on(t.replayOf).where(sql`replay_of is not null`),
  ],
)

/** What a sender's own secret must be (Google's `google_key`), as SHA-256; sources without a row are not checked. */
export const leadSourceSecrets = pgTable(
  'lead_source_secrets',
  {
    contractorId: text('contractor_id')
      .notNull()
      .references(() => contractors.id),
    source: text('source').notNull(),
    secretHash: text('secret_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.contractorId, t.source] })],
)
