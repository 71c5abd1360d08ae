import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { ofContractor } from './contractors'

/** The progress of a walk over everything: the place in the connector's list of kinds, and in that kind's pages. */
export type WalkCursor = {
  kind: number
  position: number
  /** The id of the last object of the page before, which the next page begins with. */
  last: string | null
  /** The number of times this kind was begun again because objects before the page were deleted meanwhile. */
  again: number
  /** The time when the walk began, ISO 8601: changes are asked for from there on. */
  began: string
}

/** The results of a connector's run, by resource. `unnumbered` counts the rows that have no number there. */
export type ConnectorCounts = Record<
  string,
  { rows: number; added: number; updated: number; deleted: number; refused: number; unnumbered?: number }
>

/** A contractor's connection to other software: whose books, its tokens, and how far they are read. */
export const connectors = pgTable(
  'connectors',
  {
    contractorId: ofContractor(),
    /** The software: a name from lib/connectors/registry.ts. */
    connector: text('connector').notNull(),
    /** The vendor's id of the books, and their name there. */
    company: text('company').notNull(),
    companyName: text('company_name'),
    environment: text('environment').notNull(),
    state: text('state', { enum: ['connected', 'reconnect', 'disconnected'] }).notNull(),
    stateAt: moment('state_at').notNull(),
    /** Tokens are sealed (lib/connectors/tokens.ts). */
    accessToken: text('access_token'),
    accessUntil: moment('access_until'),
    refreshToken: text('refresh_token'),
    refreshUntil: moment('refresh_until'),
    /** Counts renewals, so that one which took too long does not overwrite a later one. */
    tokenVersion: integer('token_version').notNull().default(0),
    refreshingUntil: moment('refreshing_until'),
    mode: text('mode', { enum: ['full', 'changes'] }).notNull(),
    /** The number of this walk over everything; links of an older one belong to objects that are gone. */
    generation: integer('generation').notNull().default(1),
    cursor: jsonb('cursor').$type<WalkCursor>(),
    /** The vendor's time up to which changes are read. */
    since: moment('since'),
    syncedAt: moment('synced_at'),
    nextAt: moment('next_at').notNull(),
    throttledUntil: moment('throttled_until'),
    /** Attempts in a row that failed or were throttled, when the third failed, and what the last one said. */
    failures: integer('failures').notNull().default(0),
    failingAt: moment('failing_at'),
    error: text('error'),
    runId: text('run_id'),
    leaseId: text('lease_id'),
    leaseUntil: moment('lease_until'),
    connectedBy: text('connected_by').notNull(),
    connectedAt: moment('connected_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractorId, t.connector] }),
    index('connectors_due').on(t.nextAt).where(sql`state = 'connected'`),
    index('connectors_company').on(t.connector, t.company),
    check('connectors_tokens', sql`(state = 'connected') <= (refresh_token is not null)`),
  ],
)

/** Connections that somebody has begun: the hash of the state that the vendor sends back, once. */
export const connectorAttempts = pgTable(
  'connector_attempts',
  {
    hash: text('hash').primaryKey(),
    contractorId: ofContractor(),
    connector: text('connector').notNull(),
    personId: text('person_id').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [index('connector_attempts_expires').on(t.expiresAt)],
)

/**
 * Links from the vendor's objects to our records, by the record's reference. An object may be several records: a payment is one for each
 * invoice that it pays, which `part` tells apart.
 */
export const connectorLinks = pgTable(
  'connector_links',
  {
    contractorId: ofContractor(),
    connector: text('connector').notNull(),
    company: text('company').notNull(),
    entity: text('entity').notNull(),
    externalId: text('external_id').notNull(),
    part: text('part').notNull(),
    resource: text('resource').notNull(),
    reference: text('reference').notNull(),
    /** The customer's reference of a job. */
    owner: text('owner'),
    generation: integer('generation').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.contractorId, t.connector, t.company, t.entity, t.externalId, t.part] }),
    uniqueIndex('connector_links_reference').on(t.contractorId, t.resource, t.reference),
  ],
)

/** Runs of connectors: a walk over everything, or changes that brought something. */
export const connectorRuns = pgTable(
  'connector_runs',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    connector: text('connector').notNull(),
    kind: text('kind', { enum: ['full', 'changes'] }).notNull(),
    state: text('state', { enum: ['running', 'done', 'failed', 'ended'] }).notNull(),
    /** Objects read so far. */
    read: integer('read').notNull().default(0),
    counts: jsonb('counts').notNull().$type<ConnectorCounts>(),
    /** The first objects that were refused, each with its reason, and how many there were. */
    faults: jsonb('faults').notNull().$type<{ object: string; reason: string }[]>(),
    faultCount: integer('fault_count').notNull().default(0),
    error: text('error'),
    createdAt: moment('created_at').notNull(),
    seenAt: moment('seen_at').notNull(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    index('connector_runs_contractor').on(t.contractorId, t.id),
    index('connector_runs_created').on(t.createdAt),
    check('connector_runs_state', sql`(state = 'running') = (ended_at is null)`),
  ],
)
