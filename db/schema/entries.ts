import { sql } from 'drizzle-orm'
import { date, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { ofContractor } from './contractors'
import { ofProject } from './projects'

/**
 * The entries that agents write: notes on projects and follow-ups on leads. They stand beside the books and never in them. A row is never
 * changed except to undo it, so `author` and `idempotency_key` answer a repeated call with the first result.
 */
export const projectEntries = pgTable(
  'project_entries',
  {
    id: text('id').primaryKey(),
    contractorId: ofContractor(),
    projectId: ofProject(),
    kind: text('kind', { enum: ['note', 'follow_up'] }).notNull(),
    text: text('text'),
    /** The day of a follow-up in the contractor's own calendar. */
    followUpOn: date('follow_up_on', { mode: 'string' }),
    /** The follow-up that was in force before, whose place this one took. */
    replaces: text('replaces'),
    /** The owner of the idempotency keys: the lineage of an API key, a person's id, or `operator`. */
    author: text('author').notNull(),
    idempotencyKey: text('idempotency_key').notNull(),
    authorKind: text('author_kind', { enum: ['key', 'person', 'operator'] }).notNull(),
    /** The author's name at the time of writing. */
    authorName: text('author_name').notNull(),
    createdAt: moment('created_at').notNull(),
    undoneAt: moment('undone_at'),
    undoneBy: text('undone_by'),
  },
  (t) => [
    uniqueIndex('project_entries_once').on(t.contractorId, t.author, t.idempotencyKey),
    index('project_entries_project').on(t.contractorId, t.projectId, t.kind, t.createdAt, t.id),
    // For the foreign key: without it, deleting a project reads the whole table.
    index('project_entries_of_project').on(t.projectId),
    // For the follow-ups that are due.
    index('project_entries_due').on(t.contractorId, t.followUpOn).where(sql`kind = 'follow_up' and undone_at is null`),
    // For what was written lately.
    index('project_entries_recent').on(t.contractorId, t.createdAt, t.id).where(sql`undone_at is null`),
    // For retention.
    index('project_entries_undone').on(t.undoneAt).where(sql`undone_at is not null`),
  ],
)
