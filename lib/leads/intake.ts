import { database } from '@/db/client'
import { isOwnFault, type LeadRow, receiveLeads, type TakenLead } from '@/db/queries/leads'
import { parsePhone } from '@/lib/core/contact'
import { newId } from '@/lib/core/ids'
import { processWide } from '@/lib/core/shared'
import { batched } from './batch'
import type { Reading } from './read'

/** By whom and how a body came in. */
export type Origin = {
  contractorId: string
  keyId: string | null
  requestId: string
  at: Date
  contentType: string | null
  bytes: number
  /** As it is kept: without secrets. */
  body: string
  /** The delivery that is run again; of one that was itself a replay, the first. */
  replayOf?: string
}

type ReadLead = Extract<Reading, { kind: 'lead' }>

/** Large enough that a burst is a few statements, small enough that none of them is slow. */
const MOST_AT_ONCE = 100

const take = processWide('leads', () =>
  batched<LeadRow, TakenLead>(
    async (contractorId, leads) => receiveLeads(await database(), contractorId, leads),
    isOwnFault,
    MOST_AT_ONCE,
  ),
)

/** What names a lead for good: its contractor, its source and its sender's id; none without such an id. */
export const dedupeKey = (contractorId: string, source: string, externalId: string | undefined) =>
  externalId === undefined ? undefined : `${contractorId}:${source}:${externalId}`

function rowOf(origin: Origin, { source, lead, service, category, mapping }: ReadLead, createdStatus: number): LeadRow {
  const deliveryId = newId('delivery')
  const customer = `${lead.firstName} ${lead.lastName}`.trim()
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
    dedupe_key: dedupeKey(origin.contractorId, source, lead.externalId) ?? `delivery:${origin.replayOf ?? deliveryId}`,
    external_id: lead.externalId,
    new_project: newId('project'),
    new_customer: newId('user'),
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
 * Makes a lead a project of its contractor, once: a lead of the same source and external id finds the project that is there. The
 * delivery is written down in the same transaction.
 */
export function takeLead(origin: Origin, reading: ReadLead, createdStatus = 201): Promise<TakenLead> {
  return take()(origin.contractorId, rowOf(origin, reading, createdStatus))
}
