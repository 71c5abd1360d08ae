import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from './columns'

/**
 * Who did what, and when: sign-ins, keys, people, refusals. Rows are only ever added. `contractor_id` is null for what belongs to no
 * contractor, such as a sign-in; nothing refers to another table, so that history outlives what it tells of.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: text('id').primaryKey(),
    at: moment('at').notNull(),
    contractorId: text('contractor_id'),
    actorKind: text('actor_kind', { enum: ['person', 'operator', 'nobody'] }).notNull(),
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
    // What retention looks for: refused sign-ins are kept for a time only.
    index('audit_events_refused').on(t.at).where(sql`event = 'sign_in_refused'`),
  ],
)
