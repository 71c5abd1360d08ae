import * as z from 'zod'
import { database } from '@/db/client'
import { previewLead } from '@/db/queries/leads'
import type { Actor } from '@/lib/auth/actor'
import { parsePhone } from '@/lib/core/contact'
import { ServiceError } from '@/lib/core/errors'
import type { Corrections } from '@/lib/leads/corrections'
import { detectForm } from '@/lib/leads/detect'
import { keysOf } from '@/lib/leads/intake'
import { type Reading, readDelivery } from '@/lib/leads/read'
import { MESSAGES } from '@/lib/leads/receive'
import { findSource } from '@/lib/leads/sources/registry'
import { defineOperation } from './define'
import { CorrectionsSchema, correctionsOf, requireDelivery, SOURCE_NAMES } from './deliveries'

type Answer = { status: number; body: Record<string, unknown> }
type LeadPreview = { answer: Answer; customer: { id: string; name: string } | null }

/** Returns what the webhook would answer at this moment; of a replay, what the replay would. */
async function previewOf(contractorId: string, reading: Reading, replayOf: string | undefined): Promise<LeadPreview> {
  const none = { customer: null }
  if (reading.kind === 'refused' && reading.announces !== undefined && replayOf === undefined) {
    const message = `Kept, but not a project yet. ${reading.announces}`
    return { ...none, answer: { status: 200, body: { success: true, ignored: true, message } } }
  }
  if (reading.kind === 'refused') {
    const error = reading.faults.map(({ field, message }) => `${field}: ${message}`).join('; ')
    return { ...none, answer: { status: 400, body: { error, code: 'bad_request', fields: reading.faults } } }
  }
  if (reading.kind !== 'lead') {
    const { kind } = reading
    return { ...none, answer: { status: 200, body: { success: true, [kind]: true, message: MESSAGES[kind] } } }
  }
  const { source, lead } = reading
  const { customer, projectId, nextJobNumber } = await previewLead((await database()).orm, {
    contractorId,
    keys: keysOf({ contractorId, keyId: null, body: '' }, { source, lead }, replayOf ?? ''),
    replayOf,
    name: `${lead.firstName} ${lead.lastName}`.trim(),
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

type Asked = {
  body?: string | undefined
  delivery?: string | undefined
  source?: string | undefined
  contentType?: string | undefined
  fields?: Corrections | undefined
}

/** Returns what is to be read: a body, or a kept delivery with what is changed of it. @throws ServiceError when neither is given */
async function toTry({ contractorId }: Pick<Actor, 'contractorId'>, asked: Asked) {
  const { delivery: id, body, source, contentType = null, fields = {} } = asked
  if (id === undefined) {
    if (body !== undefined) return { source, body, contentType, corrections: fields, replayOf: undefined }
    throw new ServiceError('bad_request', 'body: is required unless a delivery is named', {
      fields: [{ field: 'body', message: 'is required unless a delivery is named' }],
    })
  }
  const kept = await requireDelivery(contractorId, id)
  return {
    source: source ?? (SOURCE_NAMES.includes(kept.source) ? kept.source : undefined),
    body: body ?? kept.body,
    // An edited body is JSON, as of a replay.
    contentType: body === undefined ? kept.contentType : 'application/json',
    corrections: correctionsOf(kept, fields),
    replayOf: kept.replayOf ?? kept.id,
  }
}

/** The fields that have a value. */
const given = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))

/** Reads a pasted body as the webhook would, and creates nothing: the dry run behind the portal's lab. */
export const tryLead = defineOperation({
  name: 'try_lead',
  title: 'Try a lead',
  description:
    'Reads a body as the lead webhook would: whose form it is, how it maps, its category and the answer. Creates nothing.',
  access: 'developer',
  effect: 'read',
  input: z.object({
    body: z.string().max(65_536).optional().describe('Needed unless a delivery is named'),
    delivery: z.string().max(50).optional().describe('A delivery to try again: what is left out is taken from it'),
    fields: CorrectionsSchema.optional(),
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
    values: z.record(z.string(), z.string()).describe('What the body says of our fields, unchecked'),
    faults: z.array(z.object({ field: z.string(), message: z.string() })).describe('Why it would be refused'),
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
    values: { fullName: 'Samuel Whitfield', email: 'sam.whitfield@example.com' },
    faults: [],
    lead: { firstName: 'Samuel', lastName: 'Whitfield', email: 'sam.whitfield@example.com' },
    customer: null,
    answer: { status: 200, body: { success: true, projectId: 'prj_…', jobNumber: 12, message: MESSAGES.created } },
  },
  run: async ({ actor }, input) => {
    const { source, body, contentType, corrections, replayOf } = await toTry(actor, input)
    const reading = readDelivery(source ?? detectForm(body, contentType), body, contentType, corrections)
    const { from, unread, setAside, category, keyword } = reading.mapping
    return {
      source: reading.source,
      from,
      unread,
      setAside,
      category: category ?? null,
      keyword: keyword ?? null,
      values: given(reading.values),
      faults: reading.kind === 'refused' ? reading.faults : [],
      lead: reading.kind === 'lead' ? given(reading.lead) : null,
      ...(await previewOf(actor.contractorId, reading, replayOf)),
    }
  },
})
