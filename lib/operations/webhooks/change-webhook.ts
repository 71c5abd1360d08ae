import { z } from 'zod'
import { dropWaiting } from '@/db/queries/webhooks'
import { endOfFeed } from '@/lib/sync/watch'
import { defineOperation } from '../define'
import { A_WEBHOOK, Description, EventTypes, requireReads, SCOPE, Webhook, WebhookId } from './fields'
import { posted } from './http'
import { changeManaged, Url } from './managed'

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
    return await changeManaged(ctx, id, 'webhook_changed', async (orm, endpoint) => {
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
