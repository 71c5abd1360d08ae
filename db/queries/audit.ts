import { and, desc, eq, lt, type SQL } from 'drizzle-orm'
import type { Orm } from '../client'
import { auditEvents } from '../schema'

export type AuditRecord = typeof auditEvents.$inferSelect

export async function insertAudit(orm: Orm, record: AuditRecord): Promise<void> {
  await orm.insert(auditEvents).values(record)
}

/** Returns a contractor's audit events older than `before`, newest first. Ids sort by time. */
export async function listAudit(
  orm: Orm,
  query: { contractorId: string; before?: string | undefined; event?: string | undefined; limit: number },
): Promise<AuditRecord[]> {
  const where: SQL[] = [eq(auditEvents.contractorId, query.contractorId)]
  if (query.before) where.push(lt(auditEvents.id, query.before))
  if (query.event) where.push(eq(auditEvents.event, query.event))
  return await orm
    .select()
    .from(auditEvents)
    .where(and(...where))
    .orderBy(desc(auditEvents.id))
    .limit(query.limit)
}
