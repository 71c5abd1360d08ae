import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { insertEndpoint, listEndpoints } from '@/db/queries/webhooks'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { endOfFeed } from '@/lib/sync/watch'
import { canSign, newSecret } from '@/lib/sync/webhooks/secrets'
import { authorOf } from '../author'
import { defineOperation } from '../define'
import { A_WEBHOOK, Description, EventTypes, requireReads, SCOPE } from './fields'
import { posted } from './http'
import { A_NEW_WEBHOOK, managedWebhook, Url, voucherOf, WithSecret } from './managed'

const MOST_WEBHOOKS = 20

export const createWebhook = defineOperation({
  name: 'create_webhook',
  title: 'Create a webhook',
  description:
    'Posts the contractor’s events to an address from now on, signed as Standard Webhooks has it. The signing secret is shown this once.',
  access: SCOPE,
  effect: 'write',
  proof: 'recent',
  limit: 'dataApi',
  input: z.object({ url: Url, events: EventTypes, description: Description.default('') }).strict(),
  output: WithSecret,
  example: A_NEW_WEBHOOK,
  http: posted('/webhooks/create', WithSecret, A_NEW_WEBHOOK, {
    url: A_WEBHOOK.url,
    events: A_WEBHOOK.events,
    description: A_WEBHOOK.description,
  }),
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
        vouchedBy: voucherOf(actor),
      })
      const detail = { host: new URL(url).hostname, events: events.join(' ') }
      await audit(orm, by, { event: 'webhook_created', subject: id, detail, told: `to ${detail.host}` })
      return { ...(await managedWebhook(orm, contractorId, id, now)), secret: text }
    })
  },
})
