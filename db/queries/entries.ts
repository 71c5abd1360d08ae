import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { projectEntries } from '../schema'

export type EntryRecord = typeof projectEntries.$inferSelect
export type EntryKind = EntryRecord['kind']

/** The owner of an entry, and the idempotency key they gave it. */
type Given = Pick<EntryRecord, 'contractorId' | 'author' | 'idempotencyKey'>

/** The entry an author made with an idempotency key, undone or not. */
export async function findEntryByKey(
  orm: Orm,
  { contractorId, author, idempotencyKey }: Given,
): Promise<EntryRecord | undefined> {
  const [found] = await orm
    .select()
    .from(projectEntries)
    .where(
      and(
        eq(projectEntries.contractorId, contractorId),
        eq(projectEntries.author, author),
        eq(projectEntries.idempotencyKey, idempotencyKey),
      ),
    )
  return found
}

/**
 * Stores an entry, unless its author used the idempotency key before: then a transaction that is storing it right now is waited for, and
 * the answer is false.
 */
export async function insertEntry(orm: Orm, entry: EntryRecord): Promise<boolean> {
  const made = await orm
    .insert(projectEntries)
    .values(entry)
    .onConflictDoNothing({
      target: [projectEntries.contractorId, projectEntries.author, projectEntries.idempotencyKey],
    })
    .returning({ id: projectEntries.id })
  return made.length > 0
}

/** A contractor's project as far as an entry must know it; locked until the transaction ends, so that follow-ups come one after another. */
export async function lockProject(
  orm: Orm,
  contractorId: string,
  projectId: string,
): Promise<{ status: string } | undefined> {
  const [found] = await rows<{ status: string }>(
    orm,
    sql`select status from projects where id = ${projectId} and contractor_id = ${contractorId} for no key update`,
  )
  return found
}

const isOf = (contractorId: string, projectId: string, kind: EntryKind) =>
  and(
    eq(projectEntries.contractorId, contractorId),
    eq(projectEntries.projectId, projectId),
    eq(projectEntries.kind, kind),
  )

/** A project's entries of a kind, newest first: also those undone where people look, never those for agents. */
export async function entriesOf(
  orm: Orm,
  query: { contractorId: string; projectId: string; kind: EntryKind; limit: number; withUndone?: boolean },
): Promise<EntryRecord[]> {
  const { contractorId, projectId, kind, limit, withUndone = false } = query
  return await orm
    .select()
    .from(projectEntries)
    .where(and(isOf(contractorId, projectId, kind), withUndone ? undefined : isNull(projectEntries.undoneAt)))
    .orderBy(desc(projectEntries.createdAt), desc(projectEntries.id))
    .limit(limit)
}

/** A contractor's entry, locked until the transaction ends. */
export async function lockEntry(orm: Orm, contractorId: string, id: string): Promise<EntryRecord | undefined> {
  const [found] = await orm
    .select()
    .from(projectEntries)
    .where(and(eq(projectEntries.id, id), eq(projectEntries.contractorId, contractorId)))
    .for('update')
  return found
}

/** Marks an entry as undone. */
export async function markUndone(orm: Orm, contractorId: string, id: string, undone: { at: Date; by: string }) {
  await orm
    .update(projectEntries)
    .set({ undoneAt: undone.at, undoneBy: undone.by })
    .where(and(eq(projectEntries.id, id), eq(projectEntries.contractorId, contractorId)))
}

/** Days on which follow-ups are due, both inclusive, in the contractor's calendar. */
export type DueDays = { contractorId: string; from: string; to: string }

export type DueFollowUp = { projectId: string; project: string; customer: string; text: string | null; on: string }

/**
 * Follow-ups in force, of leads that are still open, within some days, as `e`; the latest day first. By the index of due days; each then costs two
 * lookups, and scalar subqueries keep the planner from reading all leads instead.
 */
const due = ({ contractorId, from, to }: DueDays, also: SQL, most: number): SQL => sql`select e.* from project_entries e
  where e.contractor_id = ${contractorId} and e.kind = 'follow_up' and e.undone_at is null
    and e.follow_up_on >= ${from}::date and e.follow_up_on <= ${to}::date and ${also}
    and (select p.status from projects p where p.id = e.project_id) in ('lead', 'estimate')
    and e.id = (select n.id from project_entries n where n.contractor_id = e.contractor_id and n.project_id = e.project_id
      and n.kind = 'follow_up' and n.undone_at is null order by n.created_at desc, n.id desc limit 1)
  order by e.follow_up_on desc limit ${most}::int`

type DueCounted = { total: number; items: DueFollowUp[] }

/** The person who wrote the lead of an entry `e`: its customer may be another one. */
const WRITER = sql`(select btrim(l.first_name || ' ' || l.last_name) from leads l
  where l.project_id = e.project_id and not is_nobody(btrim(l.first_name || ' ' || l.last_name)))`

/** Counts due follow-ups up to `most`, and shows the first `shown` of them. */
async function countDue(orm: Orm, found: SQL, shown: number): Promise<DueCounted> {
  const [row] = await rows<DueCounted>(
    orm,
    sql`with due as (${found})
      select (select count(*)::int from due) as total,
        coalesce((select json_agg(json_build_object('projectId', e.project_id, 'project', p.name, 'customer', coalesce(${WRITER}, c.name), 'text', e.text,
          'on', e.follow_up_on) order by e.follow_up_on desc, e.id) from (select * from due order by follow_up_on desc, id limit ${shown}::int) e
          join projects p on p.id = e.project_id join users c on c.id = p.customer_id), '[]'::json) as items`,
  )
  return row ?? { total: 0, items: [] }
}

/** Returns how many follow-ups are due within some days, up to `most`, and the latest of them. */
export const dueFollowUps = (orm: Orm, days: DueDays, limits: { most: number; shown: number }): Promise<DueCounted> =>
  countDue(orm, due(days, sql`true`, limits.most), limits.shown)

const DAY_MS = 86_400_000
const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** Returns how many follow-ups became due in a window, at midnight of the contractor's calendar, up to `most`, and the latest of them. */
export async function followUpsFallingDue(
  orm: Orm,
  { contractorId, from, to }: { contractorId: string; from: Date; to: Date },
  limits: { most: number; shown: number },
): Promise<DueCounted> {
  const days = {
    contractorId,
    from: dayOf(new Date(from.getTime() - DAY_MS)),
    to: dayOf(new Date(to.getTime() + DAY_MS)),
  }
  const midnight = sql`e.follow_up_on::timestamp at time zone (select timezone from contractors where id = e.contractor_id)`
  const falls = sql`${midnight} >= ${from.toISOString()}::timestamptz and ${midnight} < ${to.toISOString()}::timestamptz`
  return await countDue(orm, due(days, falls, limits.most), limits.shown)
}
