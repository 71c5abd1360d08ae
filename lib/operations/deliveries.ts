import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { findDelivery, listDeliveries } from '@/db/queries/deliveries'
import { type ActingPerson, type Actor, personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import type { Corrections } from '@/lib/leads/corrections'
import { OUTCOMES, type Outcome, storeDelivery } from '@/lib/leads/deliveries'
import type { Origin } from '@/lib/leads/intake'
import { INBOUND, readDelivery } from '@/lib/leads/read'
import { LeadRefused, outcomeOf, receive } from '@/lib/leads/receive'
import { withoutSecrets } from '@/lib/leads/redact'
import { findSource, sources } from '@/lib/leads/sources/registry'
import { LEAD_FIELDS } from '@/lib/leads/submission'
import { consumeLimit } from '@/lib/limits/limiter'
import { rateLimited } from '@/lib/limits/policies'
import { defineOperation } from './define'

export const SOURCE_NAMES = [INBOUND, ...sources.map(({ name }) => name)]

const Fault = z.object({ field: z.string(), message: z.string() })
const MappingSchema = z.object({
  from: z.record(z.string(), z.string()).describe('Our field, and where in the body it stood'),
  unread: z.array(z.string()).describe('Fields of the body that nobody read'),
  setAside: z.array(z.string()).describe('Fields that could not be used and went to the notes'),
  corrections: z.record(z.string(), z.string()).optional().describe('Entered by a person when it was replayed'),
  category: z.string().optional(),
  keyword: z.string().optional(),
})

const Overview = z.object({
  id: z.string(),
  receivedAt: z.date(),
  source: z.string(),
  keyId: z.string().nullable(),
  requestId: z.string(),
  outcome: z.enum(OUTCOMES),
  status: z.int(),
  projectId: z.string().nullable(),
  jobNumber: z.int().nullable(),
  reason: z.string().nullable(),
  faults: z.array(Fault).nullable(),
  replayOf: z.string().nullable(),
  replayOutcome: z.enum(OUTCOMES).nullable().describe('What became of it when it was last run again'),
  replayProjectId: z.string().nullable(),
  replayJobNumber: z.int().nullable().describe('The job it became when it was run again'),
  name: z.string().nullable().describe('Whose lead it is, as the body has it, checked or not'),
  phone: z.string().nullable(),
  email: z.string().nullable(),
})

const CORRECTED = Object.fromEntries(LEAD_FIELDS.map((field) => [field, z.string().max(10_000).optional()]))

/** Values in place of what a body says, by our field names. */
export const CorrectionsSchema = z
  .object(CORRECTED)
  .strict()
  .transform(
    (fields): Corrections => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
  )
  .describe('Values in place of what the body says, by our field names; an empty one removes the field')

const Delivery = Overview.extend({
  contentType: z.string().nullable(),
  bytes: z.int(),
  body: z.string().describe('As it came, up to 64 KB, without secrets'),
  mapping: MappingSchema.nullable(),
})

const EXAMPLE = {
  id: 'dlv_01k9zq2v6n8m4t5c3b7x1w0jd2',
  receivedAt: new Date('2026-11-20T08:30:00.000Z'),
  source: 'zapier',
  keyId: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
  requestId: 'req_6f1f0c0e-4f0e-4b59-9d3e-0a8d5b1f7c2a',
  outcome: 'refused' as const,
  status: 400,
  projectId: null,
  jobNumber: null,
  reason: 'phone: is required when there is no email address; the body has neither',
  faults: [{ field: 'phone', message: 'is required when there is no email address; the body has neither' }],
  replayOf: null,
  replayOutcome: null,
  replayProjectId: null,
  replayJobNumber: null,
  name: 'Ana L.',
  phone: null,
  email: null,
}

/** Lists what came to the lead webhook, newest first. */
export const listLeadDeliveries = defineOperation({
  name: 'list_lead_deliveries',
  title: 'Deliveries to the lead webhook',
  description: 'Every request to the lead webhook with a valid key, newest first, with its outcome.',
  access: 'developer',
  effect: 'read',
  input: z.object({
    outcome: z.enum(OUTCOMES).optional(),
    source: z.string().max(50).optional().describe('The last part of the address it came to'),
    status: z.int().min(100).max(599).optional().describe('What its sender was answered'),
    before: z.string().max(50).optional().describe('The id of the last delivery seen; older ones follow'),
    after: z.string().max(50).optional().describe('The id of the first delivery seen; those next after it follow'),
    limit: z.int().min(1).max(100).default(50),
  }),
  output: z.object({ items: z.array(Overview) }),
  example: { items: [EXAMPLE] },
  run: async ({ actor }, page) => {
    const { contractorId } = actor
    const found = await withinContractor((await database()).orm, contractorId, (orm) =>
      listDeliveries(orm, { contractorId, ...page }),
    )
    return { items: z.array(Overview).parse(found) }
  },
})

/** Returns one delivery of a contractor. @throws ServiceError `not_found` */
export async function requireDelivery(contractorId: string, id: string): Promise<z.output<typeof Delivery>> {
  const found = await withinContractor((await database()).orm, contractorId, (orm) =>
    findDelivery(orm, contractorId, id),
  )
  if (found) return Delivery.parse(found)
  throw new ServiceError('not_found', 'There is no delivery with this id. `leads list` shows the stored ones.')
}

/** Returns one delivery with its body and how it was read. */
export const getLeadDelivery = defineOperation({
  name: 'get_lead_delivery',
  title: 'One delivery',
  description: 'A delivery to the lead webhook with its body, how it was read, and why it was refused.',
  access: 'developer',
  effect: 'read',
  input: z.object({ id: z.string().max(50) }),
  output: Delivery,
  example: { ...EXAMPLE, contentType: 'application/json', bytes: 17, body: '{"Name":"Ana L."}', mapping: null },
  run: ({ actor }, { id }) => requireDelivery(actor.contractorId, id),
})

async function writeDown(by: ActingPerson, id: string, outcome: Outcome, projectId: string | null): Promise<void> {
  await withinContractor((await database()).orm, by.contractorId, (orm) =>
    audit(orm, by, { event: 'lead_replayed', subject: id, detail: { outcome, projectId } }),
  )
}

/** Returns the corrections laid over a body when it is run again: those entered now, over those entered when this one was a replay. */
export const correctionsOf = (
  kept: Pick<z.output<typeof Delivery>, 'mapping'>,
  fields: Corrections = {},
): Corrections => ({
  ...kept.mapping?.corrections,
  ...fields,
})

/** Counts what a person runs again as what a sender posts: as many in a minute. What the operator runs is not counted. */
async function requireLeadLimit(actor: Actor): Promise<void> {
  if (actor.kind !== 'person') return
  const verdict = await consumeLimit('leads', 'leads', actor.personId)
  if (!verdict.allowed) throw rateLimited(verdict, 'leads in a minute run again')
}

/** Runs a delivery again through today's code, as it came, corrected or edited. */
export const replayLeadDelivery = defineOperation({
  name: 'replay_lead_delivery',
  title: 'Run a delivery again',
  description:
    'Runs a delivery again as it is kept, with some fields corrected, or with an edited body, without its sender. What made a project before finds it again and makes no second one.',
  access: 'admin',
  effect: 'write',
  input: z.object({
    id: z.string().max(50),
    body: z.string().max(65_536).optional().describe('The edited body; the stored one when left out'),
    source: z.enum(SOURCE_NAMES).optional().describe('Source, when it came to the wrong address'),
    fields: CorrectionsSchema.optional(),
  }),
  output: z.object({
    outcome: z.enum(OUTCOMES),
    projectId: z.string().optional(),
    jobNumber: z.int().optional(),
    message: z.string(),
    faults: z.array(Fault).optional(),
  }),
  example: {
    outcome: 'created',
    projectId: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2',
    jobNumber: 119,
    message: 'Lead received; a project was created.',
  },
  run: async ({ actor, now }, { id, body: edited, source: named, fields }) => {
    await requireLeadLimit(actor)
    const kept = await requireDelivery(actor.contractorId, id)
    const corrections = correctionsOf(kept, fields)
    const source = named ?? kept.source
    if (!SOURCE_NAMES.includes(source))
      throw new ServiceError(
        'bad_request',
        `It came to ${source}, which is no source. Say whose form it is: ${SOURCE_NAMES.join(', ')}.`,
      )
    const body = withoutSecrets(edited ?? kept.body)
    const contentType = edited === undefined ? kept.contentType : 'application/json'
    const origin: Origin = {
      contractorId: actor.contractorId,
      keyId: kept.keyId,
      requestId: newRequestId(),
      at: now,
      contentType,
      bytes: Buffer.byteLength(body),
      body,
      replayOf: kept.replayOf ?? kept.id,
    }
    try {
      const reading = readDelivery(source, body, contentType, corrections)
      if (Object.keys(corrections).length > 0) reading.mapping.corrections = corrections
      const receipt = await receive(origin, reading, findSource(source) ? 200 : 201)
      const outcome = outcomeOf(receipt)
      await writeDown(personOf(actor), id, outcome, 'projectId' in receipt ? receipt.projectId : null)
      return { outcome, ...receipt }
    } catch (error) {
      if (!(error instanceof LeadRefused)) throw error
      const { message, fields: faults, mapping, who, status } = error
      await storeDelivery(origin, { source, outcome: 'refused', status, reason: message, faults, mapping, who })
      await writeDown(personOf(actor), id, 'refused', null)
      return { outcome: 'refused' as const, message, faults }
    }
  },
})
