import { z } from 'zod'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { newRequestId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { keepDelivery } from '@/lib/leads/deliveries'
import type { Origin } from '@/lib/leads/intake'
import { INBOUND, readDelivery, readingOf } from '@/lib/leads/read'
import { LeadRefused, type Receipt, receive } from '@/lib/leads/receive'
import { withoutSecrets } from '@/lib/leads/redact'
import { requireSignature, requireVerifyToken } from '@/lib/leads/secrets'
import { receiveSeveral } from '@/lib/leads/several'
import type { LeadSource } from '@/lib/leads/sources/define'
import { findSource, INDIRECT, sources } from '@/lib/leads/sources/registry'
import { LeadSubmission } from '@/lib/leads/submission'
import { whoOf } from '@/lib/leads/who'
import { takeLocalLimit } from '@/lib/limits/limiter'
import { type Context, defineOperation, type Received, type SuccessAnswer } from './define'

/** What the specification's decisions allow a lead to weigh. */
const MAX_BYTES = 64 * 1024

const Created = z.object({
  success: z.literal(true),
  projectId: z.string(),
  jobNumber: z.int().describe('Counts up per contractor'),
  message: z.string(),
})
const Duplicate = z.object({
  success: z.literal(true),
  projectId: z.string(),
  duplicate: z.literal(true),
  message: z.string(),
})
const Test = z.object({ success: z.literal(true), test: z.literal(true), message: z.string() })
const Ignored = z.object({ success: z.literal(true), ignored: z.literal(true), message: z.string() })

const CREATED = {
  success: true as const,
  projectId: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2',
  jobNumber: 118,
  message: 'Lead received; a project was created.',
}
const DUPLICATE = {
  success: true as const,
  projectId: CREATED.projectId,
  duplicate: true as const,
  message: 'This lead was already received; nothing was created.',
}

const duplicateAnswer: SuccessAnswer = {
  description: 'Received before: nothing was created, the project is the first one’s',
  schema: Duplicate,
  example: DUPLICATE,
}

/** What of a request is kept with its delivery. */
function originOf({ actor, now, received }: Context, body: unknown): Origin {
  const raw = received?.body ?? JSON.stringify(body)
  return {
    contractorId: actor.contractorId,
    keyId: actor.kind === 'key' ? actor.keyId : null,
    requestId: received?.requestId ?? newRequestId(),
    at: received?.at ?? now,
    contentType: received ? (received.contentType?.slice(0, 200) ?? null) : 'application/json',
    bytes: received?.bytes ?? Buffer.byteLength(raw),
    body: withoutSecrets(raw),
  }
}

const isThrottled = (error: ServiceError, keyId: string | null) =>
  error.code === 'rate_limited' && !takeLocalLimit('leads', 'kept refusals', keyId ?? 'operator').allowed

/** Whose lead a body is that was refused before it was read; read as any form where its address names no source. */
function whoInBody({ body, contentType }: Origin, source: string) {
  const known = source === INBOUND || findSource(source) ? source : 'zapier'
  return whoOf(readDelivery(known, body, contentType).values)
}

/**
 * Keeps what was refused, so that it can be seen, edited and run again. Of requests over the limit as many again are kept, no
 * more: a sender gone wild must not fill the disk. When the fault is ours the sender does not wait for it.
 */
async function keepRefused(ctx: Context & { received: Received }, error: ServiceError): Promise<void> {
  const origin = originOf(ctx, undefined)
  if (isThrottled(error, origin.keyId)) return
  const source = sourceOf(ctx.received.path)
  const { mapping, who } = error instanceof LeadRefused ? error : { mapping: undefined, who: whoInBody(origin, source) }
  const kept = keepDelivery(origin, {
    source,
    outcome: error.code === 'internal' ? 'failed' : 'refused',
    status: error.status,
    reason: error.message,
    faults: error.fields,
    mapping,
    who,
  }).catch((fault) => logFault({ operation: 'keep delivery', requestId: origin.requestId }, fault))
  if (error.code !== 'internal') await kept
}

/** A source's name without the key that may stand behind it. */
const nameIn = (segment: string) => segment.split('.', 1)[0]?.slice(0, 50) ?? ''

/** What Meta asks when its webhook is set up (developers.facebook.com, Webhooks): the challenge comes back as it was sent. */
function metaChallenge({ pathname, searchParams: query }: URL): string | undefined {
  if (sourceOf(pathname) !== 'meta') return undefined
  const challenge = query.get('hub.challenge') ?? ''
  return query.get('hub.mode') === 'subscribe' && /^[\w-]{1,200}$/.test(challenge) ? challenge : undefined
}

/** The source that a path names, under its own name. */
function sourceOf(path: string): string {
  const name = nameIn(path.slice(path.lastIndexOf('/') + 1))
  return findSource(name)?.name ?? name
}

/** `POST /api/webhooks/leads/inbound` (specification 4.3): a lead in our own words. */
export const createLead = defineOperation({
  name: 'create_lead',
  title: 'Submit a lead',
  description:
    'Takes a lead, which becomes a project in status `lead` for a customer matched by email or phone, or a new one. Sent again with the same `externalId` it creates nothing and gives the same project, so it is safe to repeat after any failure.',
  access: 'write:leads',
  effect: 'write',
  limit: 'leads',
  input: LeadSubmission,
  output: z.union([Created, Duplicate]),
  example: CREATED,
  http: {
    method: 'POST',
    path: '/api/webhooks/leads/inbound',
    at: 'root',
    body: 'json',
    types: ['application/json'],
    maxBytes: MAX_BYTES,
    bodyExample: {
      firstName: 'Ana',
      lastName: 'Lopez',
      phone: '(615) 555-0142',
      leadSource: 'Google Ads',
      externalId: 'form-1001',
    },
    answers: { 200: duplicateAnswer, 201: { description: 'A project was created', schema: Created, example: CREATED } },
    statusOf: (result) => ('duplicate' in Object(result) ? 200 : 201),
  },
  onRefused: keepRefused,
  tool: {
    category: 'leads',
    description:
      'Records a new lead (an inquiry by a home-owner) as a project in status lead, for a known customer or a new one. Give an externalId when there is one: the same externalId never makes a second project. Only call it when the user asks for a lead to be recorded.',
    example: {
      firstName: 'Ana',
      lastName: 'Lopez',
      phone: '(615) 555-0142',
      leadSource: 'Referral',
      externalId: 'call-2026-11-20-1',
    },
  },
  run: async (ctx, lead) => {
    const receipt = await receive(originOf(ctx, lead), readingOf(lead))
    if ('jobNumber' in receipt || 'duplicate' in receipt) return receipt
    throw new Error('the specification’s webhook has neither tests nor other events')
  },
})

function requireSource(name: string): LeadSource {
  const found = findSource(name)
  if (found) return found
  const names = [INBOUND, ...sources.map((source) => source.name)].join(', ')
  throw new ServiceError('not_found', INDIRECT[name] ?? `There is no lead source of this name. There are ${names}.`)
}

/** A secret URL sends to the source it was made for and to no other. @throws ServiceError `forbidden` */
function requireOwnSource(actor: Actor, source: string): void {
  if (actor.kind !== 'key' || actor.leadSource === undefined || actor.leadSource === source) return
  throw new ServiceError(
    'forbidden',
    `This secret URL was made for another source than ${source}. Create one for ${source} under Keys.`,
  )
}

/** `POST /api/webhooks/leads/{source}`: a lead as its sender writes it. */
export const receiveLead = defineOperation({
  name: 'receive_lead',
  title: 'Take a lead as its sender writes it',
  description:
    'Takes a lead in the sender’s own form, unmodified; the guide to leads shows how each is read. Where the sender can set no header, the key is read as the password of HTTP Basic, from `google_key`, or, if it is a key for URLs, from the path: `<source>.<key>`.',
  access: 'write:leads',
  effect: 'write',
  limit: 'leads',
  input: z.object({
    source: z
      .string()
      .max(120)
      .describe(`Source: ${sources.map(({ name }) => name).join(', ')}`),
  }),
  output: z.union([Created, Duplicate, Test, Ignored]),
  example: CREATED,
  http: {
    method: 'POST',
    path: '/api/webhooks/leads/{source}',
    at: 'root',
    body: 'text',
    bodySchema: z.looseObject({}),
    types: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'],
    maxBytes: MAX_BYTES,
    bodyExample: {
      lead_id: 'fb-20117',
      'Full Name': 'Samuel Whitfield',
      'Phone Number': '+16155550161',
      platform: 'fb',
    },
    lenientKey: {
      inBody: (path, body) =>
        sourceOf(path) === 'google-ads' ? /"google_key"\s*:\s*"(plb_\w+)"/.exec(body)?.[1] : undefined,
    },
    proof: {
      asked: metaChallenge,
      allow: async (actor, { pathname, searchParams }) => {
        const source = sourceOf(pathname)
        requireOwnSource(actor, source)
        await requireVerifyToken(actor.contractorId, source, searchParams.get('hub.verify_token'))
      },
    },
    answers: {
      200: {
        description: 'Taken: created, received before, a test, or not a lead at all',
        schema: z.union([Created, Duplicate, Test, Ignored]),
        example: CREATED,
      },
    },
    statusOf: () => 200,
  },
  onRefused: keepRefused,
  run: async (ctx, { source }): Promise<Receipt> => {
    const to = requireSource(nameIn(source))
    requireOwnSource(ctx.actor, to.name)
    const { body = '', contentType = null } = ctx.received ?? {}
    if (ctx.received) await requireSignature(ctx.actor.contractorId, to, ctx.received)
    return receiveSeveral(originOf(ctx, undefined), to, { body, contentType })
  },
})
