import * as z from 'zod'
import type { Actor } from '@/lib/auth/actor'
import { ServiceError } from '@/lib/core/errors'
import { INBOUND } from '@/lib/leads/read'
import type { Receipt } from '@/lib/leads/receive'
import { requireSignature, requireVerifyToken } from '@/lib/leads/secrets'
import { receiveSeveral } from '@/lib/leads/several'
import type { LeadSource } from '@/lib/leads/sources/define'
import { findSource, INDIRECT, sources } from '@/lib/leads/sources/registry'
import { defineOperation } from './define'
import {
  CREATED,
  Created,
  Duplicate,
  Ignored,
  leadsOf,
  MAX_BYTES,
  nameIn,
  originOf,
  sourceOf,
  storeRefusedDelivery,
  Test,
} from './lead-delivery'

/** Returns the challenge that Meta sends when its webhook is set up (developers.facebook.com, Webhooks), as it was sent. */
function metaChallenge({ pathname, searchParams: query }: URL): string | undefined {
  if (sourceOf(pathname) !== 'meta') return undefined
  const challenge = query.get('hub.challenge') ?? ''
  return query.get('hub.mode') === 'subscribe' && /^[\w-]{1,200}$/.test(challenge) ? challenge : undefined
}

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
    types: [
      'application/json',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/xml',
      'text/plain',
    ],
    isLenient: true,
    maxBytes: MAX_BYTES,
    bodyExample: {
      lead_id: 'fb-20117',
      'Full Name': 'Samuel Whitfield',
      'Phone Number': '+16155550161',
      platform: 'fb',
    },
    lenientKey: {
      inBody: (path, body) =>
        sourceOf(path) === 'google-ads' ? /"google_key"\s*:\s*"\s*(plb_\w+)\s*"/.exec(body)?.[1] : undefined,
    },
    proof: {
      asked: metaChallenge,
      allow: async (actor, { pathname, searchParams }) => {
        const source = sourceOf(pathname)
        requireOwnSource(actor, source)
        await requireVerifyToken(actor.contractorId, source, searchParams.get('hub.verify_token'))
      },
    },
    costOf: leadsOf,
    answers: {
      200: {
        description: 'Taken: created, received before, a test, or not a lead at all',
        schema: z.union([Created, Duplicate, Test, Ignored]),
        example: CREATED,
      },
    },
    statusOf: () => 200,
  },
  onRefused: storeRefusedDelivery,
  run: async (ctx, { source }): Promise<Receipt> => {
    const to = requireSource(nameIn(source))
    requireOwnSource(ctx.actor, to.name)
    const { body = '', contentType = null } = ctx.received ?? {}
    if (ctx.received) await requireSignature(ctx.actor.contractorId, to, ctx.received)
    return receiveSeveral(originOf(ctx, undefined), to, { body, contentType })
  },
})
