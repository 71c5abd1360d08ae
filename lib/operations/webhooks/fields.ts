import * as z from 'zod'
import type { WebhookDelivery, WebhookEndpoint } from '@/db/queries/webhooks'
import { PAUSED_REASONS } from '@/db/schema/webhooks'
import type { Actor } from '@/lib/auth/actor'
import { requireScopes } from '@/lib/auth/require'
import { ServiceError } from '@/lib/core/errors'
import { scopeOf } from '@/lib/core/resource-names'
import { FilterId, Instant } from '@/lib/resources/fields'
import { EVENT_TYPES, resourcesOf } from '@/lib/sync/webhooks/events'

export const SCOPE = 'write:webhooks'

export const WebhookId = FilterId.max(40).describe('As list_webhooks gives it')
export const DeliveryId = FilterId.max(40).describe('As list_webhook_deliveries gives it')

/** The event types, for forms. */
export const WEBHOOK_EVENTS = EVENT_TYPES

const [first = '', ...others] = EVENT_TYPES

/** The events an endpoint takes. */
export const EventTypes = z
  .array(z.enum([first, ...others]))
  .min(1, 'must name at least one event')
  .max(EVENT_TYPES.length)
  .transform((types) => [...new Set(types)])
  .describe('What is sent: `invoice.updated`, `payment.created` …')

export const Description = z.string().trim().max(200).describe('For people: what receives it')

/** An endpoint as it is shown. Its address is shown, because whoever may manage it entered it; its secrets never are. */
export const Webhook = z.object({
  id: z.string(),
  url: z.string(),
  description: z.string(),
  events: z.array(z.string()),
  state: z.enum(['active', 'paused']),
  pausedAt: Instant.nullable(),
  pausedReason: z
    .enum(PAUSED_REASONS)
    .nullable()
    .describe(
      '`person`: somebody paused it; `failing`: it took nothing for 72 hours; `refused`: it answered 410; `too_old`: the feed no longer has ' +
        'what follows its place; `secret`: its signing secret cannot be read; `key`: the key that last set its address was revoked or has expired; ' +
        '`connection`: the connected program that last set it has been disconnected; `member`: the person who last set it is no longer an administrator; `stopped`: the service stopped three times in a row while it sent an event',
    ),
  failingSince: Instant.nullable().describe('Since when every attempt has failed; null while it takes what it gets'),
  succeededAt: Instant.nullable().describe('When it last took an event'),
  waiting: z.int().describe('Events that wait to be sent, counted up to 500; further ones wait in the feed'),
  replaying: z.boolean().describe('Whether a span is being sent again'),
  previousSecretUntil: Instant.nullable().describe('Until when the secret before the last rotation signs too'),
  createdAt: Instant,
})

export const A_WEBHOOK: z.output<typeof Webhook> = {
  id: 'whk_01k9zq2v6n8m4t5c3b7x1w0jd2',
  url: 'https://hooks.example.com/plumbline',
  description: 'Accounting',
  events: ['invoice.created', 'invoice.updated', 'payment.created'],
  state: 'active',
  pausedAt: null,
  pausedReason: null,
  failingSince: null,
  succeededAt: '2026-11-20T08:30:00.000Z',
  waiting: 0,
  replaying: false,
  previousSecretUntil: null,
  createdAt: '2026-11-02T09:30:00.000Z',
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export const shownWebhook = (endpoint: WebhookEndpoint, waiting: number, now: Date): z.output<typeof Webhook> => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  events: endpoint.eventTypes,
  state: endpoint.state,
  pausedAt: iso(endpoint.pausedAt),
  pausedReason: endpoint.pausedReason,
  failingSince: iso(endpoint.failingSince),
  succeededAt: iso(endpoint.succeededAt),
  waiting,
  replaying: endpoint.replayUntil !== null,
  previousSecretUntil: endpoint.previousUntil && endpoint.previousUntil > now ? iso(endpoint.previousUntil) : null,
  createdAt: endpoint.createdAt.toISOString(),
})

const Attempt = z.object({
  at: Instant,
  ms: z.int(),
  status: z.int().optional(),
  error: z.string().optional().describe('Why there was no answer'),
})

/** A delivery without its bodies. */
export const Delivery = z.object({
  id: z.string(),
  webhookId: z.string(),
  messageId: z.string().describe('`webhook-id` of every attempt, and of every repetition of the event'),
  type: z.string(),
  recordId: z.string(),
  state: z
    .enum(['pending', 'delivered', 'failed'])
    .describe('`failed`: given up; replay it once the receiver takes it'),
  isReplay: z.boolean(),
  createdAt: Instant,
  endedAt: Instant.nullable(),
  nextAt: Instant.nullable().describe('When it is tried next'),
  attempts: z.array(Attempt),
  status: z.int().nullable().describe('The receiver’s last status'),
})

export const shownDelivery = (each: WebhookDelivery): z.output<typeof Delivery> => ({
  id: each.id,
  webhookId: each.endpointId,
  messageId: each.messageId,
  type: each.type,
  recordId: each.recordId,
  state: each.state,
  isReplay: each.isReplay,
  createdAt: each.createdAt.toISOString(),
  endedAt: iso(each.endedAt),
  nextAt: each.state === 'pending' ? iso(each.nextAt) : null,
  attempts: each.tried,
  status: each.status,
})

export const A_DELIVERY: z.output<typeof Delivery> = {
  id: 'whd_01k9zq2v6n8m4t5c3b7x1w0jd2',
  webhookId: A_WEBHOOK.id,
  messageId: 'msg_01jb2w7n6d8f0h2k4m6p8r0t2v_417',
  type: 'payment.created',
  recordId: 'pay_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1762075800000',
  state: 'delivered',
  isReplay: false,
  createdAt: '2026-11-20T08:29:59.000Z',
  endedAt: '2026-11-20T08:30:00.000Z',
  nextAt: null,
  attempts: [{ at: '2026-11-20T08:30:00.000Z', ms: 84, status: 200 }],
  status: 200,
}

export const noWebhook = (): ServiceError =>
  new ServiceError('not_found', 'There is no webhook with this id. list_webhooks shows those there are.')

/**
 * Checks that the actor may read what an endpoint is sent: managing it must show nobody what they may not read.
 * @throws ServiceError `forbidden` that names the scope
 */
export function requireReads(actor: Actor, eventTypes: readonly string[]): void {
  requireScopes(actor, resourcesOf(eventTypes).map(scopeOf), 'input')
}
