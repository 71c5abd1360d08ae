import { sql } from 'drizzle-orm'
import {
  bigint,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * Requests as they ended: no bodies, no secrets. Not bound by foreign keys, so that they are written and pruned without looking at
 * anything else. The id is the request's own, a UUID that begins with its time: found by it, and pruned from its oldest end.
 */
export const requestLog = pgTable(
  'request_log',
  {
    id: uuid('id').primaryKey(),
    /** When it ended; rows are shown in this order. */
    at: moment('at').notNull(),
    /** Null where no key of ours was presented. */
    contractorId: text('contractor_id'),
    keyId: text('key_id'),
    method: text('method').notNull(),
    path: text('path').notNull(),
    query: text('query'),
    /** The operation, whichever face it was asked by; beside the protocol's own methods, a tool is its operation. */
    endpoint: text('endpoint').notNull(),
    mcpMethod: text('mcp_method'),
    status: smallint('status').notNull(),
    errorCode: text('error_code'),
    address: text('address').notNull(),
    durationMs: real('duration_ms').notNull(),
    userAgent: text('user_agent'),
  },
  (t) => [
    // One for each way to look: the page that is wanted stands together in it, however many rows there are.
    index('request_log_walk').on(t.contractorId, t.at, t.id),
    // Most rows are no errors, so those are met soon on the walk and cost nothing here.
    index('request_log_errors').on(t.contractorId, sql`(status / 100)`, t.at, t.id).where(sql`status >= 400`),
    index('request_log_key').on(t.contractorId, t.keyId, t.at, t.id).where(sql`key_id is not null`),
    index('request_log_endpoint').on(t.contractorId, t.endpoint, t.at, t.id),
  ],
)

/** Requests counted by the hour, also those that no row was kept of. Empty texts stand for no contractor and no key. */
export const requestSums = pgTable(
  'request_sums',
  {
    contractorId: text('contractor_id').notNull(),
    hour: moment('hour').notNull(),
    keyId: text('key_id').notNull(),
    endpoint: text('endpoint').notNull(),
    face: text('face', { enum: ['api', 'mcp'] }).notNull(),
    statusClass: smallint('status_class').notNull(),
    requests: integer('requests').notNull(),
    /** Statuses from 400 on, and what MCP tells as an error under a 200. */
    errors: integer('errors').notNull(),
    /** Refused because they were too many; errors as well. */
    limited: integer('limited').notNull(),
    durationMs: doublePrecision('duration_ms').notNull(),
  },
  (t) => [
    primaryKey({
      name: 'request_sums_pk',
      columns: [t.contractorId, t.hour, t.keyId, t.endpoint, t.face, t.statusClass],
    }),
  ],
)

/** From where each key was used: the secrets of a rotated key are keys of their own, so this tells who still sends the old one. */
export const keyAddresses = pgTable(
  'key_addresses',
  {
    contractorId: text('contractor_id').notNull(),
    keyId: text('key_id').notNull(),
    address: text('address').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    /** When it was last let in, and when it was last refused as revoked or expired. */
    usedAt: moment('used_at'),
    refusedAt: moment('refused_at'),
  },
  (t) => [primaryKey({ name: 'key_addresses_pk', columns: [t.contractorId, t.keyId, t.address] })],
)
