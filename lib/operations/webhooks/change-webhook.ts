import * as z from 'zod'
import type { Orm } from '@/db/client'
import { dropWaiting, type WebhookEndpoint } from '@/db/queries/webhooks'
import { endOfFeed } from '@/lib/sync/watch'
import { type Context, defineOperation } from '../define'
import { A_WEBHOOK, Description, EventTypes, requireReads, SCOPE, Webhook, WebhookId } from './fields'
import { posted } from './http'
import { changeManaged, Url, voucherOf } from './managed'

const RESUMED = { state: 'active', pausedAt: null, pausedReason: null, failures: 0, failingSince: null } as const

type Wanted = { url?: string | undefined; events?: string[] | undefined; paused?: boolean | undefined }

/** Reports whether a change decides where events go: pausing a webhook and naming it do not. */
const isSending = ({ url, events, paused }: Wanted): boolean =>
  url !== undefined || events !== undefined || paused === false

/** Returns what pausing an endpoint or going on with it changes. Whoever goes on with one that was paused vouches for its address. */
function pausing({ actor, now }: Context, paused: boolean | undefined, { state }: WebhookEndpoint) {
  if (paused === true && state === 'active') return { state: 'paused', pausedAt: now, pausedReason: 'person' } as const
  if (paused !== false) return {}
  return { ...RESUMED, nextAt: now, ...(state === 'paused' ? { vouchedBy: voucherOf(actor) } : {}) }
}

export const changeWebhook = defineOperation({
  name: 'change_webhook',
  title: 'Change a webhook',
  description:
    'Changes a webhook’s address, events or description, pauses it, or goes on with it. What is left out stays. While it is paused nothing is lost: ' +
    'its events follow when it goes on, for 90 days.',
  access: SCOPE,
  effect: 'write',
  proof: { when: (_, input) => isSending(input) },
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
    const change = async (orm: Orm, endpoint: WebhookEndpoint): Promise<Partial<WebhookEndpoint>> => {
      if (events) await dropWaiting(orm, id, events)
      return {
        // An address that stays has whoever set it.
        ...(url === undefined || url === endpoint.url ? {} : { url, vouchedBy: voucherOf(ctx.actor) }),
        ...(events ? { eventTypes: events } : {}),
        ...(description === undefined ? {} : { description }),
        ...pausing(ctx, paused, endpoint),
        // What the feed no longer has cannot follow.
        ...(endpoint.pausedReason === 'too_old' ? place : {}),
      }
    }
    return await changeManaged(ctx, id, 'webhook_changed', change, isSending({ url, events, paused }))
  },
})
