import { and, asc, desc, eq, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { leadDeliveries } from '../schema'

export type DeliveryRecord = typeof leadDeliveries.$inferSelect
export type NewDelivery = typeof leadDeliveries.$inferInsert

/** Stores a delivery that created no lead. Other deliveries are stored together with their lead. */
export async function insertDelivery(orm: Orm, delivery: NewDelivery): Promise<void> {
  await orm.insert(leadDeliveries).values(delivery)
}

/** Of a delivery's replays the latest that has a project, else the latest. */
const replayed = <T = string>(column: 'outcome' | 'project_id' | 'job_number'): SQL<T | null> =>
  sql`(select r.${sql.raw(column)} from lead_deliveries r where r.replay_of = lead_deliveries.id
    order by r.project_id is null, r.id desc limit 1)`

/** What the lead of a delivery's project says, for deliveries that were kept without it. */
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
  /** The id of the first one seen: those next after it in time. */
  after?: string | undefined
  outcome?: string | undefined
  source?: string | undefined
  status?: number | undefined
}

/** A contractor's deliveries without their bodies, newest first. */
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

/** One delivery of a contractor, with its body. */
export async function findDelivery(orm: Orm, contractorId: string, id: string) {
  const { body, bytes, contentType, mapping } = leadDeliveries
  const [found] = await orm
    .select({ ...OVERVIEW, body, bytes, contentType, mapping })
    .from(leadDeliveries)
    .where(and(eq(leadDeliveries.contractorId, contractorId), eq(leadDeliveries.id, id)))
  return found
}

/** The contractor of a delivery, for an operator who knows only its id. */
export async function deliveryContractor(orm: Orm, id: string): Promise<string | undefined> {
  const [found] = await orm
    .select({ contractorId: leadDeliveries.contractorId })
    .from(leadDeliveries)
    .where(eq(leadDeliveries.id, id))
  return found?.contractorId
}
