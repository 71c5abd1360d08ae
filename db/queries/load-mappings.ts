import { and, eq } from 'drizzle-orm'
import { type Orm, withinContractor } from '../client'
import { loadMappings } from '../schema'

/** The way files of one shape are read. */
export type StoredMapping = typeof loadMappings.$inferSelect.mapping

/** Returns how a contractor's files of a shape are read; undefined when none was kept. */
export async function findMapping(orm: Orm, contractorId: string, shape: string): Promise<StoredMapping | undefined> {
  const isThat = and(eq(loadMappings.contractorId, contractorId), eq(loadMappings.shape, shape))
  const [found] = await orm.select({ mapping: loadMappings.mapping }).from(loadMappings).where(isThat)
  return found?.mapping
}

/** Keeps how a contractor's files of a shape are read, in place of what was kept before. */
export async function putMapping(
  orm: Orm,
  contractorId: string,
  { shape, name, mapping }: { shape: string; name: string; mapping: StoredMapping },
): Promise<void> {
  const values = { name, mapping, updatedAt: new Date() }
  await withinContractor(orm, contractorId, (within) =>
    within
      .insert(loadMappings)
      .values({ contractorId, shape, ...values })
      .onConflictDoUpdate({ target: [loadMappings.contractorId, loadMappings.shape], set: values }),
  )
}
