import * as z from 'zod'
import { database } from '@/db/client'
import { countWaiting, listEndpoints } from '@/db/queries/webhooks'
import { defineOperation } from '../define'
import { A_WEBHOOK, SCOPE, shownWebhook, Webhook, WebhookId } from './fields'
import { MOST_COUNTED, managedWebhook } from './managed'

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
  run: async ({ actor, now }, { id }) => managedWebhook((await database()).orm, actor.contractorId, id, now),
})
