import { and, asc, desc, eq, gt, lt, type SQL } from 'drizzle-orm'
import type { Orm } from '../client'
import { auditEvents } from '../schema'

export type AuditRecord = typeof auditEvents.$inferSelect

export async function insertAudit(orm: Orm, record: AuditRecord): Promise<void> {
  await orm.insert(auditEvents).values(record)
}

/**
 * Returns a contractor's audit log, newest first (ids are in order of time): the entries before an id, or the next ones after it.
 */
export async function listAudit(
  orm: Orm,
  query: {
    contractorId: string
    before?: string | undefined
    after?: string | undefined
    event?: string | undefined
    limit: number
  },
): Promise<AuditRecord[]> {
  const { contractorId, before, after, event, limit } = query
  const where: SQL[] = [eq(auditEvents.contractorId, contractorId)]
  if (before) where.push(lt(auditEvents.id, before))
  if (after) where.push(gt(auditEvents.id, after))
  if (event) where.push(eq(auditEvents.event, event))
  const found = await orm
    .select()
    .from(auditEvents)
    .where(and(...where))
    .orderBy(after ? asc(auditEvents.id) : desc(auditEvents.id))
    .limit(limit)
  return after ? found.reverse() : found
}
