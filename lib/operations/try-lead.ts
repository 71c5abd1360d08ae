import { z } from 'zod'
import { database } from '@/db/client'
import { foreseeLead } from '@/db/queries/leads'
import { parsePhone } from '@/lib/core/contact'
import { ServiceError } from '@/lib/core/errors'
import { dedupeKey } from '@/lib/leads/intake'
import { INBOUND, parseBody, type Reading, readDelivery } from '@/lib/leads/read'
import { MESSAGES } from '@/lib/leads/receive'
import { detectSource, findSource } from '@/lib/leads/sources/registry'
import { defineOperation } from './define'
import { SOURCE_NAMES } from './deliveries'

/** Our own form where its names are used and no sender's mark is in it. */
function detect(body: string, contentType: string | null): string {
  try {
    const parsed = parseBody(body, contentType)
    const found = detectSource(parsed)?.name ?? INBOUND
    return found === 'zapier' && 'firstName' in parsed && 'lastName' in parsed ? INBOUND : found
  } catch (error) {
    if (error instanceof ServiceError) return INBOUND
    throw error
  }
}

type Answer = { status: number; body: Record<string, unknown> }
type Foreseen = { answer: Answer; customer: { id: string; name: string } | null }

/** What the webhook would answer at this moment. */
async function foresee(contractorId: string, reading: Reading): Promise<Foreseen> {
  const none = { customer: null }
  if (reading.kind === 'refused') {
    const error = reading.faults.map(({ field, message }) => `${field}: ${message}`).join('; ')
    return { ...none, answer: { status: 400, body: { error, code: 'bad_request', fields: reading.faults } } }
  }
  if (reading.kind !== 'lead') {
    const { kind } = reading
    return { ...none, answer: { status: 200, body: { success: true, [kind]: true, message: MESSAGES[kind] } } }
  }
  const { source, lead } = reading
  const { customer, projectId, nextJobNumber } = await foreseeLead((await database()).orm, {
    contractorId,
    dedupeKey: dedupeKey(contractorId, source, lead.externalId),
    email: lead.email,
    phone: lead.phone && parsePhone(lead.phone),
  })
  if (projectId !== null) {
    const body = { success: true, projectId, duplicate: true, message: MESSAGES.duplicate }
    return { customer, answer: { status: 200, body } }
  }
  const body = { success: true, projectId: 'prj_…', jobNumber: nextJobNumber, message: MESSAGES.created }
  return { customer, answer: { status: findSource(source) ? 200 : 201, body } }
}

/** Reads a pasted body as the webhook would, and creates nothing: the dry run behind the portal's lab. */
export const tryLead = defineOperation({
  name: 'try_lead',
  title: 'Try a lead',
  description:
    'Reads a body as the lead webhook would: whose form it is, how it maps, its category and the answer. Creates nothing.',
  access: 'developer',
  effect: 'read',
  input: z.object({
    body: z.string().max(65_536),
    source: z.enum(SOURCE_NAMES).optional().describe('Found by its shape when left out'),
    contentType: z.string().max(200).optional().describe('default: application/json'),
  }),
  output: z.object({
    source: z.string(),
    from: z.record(z.string(), z.string()),
    unread: z.array(z.string()),
    setAside: z.array(z.string()),
    category: z.string().nullable(),
    keyword: z.string().nullable(),
    lead: z.record(z.string(), z.string()).nullable().describe('As it would be kept'),
    customer: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .describe('Whom it would be matched to; null when new'),
    answer: z.object({ status: z.int(), body: z.record(z.string(), z.unknown()) }),
  }),
  example: {
    source: 'zapier',
    from: { fullName: 'Full Name', email: 'Email' },
    unread: ['form_name'],
    setAside: [],
    category: 'social_ads',
    keyword: 'fb',
    lead: { firstName: 'Samuel', lastName: 'Whitfield', email: 'sam.whitfield@example.com' },
    customer: null,
    answer: { status: 200, body: { success: true, projectId: 'prj_…', jobNumber: 12, message: MESSAGES.created } },
  },
  run: async ({ actor }, { body, source, contentType = null }) => {
    const reading = readDelivery(source ?? detect(body, contentType), body, contentType)
    const { from, unread, setAside, category, keyword } = reading.mapping
    const kept = reading.kind === 'lead' ? Object.entries(reading.lead) : undefined
    return {
      source: reading.source,
      from,
      unread,
      setAside,
      category: category ?? null,
      keyword: keyword ?? null,
      lead: kept
        ? Object.fromEntries(kept.flatMap(([field, value]) => (value === undefined ? [] : [[field, value]])))
        : null,
      ...(await foresee(actor.contractorId, reading)),
    }
  },
})
