import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { positionBefore } from '@/db/queries/webhook-feed'
import {
  addDeliveries,
  changeEndpoint,
  findDelivery,
  findEndpoint,
  listDeliveries,
  type WebhookDelivery,
} from '@/db/queries/webhooks'
import type { Actor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { requireScopes } from '@/lib/auth/require'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { isResourceName, RESOURCE_NAMES, scopeOf } from '@/lib/core/resource-names'
import { FromMoment, ToMoment } from '@/lib/resources/fields'
import { TEST_TYPE } from '@/lib/sync/webhooks/events'
import { authorOf } from '../author'
import { defineOperation } from '../define'
import { A_DELIVERY, Delivery, DeliveryId, noWebhook, requireReads, SCOPE, shownDelivery, WebhookId } from './fields'
import { posted } from './http'

const STATES = ['pending', 'delivered', 'failed'] as const

const noDelivery = () => new ServiceError('not_found', 'There is no delivery with this id. They are kept for 30 days.')

/** A body holds a record, so it takes the scope of that record's kind. @throws ServiceError `forbidden` */
function requireBody(actor: Actor, { resource }: WebhookDelivery): void {
  if (isResourceName(resource)) requireScopes(actor, [scopeOf(resource)], 'input')
}

const LIMIT = { error: 'must be a whole number from 1 to 100' }

export const listWebhookDeliveries = defineOperation({
  name: 'list_webhook_deliveries',
  title: 'List webhook deliveries',
  description: 'What was sent to a webhook and what waits, the latest first, with every attempt. Kept for 30 days.',
  access: SCOPE,
  effect: 'read',
  limit: 'dataApi',
  input: z.object({
    webhook: WebhookId,
    state: z.enum(STATES).optional(),
    before: z
      .string()
      .regex(/^\d{1,15}$/, 'must be `next` of the page before')
      .meta({ maxLength: 15 })
      .optional()
      .describe('`next` of the page before'),
    limit: z.int(LIMIT).min(1, LIMIT).max(100, LIMIT).default(50),
  }),
  output: z.object({ items: z.array(Delivery), next: z.string().nullable().describe('Send it as `before`') }),
  example: { items: [A_DELIVERY], next: null },
  http: { method: 'GET', path: '/webhook-deliveries', at: 'data' },
  run: async ({ actor }, { webhook, state, before, limit }) => {
    const { orm } = await database()
    const { contractorId } = actor
    if (!(await findEndpoint(orm, contractorId, webhook))) throw noWebhook()
    const query = { contractorId, endpointId: webhook, state, limit: limit + 1 }
    const found = await listDeliveries(orm, { ...query, before: before === undefined ? undefined : Number(before) })
    const items = found.slice(0, limit)
    const last = found.length > limit ? items.at(-1) : undefined
    return { items: items.map(shownDelivery), next: last ? String(last.seq) : null }
  },
})

const Whole = Delivery.extend({
  body: z.string().describe('Exactly what is sent and signed'),
  response: z.string().nullable().describe('The beginning of the receiver’s last answer'),
})

export const getWebhookDelivery = defineOperation({
  name: 'get_webhook_delivery',
  title: 'Get one webhook delivery',
  description:
    'One delivery with its body, every attempt, and what the receiver last answered. Needs the scope of the record that it tells of.',
  access: SCOPE,
  effect: 'read',
  limit: 'dataApi',
  input: z.object({ id: DeliveryId }),
  output: Whole,
  example: { ...A_DELIVERY, body: '{"type":"payment.created","timestamp":"…","data":{}}', response: 'ok' },
  http: { method: 'GET', path: '/webhook-deliveries/{id}', at: 'data' },
  run: async ({ actor }, { id }) => {
    const found = await findDelivery((await database()).orm, actor.contractorId, id)
    if (!found) throw noDelivery()
    requireBody(actor, found)
    return { ...shownDelivery(found), body: found.body, response: found.response }
  },
})

const Queued = z.object({ id: z.string().describe('The new delivery') })

export const replayWebhookDelivery = defineOperation({
  name: 'replay_webhook_delivery',
  title: 'Replay one delivery',
  description: 'Sends one event again, with the same body and `webhook-id`. It follows what waits for the same record.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z.object({ id: DeliveryId }).strict(),
  output: Queued,
  example: { id: A_DELIVERY.id },
  http: posted('/webhook-deliveries/replay', Queued, { id: A_DELIVERY.id }, { id: A_DELIVERY.id }),
  run: async ({ actor, now }, { id }) => {
    const { contractorId } = actor
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      const found = await findDelivery(orm, contractorId, id)
      if (!found) throw noDelivery()
      requireBody(actor, found)
      if (found.state === 'pending') throw new ServiceError('bad_request', 'This event still waits to be sent.')
      const { messageId, endpointId, position, type, resource, recordId, body } = found
      const event = { contractorId, endpointId, messageId, position, type, resource, recordId, body }
      const again = newId('webhookDelivery')
      await addDeliveries(orm, [{ ...event, id: again, isReplay: true, state: 'pending', nextAt: now, createdAt: now }])
      await audit(orm, await authorOf(orm, actor), {
        event: 'webhook_replayed',
        subject: endpointId,
        detail: { of: id },
      })
      return { id: again }
    })
  },
})

const Span = z.object({
  id: z.string(),
  events: z.int().describe('Positions of the feed in the span, at most as many events'),
})

export const replayWebhook = defineOperation({
  name: 'replay_webhook',
  title: 'Replay a span',
  description:
    'Sends a webhook every event of a span of the feed again, up to 90 days back, also those of before the webhook was there. Bodies show records as they are ' +
    'now; `webhook-id` is that of the first time.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z
    .object({
      id: WebhookId,
      from: FromMoment.meta({ maxLength: 40 }),
      to: ToMoment.meta({ maxLength: 40 }).optional().describe('Last day (whole, UTC) or moment; now when left out'),
    })
    .strict(),
  output: Span,
  example: { id: A_DELIVERY.webhookId, events: 417 },
  http: posted(
    '/webhooks/replay',
    Span,
    { id: A_DELIVERY.webhookId, events: 417 },
    {
      id: A_DELIVERY.webhookId,
      from: '2026-11-01',
      to: '2026-11-02',
    },
  ),
  run: async ({ actor, now }, { id, from, to }) => {
    const { contractorId } = actor
    const db = await database()
    const at = (moment: Date) => positionBefore(db, { contractorId, resources: RESOURCE_NAMES, at: moment })
    const begin = await at(new Date(from))
    const end = await at(to === undefined ? now : new Date(to))
    if (end <= begin)
      throw new ServiceError('bad_request', 'Nothing changed in that span, so there is nothing to replay.')
    await withinContractor(db.orm, contractorId, async (orm) => {
      const endpoint = await findEndpoint(orm, contractorId, id, true)
      if (!endpoint) throw noWebhook()
      requireReads(actor, endpoint.eventTypes)
      if (endpoint.replayUntil !== null)
        throw new ServiceError('bad_request', 'A span is being replayed already. Wait until it has ended.')
      // What is not sent yet follows by itself.
      const replayUntil = Math.min(end, endpoint.position)
      if (replayUntil <= begin) throw new ServiceError('bad_request', 'The events of that span still wait to be sent.')
      await changeEndpoint(orm, contractorId, id, { replayPosition: begin, replayUntil })
      await audit(orm, await authorOf(orm, actor), {
        event: 'webhook_replayed',
        subject: id,
        detail: { from, to: to ?? null },
      })
    })
    return { id, events: end - begin }
  },
})

export const testWebhook = defineOperation({
  name: 'test_webhook',
  title: 'Send a test event',
  description: 'Sends a webhook an event of type `webhook.test`, which is in its deliveries like any other.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z.object({ id: WebhookId }).strict(),
  output: Queued,
  example: { id: A_DELIVERY.id },
  http: posted('/webhooks/test', Queued, { id: A_DELIVERY.id }, { id: A_DELIVERY.webhookId }),
  run: async ({ actor, now }, { id }) => {
    const { contractorId } = actor
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      const endpoint = await findEndpoint(orm, contractorId, id)
      if (!endpoint) throw noWebhook()
      const made = newId('webhookDelivery')
      const body = JSON.stringify({ type: TEST_TYPE, timestamp: now.toISOString(), data: { webhookId: id } })
      const event = { contractorId, endpointId: id, type: TEST_TYPE, resource: 'webhook', recordId: made, body }
      const queued = { ...event, id: made, messageId: newId('message'), isReplay: false, state: 'pending' } as const
      await addDeliveries(orm, [{ ...queued, position: null, nextAt: now, createdAt: now }])
      return { id: made }
    })
  },
})
