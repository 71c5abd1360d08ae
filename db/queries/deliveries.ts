import { and, asc, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { leadDeliveries } from '../schema'

export type NewDelivery = typeof leadDeliveries.$inferInsert

/** Stores a delivery that created no lead. Other deliveries are stored together with their lead. */
export async function insertDelivery(orm: Orm, delivery: NewDelivery): Promise<void> {
  await orm.insert(leadDeliveries).values(delivery)
}

/** Selects a column of a delivery's latest replay that has a project, otherwise of its latest replay. */
const replayed = <T = string>(column: 'outcome' | 'project_id' | 'job_number'): SQL<T | null> =>
  sql`(select r.${sql.raw(column)} from lead_deliveries r where r.replay_of = lead_deliveries.id
    order by r.project_id is null, r.id desc limit 1)`

/** Selects a column of the lead of a delivery's project, for deliveries that were stored without that value. */
const ofLead = (column: SQL) =>
  sql<string | null>`(select ${column} from leads l where l.project_id = lead_deliveries.project_id)`

const OVERVIEW = {
  id: leadDeliveries.id,
  receivedAt: leadDeliveries.receivedAt,
  source: leadDeliveries.source,
  keyId: leadDeliveries.keyId,
  requestId: leadDeliveries.requestId,
  outcome: leadDeliveries.outcome,
  status: leadDeliveries.status,
  projectId: leadDeliveries.projectId,
  jobNumber: leadDeliveries.jobNumber,
  reason: leadDeliveries.reason,
  faults: leadDeliveries.faults,
  replayOf: leadDeliveries.replayOf,
  replayOutcome: replayed('outcome'),
  replayProjectId: replayed('project_id'),
  replayJobNumber: replayed<number>('job_number'),
  name: sql<
    string | null
  >`coalesce(${leadDeliveries.leadName}, ${ofLead(sql`trim(l.first_name || ' ' || l.last_name)`)})`,
  phone: sql<string | null>`coalesce(${leadDeliveries.leadPhone}, ${ofLead(sql`l.phone`)})`,
  email: sql<string | null>`coalesce(${leadDeliveries.leadEmail}, ${ofLead(sql`l.email`)})`,
}

export type DeliveryPage = {
  contractorId: string
  limit: number
  /** The last id of the previous page. */
  before?: string | undefined
  /** The first id of the following page, to page back toward newer deliveries. */
  after?: string | undefined
  outcome?: string | undefined
  source?: string | undefined
  status?: number | undefined
}

/** Returns a contractor's deliveries without their bodies, newest first. */
export async function listDeliveries(orm: Orm, page: DeliveryPage) {
  const { contractorId, limit, before, after, outcome, source, status } = page
  const found = await orm
    .select(OVERVIEW)
    .from(leadDeliveries)
    .where(
      and(
        eq(leadDeliveries.contractorId, contractorId),
        before === undefined ? undefined : lt(leadDeliveries.id, before),
        after === undefined ? undefined : gt(leadDeliveries.id, after),
        outcome === undefined ? undefined : eq(leadDeliveries.outcome, outcome),
        source === undefined ? undefined : eq(leadDeliveries.source, source),
        status === undefined ? undefined : eq(leadDeliveries.status, status),
      ),
    )
    .orderBy(after === undefined ? desc(leadDeliveries.id) : asc(leadDeliveries.id))
    .limit(limit)
  return after === undefined ? found : found.reverse()
}

/** Returns one delivery of a contractor, with its body. */
export async function findDelivery(orm: Orm, contractorId: string, id: string) {
  const { body, bytes, contentType, mapping } = leadDeliveries
  const [found] = await orm
    .select({ ...OVERVIEW, body, bytes, contentType, mapping })
    .from(leadDeliveries)
    .where(and(eq(leadDeliveries.contractorId, contractorId), eq(leadDeliveries.id, id)))
  return found
}

/** Returns the contractor of a delivery, for an operator who knows only its id. */
export async function deliveryContractor(orm: Orm, id: string): Promise<string | undefined> {
  const [found] = await orm
    .select({ contractorId: leadDeliveries.contractorId })
    .from(leadDeliveries)
    .where(eq(leadDeliveries.id, id))
  return found?.contractorId
}
