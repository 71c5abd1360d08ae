import { z } from 'zod'
import { database, type Orm, withinContractor } from '@/db/client'
import {
  changeEndpoint,
  countWaiting,
  deleteEndpoint,
  dropWaiting,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  type WebhookEndpoint,
} from '@/db/queries/webhooks'
import { type AuditEvent, audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { urlFault } from '@/lib/core/public-address'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { readFeed } from '@/lib/sync/feed'
import { canSign, newSecret } from '@/lib/sync/webhooks/secrets'
import { authorOf } from '../author'
import { type Context, defineOperation } from '../define'
import {
  A_WEBHOOK,
  Description,
  EventTypes,
  noWebhook,
  requireReads,
  SCOPE,
  shownWebhook,
  Webhook,
  WebhookId,
} from './fields'
import { posted } from './http'

const MOST_WEBHOOKS = 20
const MOST_COUNTED = 500
const OVERLAP_MS = 24 * 60 * 60 * 1000

const Url = z
  .string()
  .trim()
  .max(2_000)
  .refine((url) => urlFault(url) === undefined, { error: ({ input }) => urlFault(String(input)) ?? 'is not valid' })
  .describe('https:// on the public internet')

const WithSecret = Webhook.extend({
  secret: z.string().describe('Verifies signatures (standardwebhooks.com). Shown this once'),
})
const A_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYg='

/** Returns the place at which the feed ends now: a new endpoint gets what follows. */
async function endOfFeed(contractorId: string): Promise<Pick<WebhookEndpoint, 'position' | 'stamp'>> {
  const query = { contractorId, resources: [...RESOURCE_NAMES], after: undefined, limit: 1 }
  return (await readFeed(await database(), query)).end
}

async function shown(orm: Orm, contractorId: string, id: string, now: Date): Promise<z.output<typeof Webhook>> {
  const endpoint = await findEndpoint(orm, contractorId, id)
  if (!endpoint) throw noWebhook()
  const waiting = await countWaiting(orm, contractorId, MOST_COUNTED)
  return shownWebhook(endpoint, waiting.get(id) ?? 0, now)
}

/** Changes an endpoint that the actor may manage, with an entry in the audit log, and returns it as it is then. */
async function change(
  { actor, now }: Context,
  id: string,
  event: AuditEvent,
  work: (orm: Orm, endpoint: WebhookEndpoint) => Promise<Partial<WebhookEndpoint>>,
) {
  const { contractorId } = actor
  return await withinContractor((await database()).orm, contractorId, async (orm) => {
    const endpoint = await findEndpoint(orm, contractorId, id, true)
    if (!endpoint) throw noWebhook()
    requireReads(actor, endpoint.eventTypes)
    await changeEndpoint(orm, contractorId, id, await work(orm, endpoint))
    await audit(orm, await authorOf(orm, actor), {
      event,
      subject: id,
      detail: { host: new URL(endpoint.url).hostname },
    })
    return await shown(orm, contractorId, id, now)
  })
}

export const listWebhooks = defineOperation({
  name: 'list_webhooks',
  title: 'List webhooks',
  description: 'Where the contractor’s events are posted, and how that goes.',
  access: SCOPE,
  effect: 'read',
  limit: 'dataApi',
  input: z.object({}),
  output: z.object({ items: z.array(Webhook) }),
  example: { items: [A_WEBHOOK] },
  http: { method: 'GET', path: '/webhooks', at: 'data' },
  run: async ({ actor, now }) => {
    const { orm } = await database()
    const endpoints = await listEndpoints(orm, actor.contractorId)
    const waiting = await countWaiting(orm, actor.contractorId, MOST_COUNTED)
    return { items: endpoints.map((each) => shownWebhook(each, waiting.get(each.id) ?? 0, now)) }
  },
})

export const getWebhook = defineOperation({
  name: 'get_webhook',
  title: 'Get one webhook',
  description: 'One webhook of the contractor by its id.',
  access: SCOPE,
  effect: 'read',
  limit: 'dataApi',
  input: z.object({ id: WebhookId }),
  output: Webhook,
  example: A_WEBHOOK,
  http: { method: 'GET', path: '/webhooks/{id}', at: 'data' },
  run: async ({ actor, now }, { id }) => shown((await database()).orm, actor.contractorId, id, now),
})

export const createWebhook = defineOperation({
  name: 'create_webhook',
  title: 'Create a webhook',
  description:
    'Posts the contractor’s events to an address from now on, signed as Standard Webhooks has it. The signing secret is shown this once.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z.object({ url: Url, events: EventTypes, description: Description.default('') }).strict(),
  output: WithSecret,
  example: { ...A_WEBHOOK, secret: A_SECRET },
  http: posted(
    '/webhooks/create',
    WithSecret,
    { ...A_WEBHOOK, secret: A_SECRET },
    {
      url: A_WEBHOOK.url,
      events: A_WEBHOOK.events,
      description: A_WEBHOOK.description,
    },
  ),
  run: async ({ actor, now }, { url, events, description }) => {
    requireReads(actor, events)
    if (!canSign())
      throw new ServiceError(
        'bad_request',
        'Webhooks are not enabled on this server: it has no EXTERNAL_API_TOKEN_SECRET, which protects their secrets. Ask its operator to set one.',
      )
    const { contractorId } = actor
    const place = await endOfFeed(contractorId)
    const { text, sealed } = newSecret()
    const id = newId('webhook')
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      if ((await listEndpoints(orm, contractorId)).length >= MOST_WEBHOOKS)
        throw new ServiceError('bad_request', `There are ${MOST_WEBHOOKS} webhooks already. Delete one first.`)
      const by = await authorOf(orm, actor)
      await insertEndpoint(orm, {
        id,
        contractorId,
        url,
        description,
        eventTypes: events,
        secret: sealed,
        ...place,
        state: 'active',
        nextAt: now,
        createdAt: now,
        createdBy: by.kind === 'key' ? by.keyId : by.kind,
      })
      const detail = { host: new URL(url).hostname, events: events.join(' ') }
      await audit(orm, by, { event: 'webhook_created', subject: id, detail })
      return { ...(await shown(orm, contractorId, id, now)), secret: text }
    })
  },
})

const RESUMED = { state: 'active', pausedAt: null, pausedReason: null, failures: 0, failingSince: null } as const

export const changeWebhook = defineOperation({
  name: 'change_webhook',
  title: 'Change a webhook',
  description:
    'Changes a webhook’s address, events or description, pauses it, or goes on with it. What is left out stays. While it is paused nothing is lost: ' +
    'its events follow when it goes on, for 90 days.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z
    .object({
      id: WebhookId,
      url: Url.optional(),
      events: EventTypes.optional(),
      description: Description.optional(),
      paused: z.boolean().optional().describe('true pauses it, false goes on'),
    })
    .strict(),
  output: Webhook,
  example: A_WEBHOOK,
  http: posted('/webhooks/change', Webhook, A_WEBHOOK, { id: A_WEBHOOK.id, paused: true }),
  run: async (ctx, { id, url, events, description, paused }) => {
    if (events) requireReads(ctx.actor, events)
    const place = paused === false ? await endOfFeed(ctx.actor.contractorId) : undefined
    return await change(ctx, id, 'webhook_changed', async (orm, endpoint) => {
      if (events) await dropWaiting(orm, id, events)
      return {
        ...(url === undefined ? {} : { url }),
        ...(events ? { eventTypes: events } : {}),
        ...(description === undefined ? {} : { description }),
        ...(paused === true && endpoint.state === 'active'
          ? { state: 'paused', pausedAt: ctx.now, pausedReason: 'person' }
          : {}),
        ...(paused === false ? { ...RESUMED, nextAt: ctx.now } : {}),
        // What the feed no longer has cannot follow.
        ...(endpoint.pausedReason === 'too_old' ? place : {}),
      }
    })
  },
})

export const rotateWebhookSecret = defineOperation({
  name: 'rotate_webhook_secret',
  title: 'Rotate a webhook’s secret',
  description:
    'Makes a new signing secret, shown this once. The old one signs too for another 24 hours, unless `now` is true.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z.object({ id: WebhookId, now: z.boolean().default(false).describe('The old secret ends at once') }).strict(),
  output: WithSecret,
  example: { ...A_WEBHOOK, secret: A_SECRET },
  http: posted('/webhooks/rotate', WithSecret, { ...A_WEBHOOK, secret: A_SECRET }, { id: A_WEBHOOK.id }),
  run: async (ctx, { id, now: atOnce }) => {
    if (!canSign()) throw new ServiceError('bad_request', 'This server has no EXTERNAL_API_TOKEN_SECRET any more.')
    const { text, sealed } = newSecret()
    const rotated = await change(ctx, id, 'webhook_rotated', async (_, { secret }) => ({
      secret: sealed,
      previousSecret: atOnce ? null : secret,
      previousUntil: atOnce ? null : new Date(ctx.now.getTime() + OVERLAP_MS),
    }))
    return { ...rotated, secret: text }
  },
})

export const deleteWebhook = defineOperation({
  name: 'delete_webhook',
  title: 'Delete a webhook',
  description: 'Deletes a webhook with its deliveries; nothing more is sent to it.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z.object({ id: WebhookId }).strict(),
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  example: { id: A_WEBHOOK.id, deleted: true },
  http: posted(
    '/webhooks/delete',
    z.object({ id: z.string(), deleted: z.literal(true) }),
    { id: A_WEBHOOK.id, deleted: true },
    { id: A_WEBHOOK.id },
  ),
  run: async ({ actor }, { id }) => {
    const { contractorId } = actor
    await withinContractor((await database()).orm, contractorId, async (orm) => {
      if (!(await deleteEndpoint(orm, contractorId, id))) throw noWebhook()
      await audit(orm, await authorOf(orm, actor), { event: 'webhook_deleted', subject: id })
    })
    return { id, deleted: true as const }
  },
})
