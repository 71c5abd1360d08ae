import { and, desc, eq, getTableColumns, lt } from 'drizzle-orm'
import type { Orm } from '../client'
import { loads } from '../schema'

export type Load = typeof loads.$inferSelect

const { report: _, ...WITHOUT_REPORT } = getTableColumns(loads)

const isTheirs = (contractorId: string, id: string) => and(eq(loads.contractorId, contractorId), eq(loads.id, id))

export async function insertLoad(orm: Orm, load: typeof loads.$inferInsert): Promise<void> {
  await orm.insert(loads).values(load)
}

/** Changes a load that is still running. */
export async function changeLoad(orm: Orm, contractorId: string, id: string, changes: Partial<Load>): Promise<void> {
  await orm
    .update(loads)
    .set(changes)
    .where(and(isTheirs(contractorId, id), eq(loads.state, 'running')))
}

export async function findLoad(orm: Orm, contractorId: string, id: string): Promise<Load | undefined> {
  const [found] = await orm.select().from(loads).where(isTheirs(contractorId, id))
  return found
}

/** Returns a contractor's loads, newest first, without their reports. */
export async function listLoads(
  orm: Orm,
  { contractorId, before, limit }: { contractorId: string; before?: string | undefined; limit: number },
): Promise<Omit<Load, 'report'>[]> {
  return await orm
    .select(WITHOUT_REPORT)
    .from(loads)
    .where(and(eq(loads.contractorId, contractorId), before === undefined ? undefined : lt(loads.id, before)))
    .orderBy(desc(loads.id))
    .limit(limit)
}
