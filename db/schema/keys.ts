import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { ofContractor } from './contractors'

/**
 * API keys. The secret is never stored: its SHA-256 finds the row, and its last four characters identify it to people. Rotation
 * creates a successor (`rotated_from`), and the old row then expires at `expires_at`.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    name: text('name').notNull(),
    preset: text('preset'),
    scopes: text('scopes').array().notNull(),
    mode: text('mode', { enum: ['live', 'test'] }).notNull(),
    secretHash: text('secret_hash').notNull().unique(),
    last4: text('last4').notNull(),
    rotatedFrom: text('rotated_from'),
    /** The first key of a chain of rotations; null when this key is the first. */
    lineage: text('lineage'),
    /** Addresses and CIDR ranges the key may be used from; null means any. */
    allowedAddresses: text('allowed_addresses').array(),
    /**
     * The key's own limit of requests per minute over all endpoints, in addition to the usual limits; null means only the usual
     * ones.
     */
    perMinute: integer('per_minute'),
    /** True when that limit replaces the one by address, for platforms whose customers share addresses. */
    insteadOfAddress: boolean('instead_of_address').notNull().default(false),
    /** The only lead source that a key for URLs sends to; null for other keys. */
    leadSource: text('lead_source'),
    /** The person an explorer key was issued to; it ends when that person loses access. Null for other keys. */
    issuedTo: text('issued_to'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
  },
  (t) => [index('api_keys_contractor').on(t.contractorId, t.createdAt), index('api_keys_lineage').on(t.lineage)],
)
