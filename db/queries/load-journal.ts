import { and, eq, inArray, sql } from 'drizzle-orm'
import { type Database, type Orm, rows, withinContractor } from '../client'
import { loadJournals } from '../schema'

export type Journal = typeof loadJournals.$inferSelect

/** How many images are deleted in one statement: the embedded database answers nobody else meanwhile. */
const AT_ONCE = 2_000

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

/** Forgets what the last load changed, a few rows per statement. */
async function forgetImages(db: Database, contractorId: string): Promise<void> {
  for (;;) {
    const gone = await withinContractor(db.orm, contractorId, (orm) =>
      rows(
        orm,
        sql`delete from load_images where contractor_id = ${contractorId} and n <= (select max(n) from (
          select n from load_images where contractor_id = ${contractorId} order by n limit ${AT_ONCE}) first) returning 1 as one`,
      ),
    )
    if (gone.length < AT_ONCE) return
  }
}

/** Begins to note a load; what the one before changed is forgotten. */
export async function beginJournal(
  db: Database,
  contractorId: string,
  begun: Pick<Journal, 'loadId' | 'author'>,
): Promise<void> {
  await forgetImages(db, contractorId)
  const values = { ...begun, state: 'running' as const, step: null, files: [], createdAt: new Date(), endedAt: null }
  await withinContractor(db.orm, contractorId, (orm) =>
    orm
      .insert(loadJournals)
      .values({ contractorId, ...values })
      .onConflictDoUpdate({ target: loadJournals.contractorId, set: values }),
  )
}

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
