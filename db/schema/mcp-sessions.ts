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
    // The least severe log messages its client wants; null until it says so, and then none are sent.
    logLevel: text('log_level'),
    // Written by earlier versions, which may run at the same time. Nothing reads it.
    clientVersion: text('client_version'),
    // Of what its client declared, what we make use of: views (MCP Apps) and forms for its person.
    clientCapabilities: jsonb('client_capabilities'),
    // The URIs it subscribed to, each with the place of the changes feed behind which its client is told of changes.
    subscriptions: jsonb('subscriptions').notNull().default({}),
    // The newest stream that its client opened for notifications; older ones end.
    streamId: text('stream_id'),
    createdAt: moment('created_at').notNull().default(sql`now()`),
    seenAt: moment('seen_at').notNull().default(sql`now()`),
    endedAt: moment('ended_at'),
  },
  (t) => [
    index('mcp_sessions_live').on(t.keyLineage, t.seenAt).where(sql`ended_at is null`),
    index('mcp_sessions_age').on(t.createdAt),
  ],
)

/**
 * The questions that a running tool asked the person behind a session. The answer comes by another request, which any instance may receive;
 * the instance that asked looks for it here. A row is deleted when the tool goes on, at the latest with its session.
 */
export const mcpQuestions = pgTable(
  'mcp_questions',
  {
    id: text('id').primaryKey(),
    sessionId: text('session_id')
      .notNull()
      .references(() => mcpSessions.id, { onDelete: 'cascade' }),
    answer: jsonb('answer'),
    askedAt: moment('asked_at').notNull().default(sql`now()`),
  },
  (t) => [index('mcp_questions_session').on(t.sessionId)],
)
