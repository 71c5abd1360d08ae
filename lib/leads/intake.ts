import { hash } from 'node:crypto'
import { database } from '@/db/client'
import { isOwnFault, type LeadRow, receiveLeads, type StoredLead } from '@/db/queries/leads'
import { parsePhone } from '@/lib/core/contact'
import { env } from '@/lib/core/env'
import { newId, newRecordId } from '@/lib/core/ids'
import { shared } from '@/lib/core/shared'
import { customers } from '@/lib/resources/customers'
import { projects } from '@/lib/resources/projects'
import { batched } from './batch'
import { INBOUND, type Reading } from './read'
import { whoOf } from './who'

/** A body's sender, and how it came. */
export type Origin = {
  contractorId: string
  keyId: string | null
  requestId: string
  at: Date
  contentType: string | null
  bytes: number
  /** The body as it is stored: without secrets. */
  body: string
  /** The text of the header `Idempotency-Key`, which stands for a sender's id where the body has none. */
  idempotencyKey?: string | undefined
  /** The delivery that is replayed; of a replay, the original one. */
  replayOf?: string
}

type ReadLead = Extract<Reading, { kind: 'lead' }>

/**
 * The most leads written together: large enough that a burst takes few statements, small enough that each is fast. The embedded database
 * works in this process, where nobody else is answered meanwhile: one that takes longer than 50 ms is too long there.
 */
const MOST_AT_ONCE = { pglite: 25, others: 100 }
/** The most bytes at once. Long bodies cost more than short ones: four of the longest are written together. */
const MOST_BYTES = 256 * 1024

/** Returns how many of some leads, from the first on, are written together. */
export function groupOf(leads: Pick<LeadRow, 'bytes'>[], most: number): number {
  let [count, all] = [0, 0]
  for (const { bytes } of leads.slice(0, most)) {
    all += bytes
    if (count > 0 && all > MOST_BYTES) break
    count++
  }
  return count
}

const mostAtOnce = () => (env().databaseDriver === 'pglite' ? MOST_AT_ONCE.pglite : MOST_AT_ONCE.others)

/** Takes a lead of a contractor, together with those that arrive while others are written. */
export type StoreLead = (contractorId: string, lead: LeadRow) => Promise<StoredLead>

const take = shared<StoreLead>('storeLead', () =>
  batched<LeadRow, StoredLead>(
    async (contractorId, leads) => receiveLeads(await database(), contractorId, leads),
    isOwnFault,
    (leads) => groupOf(leads, mostAtOnce()),
  ),
)

type Keys = Pick<LeadRow, 'dedupe_key' | 'person_key' | 'body_key'>

/** Returns what stands in a key for texts of any length. */
const digest = (...texts: (string | null | undefined)[]) => hash('sha256', JSON.stringify(texts), 'hex').slice(0, 32)

/**
 * Identifies a lead forever: by its contractor, its source and its sender's id or `Idempotency-Key`, or else by its delivery. An id that comes
 * again with another person is another lead, but on the specification's own path, where the id alone decides. A sender without ids may send
 * a body twice: the second within ten minutes is the first.
 */
export function keysOf(
  { contractorId, keyId, replayOf, body, idempotencyKey }: Omit<Origin, 'requestId' | 'at' | 'bytes' | 'contentType'>,
  { source, lead }: Pick<ReadLead, 'source' | 'lead'>,
  deliveryId: string,
): Keys {
  const { externalId, firstName, lastName, email, phone } = lead
  const id = externalId ?? (idempotencyKey === undefined ? undefined : `Idempotency-Key ${digest(idempotencyKey)}`)
  const isOwnPath = source === INBOUND
  const mayBeOther = externalId !== undefined && !isOwnPath
  if (id !== undefined) {
    const dedupe = `${contractorId}:${source}:${id}`
    const person = () => digest(email ?? (phone && parsePhone(phone)) ?? phone ?? `${firstName} ${lastName}`)
    return { dedupe_key: dedupe, person_key: mayBeOther ? `${dedupe}:${person()}` : undefined, body_key: undefined }
  }
  const isAlwaysNew = isOwnPath || keyId === null || replayOf !== undefined
  return {
    dedupe_key: `delivery:${replayOf ?? deliveryId}`,
    person_key: undefined,
    body_key: isAlwaysNew ? undefined : digest(contractorId, keyId, source, body),
  }
}

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
    mapping: JSON.stringify(mapping),
    replay_of: origin.replayOf ?? null,
    lead_name: who.name,
    lead_phone: who.phone,
    lead_email: who.email,
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
    ...keysOf(origin, { source, lead }, deliveryId),
  }
}

/**
 * Turns a lead into a project of its contractor, once: a lead with the same source and external id returns the existing project.
 * The delivery is stored in the same transaction.
 */
export function storeLead(origin: Origin, reading: ReadLead, createdStatus = 201): Promise<StoredLead> {
  return take()(origin.contractorId, rowOf(origin, reading, createdStatus))
}
