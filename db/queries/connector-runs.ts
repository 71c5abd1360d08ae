import { and, desc, eq } from 'drizzle-orm'
import type { Orm } from '../client'
import { connectorRuns } from '../schema'

export type ConnectorRun = typeof connectorRuns.$inferSelect

export async function insertRun(orm: Orm, run: typeof connectorRuns.$inferInsert): Promise<void> {
  await orm.insert(connectorRuns).values(run)
}

const isThat = (contractorId: string, id: string) =>
  and(eq(connectorRuns.contractorId, contractorId), eq(connectorRuns.id, id))

export async function findRun(orm: Orm, contractorId: string, id: string): Promise<ConnectorRun | undefined> {
  const [found] = await orm.select().from(connectorRuns).where(isThat(contractorId, id))
  return found
}

export async function changeRun(
  orm: Orm,
  contractorId: string,
  id: string,
  changes: Partial<ConnectorRun>,
): Promise<void> {
  await orm.update(connectorRuns).set(changes).where(isThat(contractorId, id))
}

/** The latest runs of a contractor's connector, newest first. */
export const latestRuns = (orm: Orm, contractorId: string, connector: string, most: number): Promise<ConnectorRun[]> =>
  orm
    .select()
    .from(connectorRuns)
    .where(and(eq(connectorRuns.contractorId, contractorId), eq(connectorRuns.connector, connector)))
    .orderBy(desc(connectorRuns.id))
    .limit(most)
