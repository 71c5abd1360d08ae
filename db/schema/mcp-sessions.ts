import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * MCP sessions, stored in the database so that they survive a restart and every instance sees them. They belong to the contractor
 * and the key's lineage, so that a rotated key's successor continues them while the old key still works.
 */
export const mcpSessions = pgTable(
  'mcp_sessions',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id').notNull(),
    keyLineage: text('key_lineage').notNull(),
    protocolVersion: text('protocol_version').notNull(),
    clientName: text('client_name'),
    // Written by earlier versions, which may run at the same time. Nothing reads it.
    clientVersion: text('client_version'),
    clientCapabilities: jsonb('client_capabilities'),
    createdAt: moment('created_at').notNull().default(sql`now()`),
    seenAt: moment('seen_at').notNull().default(sql`now()`),
    endedAt: moment('ended_at'),
  },
  (t) => [
    index('mcp_sessions_live').on(t.keyLineage, t.seenAt).where(sql`ended_at is null`),
    index('mcp_sessions_age').on(t.createdAt),
  ],
)
