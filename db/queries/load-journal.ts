import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import { type Database, type Orm, rows, withinContractor } from '../client'
import { earlierLoads, loadJournals } from '../schema'

export type Journal = typeof loadJournals.$inferSelect

const ofContractor = (contractorId: string) => eq(loadJournals.contractorId, contractorId)

/** The contractor's last load; undefined when none was noted or it is older than a day. */
export async function findJournal(orm: Orm, contractorId: string): Promise<Journal | undefined> {
  const [found] = await orm.select().from(loadJournals).where(ofContractor(contractorId))
  return found
}

/** Contractors whose last load, or whose taking back, did not come to its end: its process is still at it, or died. */
export async function openJournals(orm: Orm): Promise<string[]> {
  const found = await orm
    .select({ id: loadJournals.contractorId })
    .from(loadJournals)
    .where(inArray(loadJournals.state, ['running', 'taking_back']))
  return found.map(({ id }) => id)
}

/** The last image of the loads before the last one; those after it are the last load's. */
export const lastImageBefore = (contractorId: string) =>
  sql`coalesce((select max(last_image) from earlier_loads where contractor_id = ${contractorId}), 0)`

export type EarlierLoad = typeof earlierLoads.$inferSelect

/** The loads before the last one that can be taken back after it, the latest first. */
export const findEarlierLoads = (orm: Orm, contractorId: string, since: Date): Promise<EarlierLoad[]> =>
  orm
    .select()
    .from(earlierLoads)
    .where(and(eq(earlierLoads.contractorId, contractorId), gte(earlierLoads.createdAt, since)))
    .orderBy(desc(earlierLoads.lastImage))

/** Begins to note a load. The one before, where it changed something and was not taken back, joins those that can be taken back after it. */
export async function beginJournal(
  db: Database,
  contractorId: string,
  begun: Pick<Journal, 'loadId' | 'author'>,
): Promise<void> {
  const values = { ...begun, state: 'running' as const, step: null, files: [], createdAt: new Date(), endedAt: null }
  await withinContractor(db.orm, contractorId, async (orm) => {
    await orm.execute(sql`insert into earlier_loads (load_id, contractor_id, files, author, created_at, ended_at, last_image)
      select j.load_id, j.contractor_id, j.files, j.author, j.created_at, coalesce(j.ended_at, now()), i.n
      from load_journals j cross join lateral (select max(n) as n from load_images where contractor_id = j.contractor_id) i
      where j.contractor_id = ${contractorId} and j.state = 'ended' and i.n > ${lastImageBefore(contractorId)}`)
    await orm
      .insert(loadJournals)
      .values({ contractorId, ...values })
      .onConflictDoUpdate({ target: loadJournals.contractorId, set: values })
  })
}

/**
 * Makes the load before the last one the last one again, where the last one left nothing to take back.
 * @returns whether there was one
 */
export const forgetEmptyLoad = (db: Database, contractorId: string): Promise<boolean> =>
  withinContractor(db.orm, contractorId, async (orm) => {
    const found = await rows(
      orm,
      sql`with before as (delete from earlier_loads e where e.load_id = (
          select load_id from earlier_loads where contractor_id = ${contractorId} order by last_image desc limit 1)
          and not exists (select from load_images i where i.contractor_id = ${contractorId} and i.n > e.last_image) returning *)
        update load_journals j set load_id = b.load_id, state = 'ended', step = null, files = b.files, author = b.author,
          created_at = b.created_at, ended_at = b.ended_at
        from before b where j.contractor_id = b.contractor_id returning 1 as one`,
    )
    return found.length > 0
  })

/** Changes what is known of the contractor's last load; with `from`, only where it is in that state. @returns whether it was changed */
export async function changeJournal(
  db: Database,
  contractorId: string,
  changes: Partial<Journal>,
  from?: { loadId: string; state: Journal['state'] },
): Promise<boolean> {
  const isThat = from && and(eq(loadJournals.loadId, from.loadId), eq(loadJournals.state, from.state))
  const changed = await withinContractor(db.orm, contractorId, (orm) =>
    orm
      .update(loadJournals)
      .set(changes)
      .where(and(ofContractor(contractorId), isThat))
      .returning({ id: loadJournals.loadId }),
  )
  return changed.length > 0
}
