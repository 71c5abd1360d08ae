import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { addressParts, findWords, foundBy, moment } from './columns'
import { ofContractor } from './contractors'
import { projects } from './projects'

/**
 * The last job number assigned to a contractor's leads. A row and not a sequence, so that a lead whose transaction rolls back
 * leaves no gap.
 */
export const jobCounters = pgTable('job_counters', {
  contractorId: ofContractor().primaryKey(),
  last: integer('last').notNull().default(0),
})

/**
 * The details of a lead, next to the project it created. `dedupe_key` identifies it permanently: contractor, source and the
 * sender's own id, or else its delivery. `body_key` identifies a body without an id of its sender, which counts once in ten minutes.
 */
export const leads = pgTable(
  'leads',
  {
    projectId: text('project_id')
      .primaryKey()
      .references(() => projects.id),
    // Same as the project's, whose foreign key already checks it.
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
    // What the sender said beside these, as it said it; null in rows of older versions.
    phoneRaw: text('phone_raw'),
    ...addressParts(),
    notes: text('notes'),
    // Null where the sender gave an id, and on the specification's own path, where each post without one is a lead.
    bodyKey: text('body_key'),
    // By what the project's customer was found: `new`, `email`, `phone`, `possible` or `separated`; null in rows of older versions.
    matchedBy: text('matched_by'),
    receivedAt: moment('received_at').notNull(),
  },
  (t) => [
    index('leads_received').on(t.contractorId, t.receivedAt, t.projectId),
    index('leads_by_source').on(t.contractorId, sql`coalesce(lead_source, source)`, t.receivedAt, t.projectId),
    index('leads_body').on(t.bodyKey).where(sql`body_key is not null`),
    index('leads_find')
      .using('gin', findWords(sql`project_id`, sql`first_name || ' ' || last_name`))
      .with({ fastupdate: false }),
    index('leads_find_phone').on(foundBy(sql`reverse(phone)`)).where(sql`phone is not null`),
    index('leads_find_email').on(foundBy(sql`email`)).where(sql`email is not null`),
  ],
)

/**
 * The requests to the lead webhook that carried a valid key, including refused ones: what each contained, and its outcome. There are no
 * foreign keys to keys or projects, so that rows are written and deleted without checking those tables.
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
    // Whose lead it is, as the body has it, checked or not; null where none could be read, and in rows of older versions.
    leadName: text('lead_name'),
    leadPhone: text('lead_phone'),
    leadEmail: text('lead_email'),
  },
  (t) => [
    index('lead_deliveries_walk').on(t.contractorId, t.id),
    // An index for the outcomes people filter by. A list finds the others quickly without one.
    index('lead_deliveries_faulty').on(t.contractorId, t.outcome, t.id).where(sql`outcome in ('refused', 'failed')`),
    // From a request of the log to what it brought.
    index('lead_deliveries_request').on(t.contractorId, t.requestId),
    index('lead_deliveries_replays').on(t.replayOf).where(sql`replay_of is not null`),
  ],
)

/**
 * The proof that a source must give; a source without a row is not checked. `secret_hash` is the SHA-256 of what it sends (Google's
 * `google_key`, Meta's verify token), `sealed` the secret that it signs with (lib/leads/secrets.ts).
 */
export const leadSourceSecrets = pgTable(
  'lead_source_secrets',
  {
    contractorId: ofContractor(),
    source: text('source').notNull(),
    secretHash: text('secret_hash'),
    sealed: text('sealed'),
  },
  (t) => [
    primaryKey({ columns: [t.contractorId, t.source] }),
    check('lead_source_secrets_one', sql`secret_hash is not null or sealed is not null`),
  ],
)
