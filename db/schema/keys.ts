import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { contractors } from './contractors'

/**
 * API keys. The secret itself is never stored: its SHA-256 finds the row, the last four characters name it to people.
 * Rotation makes a successor (`rotated_from`); the old row then ends at `expires_at`.
 */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id')
      .notNull()
      .references(() => contractors.id),
    name: text('name').notNull(),
    preset: text('preset'),
    scopes: text('scopes').array().notNull(),
    mode: text('mode', { enum: ['live', 'test'] }).notNull(),
    secretHash: text('secret_hash').notNull().unique(),
    last4: text('last4').notNull(),
    rotatedFrom: text('rotated_from'),
    /** The first key of a chain of rotations; null for one that is itself the first. */
    lineage: text('lineage'),
    /** Addresses and CIDR ranges it may be used from; null for any. */
    allowedAddresses: text('allowed_addresses').array(),
    /** At most so many requests a minute with it, over everything, beside the usual limits; null for those alone. */
    perMinute: integer('per_minute'),
    /** The person an explorer key was issued to, with whose access it ends; null for other keys. */
    issuedTo: text('issued_to'),
    createdAt: moment('created_at').notNull().defaultNow(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
  },
  (t) => [index('api_keys_contractor').on(t.contractorId, t.createdAt), index('api_keys_lineage').on(t.lineage)],
)
