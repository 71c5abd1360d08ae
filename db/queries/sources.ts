import { and, desc, eq, isNull, lt, lte, not, or, sql } from 'drizzle-orm'
import { type Orm, rows } from '../client'
import { scheduledSources, sourceMails, sourceRuns } from '../schema'

export type Source = typeof scheduledSources.$inferSelect
export type SourceRun = typeof sourceRuns.$inferSelect

const isTheirs = (contractorId: string, id: string) =>
  and(eq(scheduledSources.contractorId, contractorId), eq(scheduledSources.id, id))

export async function insertSource(orm: Orm, source: typeof scheduledSources.$inferInsert): Promise<void> {
  await orm.insert(scheduledSources).values(source)
}

/** Returns a contractor's sources, the oldest first. */
export async function listSources(orm: Orm, contractorId: string): Promise<Source[]> {
  return await orm
    .select()
    .from(scheduledSources)
    .where(eq(scheduledSources.contractorId, contractorId))
    .orderBy(scheduledSources.id)
}

/** Returns a contractor's source; locked until the transaction ends when it is to be changed. */
export async function findSource(
  orm: Orm,
  contractorId: string,
  id: string,
  lock = false,
): Promise<Source | undefined> {
  const query = orm.select().from(scheduledSources).where(isTheirs(contractorId, id))
  const [found] = await (lock ? query.for('update') : query)
  return found
}

/** Returns the source that mails to a URL are for, of whatever contractor. */
export async function findSourceByToken(orm: Orm, tokenHash: string): Promise<Source | undefined> {
  const [found] = await orm.select().from(scheduledSources).where(eq(scheduledSources.tokenHash, tokenHash))
  return found
}

export async function changeSource(
  orm: Orm,
  contractorId: string,
  id: string,
  changes: Partial<Source>,
): Promise<boolean> {
  const changed = await orm
    .update(scheduledSources)
    .set(changes)
    .where(isTheirs(contractorId, id))
    .returning({ id: scheduledSources.id })
  return changed.length > 0
}

/** Adds to a source's settings what a run has learned, unless a person has changed its host meanwhile. */
export async function learnSettings(
  orm: Orm,
  { contractorId, id, settings }: Pick<Source, 'contractorId' | 'id' | 'settings'>,
  learned: Record<string, string>,
): Promise<void> {
  await orm.execute(sql`update scheduled_sources set settings = settings || ${JSON.stringify(learned)}::jsonb
    where contractor_id = ${contractorId} and id = ${id} and settings ->> 'host' is not distinct from ${settings.host ?? null}`)
}

/** Adds to what a source has seen. */
export async function noteSeen(
  orm: Orm,
  { contractorId, id }: Pick<Source, 'contractorId' | 'id'>,
  seen: Record<string, string>,
): Promise<void> {
  await orm.execute(sql`update scheduled_sources set seen = seen || ${JSON.stringify(seen)}::jsonb
    where contractor_id = ${contractorId} and id = ${id}`)
}

/** Deletes a source with its runs and what it holds; false when there is none. */
export async function deleteSource(orm: Orm, contractorId: string, id: string): Promise<boolean> {
  const gone = await orm
    .delete(scheduledSources)
    .where(isTheirs(contractorId, id))
    .returning({ id: scheduledSources.id })
  return gone.length > 0
}

const isFree = (now: Date) => or(isNull(scheduledSources.leaseUntil), lt(scheduledSources.leaseUntil, now))

/** The SQL test for another running source of the contractor. */
const isServed = (now: Date) =>
  sql`exists (select from scheduled_sources o
    where o.contractor_id = ${scheduledSources.contractorId} and o.id <> ${scheduledSources.id} and o.lease_until >= ${now.toISOString()}::timestamptz)`

/**
 * Takes a source that is due until `until`; undefined when none is. No two processes get the same one, and a contractor has one at a time, so
 * that the slow servers of one do not hold up the others.
 */
export async function claimDueSource(orm: Orm, now: Date, until: Date): Promise<Source | undefined> {
  return await orm.transaction(async (tx) => {
    const isDue = and(
      eq(scheduledSources.state, 'active'),
      lte(scheduledSources.nextAt, now),
      isFree(now),
      not(isServed(now)),
    )
    const [due] = await tx
      .select()
      .from(scheduledSources)
      .where(isDue)
      .orderBy(scheduledSources.nextAt)
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return undefined
    await changeSource(tx, due.contractorId, due.id, { leaseUntil: until })
    return { ...due, leaseUntil: until }
  })
}

/** Keeps a source that a process has. @returns false when it has it no longer */
export async function renewLease(orm: Orm, { id, leaseUntil }: Source, until: Date): Promise<boolean> {
  const isOurs = and(eq(scheduledSources.id, id), eq(scheduledSources.leaseUntil, leaseUntil ?? until))
  const renewed = await orm
    .update(scheduledSources)
    .set({ leaseUntil: until })
    .where(isOurs)
    .returning({ id: scheduledSources.id })
  return renewed.length > 0
}

export async function insertRun(orm: Orm, run: typeof sourceRuns.$inferInsert): Promise<void> {
  await orm.insert(sourceRuns).values(run)
}

/** Ends a run that is open. @returns false when somebody else has ended it */
export async function endRun(
  orm: Orm,
  contractorId: string,
  id: string,
  ended: Partial<Omit<SourceRun, 'id' | 'contractorId' | 'sourceId'>>,
): Promise<boolean> {
  const isOpen = and(
    eq(sourceRuns.contractorId, contractorId),
    eq(sourceRuns.id, id),
    eq(sourceRuns.outcome, 'running'),
  )
  const done = await orm.update(sourceRuns).set(ended).where(isOpen).returning({ id: sourceRuns.id })
  return done.length > 0
}

/** Deletes a run that was not done after all: another load had the contractor's turn. */
export async function deleteRun(orm: Orm, contractorId: string, id: string): Promise<void> {
  await orm.delete(sourceRuns).where(and(eq(sourceRuns.contractorId, contractorId), eq(sourceRuns.id, id)))
}

/** Closes the runs of a source that a process has left open. @returns how many */
export async function closeOpenRuns(
  orm: Orm,
  { contractorId, id }: Pick<Source, 'contractorId' | 'id'>,
  error: string,
  now: Date,
): Promise<number> {
  const isOpen = and(
    eq(sourceRuns.contractorId, contractorId),
    eq(sourceRuns.sourceId, id),
    eq(sourceRuns.outcome, 'running'),
  )
  const closed = await orm
    .update(sourceRuns)
    .set({ outcome: 'failed', error, endedAt: now })
    .where(isOpen)
    .returning({ id: sourceRuns.id })
  return closed.length
}

/** A source's runs, the latest first; `before` is the id of the last one of the page before. */
export async function listRuns(
  orm: Orm,
  {
    contractorId,
    sourceId,
    before,
    limit,
  }: { contractorId: string; sourceId: string; before?: string | undefined; limit: number },
): Promise<SourceRun[]> {
  return await orm
    .select()
    .from(sourceRuns)
    .where(
      and(
        eq(sourceRuns.contractorId, contractorId),
        eq(sourceRuns.sourceId, sourceId),
        before === undefined ? undefined : lt(sourceRuns.id, before),
      ),
    )
    .orderBy(desc(sourceRuns.id))
    .limit(limit)
}

/** The latest run of each of a contractor's sources, by the source. */
export async function latestRuns(orm: Orm, contractorId: string): Promise<Map<string, SourceRun>> {
  const found = await orm
    .selectDistinctOn([sourceRuns.sourceId])
    .from(sourceRuns)
    .where(eq(sourceRuns.contractorId, contractorId))
    .orderBy(sourceRuns.sourceId, desc(sourceRuns.id))
  return new Map(found.map((run) => [run.sourceId, run]))
}

/** Reports whether a source has already taken a mail, by any of its hashes. */
export async function hasMail(orm: Orm, sourceId: string, hashes: string[]): Promise<boolean> {
  const found = await rows(
    orm,
    sql`select 1 from source_mails where source_id = ${sourceId} and message_hash = any(${sql.param(hashes)}::text[]) limit 1`,
  )
  return found.length > 0
}

/** Notes that a source takes a mail. @returns false when one with such a hash was taken before */
export async function recordMail(
  orm: Orm,
  { contractorId, id }: Pick<Source, 'contractorId' | 'id'>,
  hashes: string[],
  now: Date,
): Promise<boolean> {
  const noted = await orm
    .insert(sourceMails)
    .values(hashes.map((messageHash) => ({ contractorId, sourceId: id, messageHash, receivedAt: now })))
    .onConflictDoNothing()
    .returning({ hash: sourceMails.messageHash })
  return noted.length === hashes.length
}
