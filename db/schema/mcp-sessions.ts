import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * MCP sessions, in the database so that they survive a restart and are the same on every instance. Bound to the contractor and to
 * the key's lineage, so that a successor of a rotated key takes them over while the old one still works.
 */
export const mcpSessions = pgTable(
  'mcp_sessions',
  {
    id: text('id').primaryKey(),
    contractorId: text('contractor_id').notNull(),
    keyLineage: text('key_lineage').notNull(),
    protocolVersion: text('protocol_version').notNull(),
    clientName: text('client_name'),
    // Written by versions before this one, which may serve beside it; nothing reads them.
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
