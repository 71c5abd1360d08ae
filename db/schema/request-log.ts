import { sql } from 'drizzle-orm'
import {
  bigint,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Shares } from '../../lib/core/parts'
import { moment } from './columns'

/**
 * Completed requests, without bodies or secrets. Has no foreign keys, so that rows are written and deleted without checking other
 * tables. The id is the request's own UUID, which begins with its time: lookups use it, and retention deletes from its oldest end.
 */
export const requestLog = pgTable(
  'request_log',
  {
    id: uuid('id').primaryKey(),
    /** The time when the request ended. Lists use this order. */
    at: moment('at').notNull(),
    /** The contractor; null if there was no valid key. */
    contractorId: text('contractor_id'),
    keyId: text('key_id'),
    method: text('method').notNull(),
    path: text('path').notNull(),
    query: text('query'),
    /**
     * The operation, whether called through the API or MCP: an MCP tool call counts as its operation. Other MCP methods have their
     * own names.
     */
    endpoint: text('endpoint').notNull(),
    mcpMethod: text('mcp_method'),
    status: smallint('status').notNull(),
    errorCode: text('error_code'),
    /** The message that the caller was told, without values of theirs; null in rows of older versions. */
    errorMessage: text('error_message'),
    /** The fields that were at fault, by name. */
    errorFields: text('error_fields').array(),
    address: text('address').notNull(),
    durationMs: real('duration_ms').notNull(),
    userAgent: text('user_agent'),
    /** Where the time of a slow request went; null for every other. */
    timing: jsonb('timing').$type<Shares>(),
  },
  (t) => [
    // One index per filter. Each page is contiguous in its index, however many rows there are.
    index('request_log_walk').on(t.contractorId, t.at, t.id),
    // Most requests succeed, so only errors are indexed, the caller's apart from ours; a list of successes finds them quickly without it.
    index('request_log_errors').on(t.contractorId, sql`(status >= 500)`, t.at, t.id).where(sql`status >= 400`),
    index('request_log_key').on(t.contractorId, t.keyId, t.at, t.id).where(sql`key_id is not null`),
    index('request_log_endpoint').on(t.contractorId, t.endpoint, t.at, t.id),
  ],
)

/** Requests counted by the hour, including those without a row. An empty text means no contractor or no key. */
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
    /** Statuses from 400 up, and MCP errors under a 200. */
    errors: integer('errors').notNull(),
    /** Requests refused for exceeding a limit; also counted as errors. */
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

/**
 * Addresses each key was used from. Each secret of a rotated key has its own key row, so this shows who still sends the old one.
 */
export const keyAddresses = pgTable(
  'key_addresses',
  {
    contractorId: text('contractor_id').notNull(),
    keyId: text('key_id').notNull(),
    address: text('address').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    /** The time when the address was last accepted, and when it was last refused because the key was revoked or expired. */
    usedAt: moment('used_at'),
    refusedAt: moment('refused_at'),
  },
  (t) => [primaryKey({ name: 'key_addresses_pk', columns: [t.contractorId, t.keyId, t.address] })],
)
