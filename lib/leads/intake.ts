import { database } from '@/db/client'
import { isOwnFault, type LeadRow, receiveLeads, type TakenLead } from '@/db/queries/leads'
import { parsePhone } from '@/lib/core/contact'
import { newId, newRecordId } from '@/lib/core/ids'
import { customers } from '@/lib/resources/customers'
import { projects } from '@/lib/resources/projects'
import { part } from '@/lib/runtime/runtime'
import { batched } from './batch'
import type { Reading } from './read'
import { whoOf } from './who'

/** Who sent a body, and how. */
export type Origin = {
  contractorId: string
  keyId: string | null
  requestId: string
  at: Date
  contentType: string | null
  bytes: number
  /** As it is stored: without secrets. */
  body: string
  /** The delivery that is replayed; of a replay, the original one. */
  replayOf?: string
}

type ReadLead = Extract<Reading, { kind: 'lead' }>

/** Large enough that a burst takes few statements, small enough that each is fast. */
const MOST_AT_ONCE = 100

/** Takes a lead of a contractor, together with those that arrive while others are written. */
export type TakeLead = (contractorId: string, lead: LeadRow) => Promise<TakenLead>

const take = part('takeLead', () =>
  batched<LeadRow, TakenLead>(
    async (contractorId, leads) => receiveLeads(await database(), contractorId, leads),
    isOwnFault,
    MOST_AT_ONCE,
  ),
)

/** Identifies a lead forever: its contractor, its source and its sender's id; undefined without such an id. */
export const dedupeKey = (contractorId: string, source: string, externalId: string | undefined) =>
  externalId === undefined ? undefined : `${contractorId}:${source}:${externalId}`

function rowOf(
  origin: Origin,
  { source, lead, service, category, mapping, values }: ReadLead,
  createdStatus: number,
): LeadRow {
  const deliveryId = newId('delivery', origin.at)
  const customer = `${lead.firstName} ${lead.lastName}`.trim()
  const who = whoOf(values)
  return {
    delivery_id: deliveryId,
    key_id: origin.keyId,
    request_id: origin.requestId,
    source,
    received_at: origin.at.toISOString(),
    content_type: origin.contentType,
    bytes: origin.bytes,
    body: origin.body,
    created_status: createdStatus,
    mapping,
    replay_of: origin.replayOf ?? null,
    lead_name: who.name,
    lead_phone: who.phone,
    lead_email: who.email,
    dedupe_key: dedupeKey(origin.contractorId, source, lead.externalId) ?? `delivery:${origin.replayOf ?? deliveryId}`,
    external_id: lead.externalId,
    new_project: newRecordId(projects.idPrefix),
    new_customer: newRecordId(customers.idPrefix),
    project_name: `${service ?? 'Inquiry'} – ${customer}`,
    customer_name: customer,
    first_name: lead.firstName,
    last_name: lead.lastName,
    email: lead.email,
    phone: lead.phone && parsePhone(lead.phone),
    phone_raw: lead.phone,
    address: lead.address,
    city: lead.city,
    state: lead.state,
    zip: lead.zipCode,
    notes: lead.notes,
    lead_source: lead.leadSource,
    source_keyword: category.keyword,
    source_category: category.category,
  }
}

/**
 * Turns a lead into a project of its contractor, once: a lead with the same source and external id returns the existing project.
 * The delivery is stored in the same transaction.
 */
export function takeLead(origin: Origin, reading: ReadLead, createdStatus = 201): Promise<TakenLead> {
  return take()(origin.contractorId, rowOf(origin, reading, createdStatus))
}
