import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * The record of who did what, and when: sign-ins, keys, people, refusals. Rows are never updated. `contractor_id` is null for events
 * without a contractor, such as a sign-in. There are no foreign keys, so that the history remains after the records are gone.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: text('id').primaryKey(),
    at: moment('at').notNull(),
    contractorId: text('contractor_id'),
    actorKind: text('actor_kind', { enum: ['person', 'operator', 'key', 'source', 'nobody'] }).notNull(),
    actorId: text('actor_id'),
    actorName: text('actor_name').notNull(),
    event: text('event').notNull(),
    subject: text('subject'),
    detail: jsonb('detail').$type<Record<string, string | number | boolean | null>>().notNull(),
    address: text('address'),
  },
  (t) => [
    index('audit_events_contractor').on(t.contractorId, t.id),
    index('audit_events_actor').on(t.actorId, t.id),
    // Who made a key.
    index('audit_events_key').on(t.subject).where(sql`event = 'key_created'`),
    // For retention: refused sign-ins are deleted after a while.
    index('audit_events_refused').on(t.at).where(sql`event = 'sign_in_refused'`),
  ],
)
