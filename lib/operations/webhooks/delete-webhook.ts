import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { deleteEndpoint } from '@/db/queries/webhooks'
import { audit } from '@/lib/auth/audit'
import { authorOf } from '../author'
import { defineOperation } from '../define'
import { A_WEBHOOK, noWebhook, SCOPE, WebhookId } from './fields'
import { posted } from './http'

const Deleted = z.object({ id: z.string(), deleted: z.literal(true) })

export const deleteWebhook = defineOperation({
  name: 'delete_webhook',
  title: 'Delete a webhook',
  description: 'Deletes a webhook with its deliveries; nothing more is sent to it.',
  access: SCOPE,
  effect: 'write',
  limit: 'dataApi',
  input: z.object({ id: WebhookId }).strict(),
  output: Deleted,
  example: { id: A_WEBHOOK.id, deleted: true },
  http: posted('/webhooks/delete', Deleted, { id: A_WEBHOOK.id, deleted: true }, { id: A_WEBHOOK.id }),
  run: async ({ actor }, { id }) => {
    const { contractorId } = actor
    await withinContractor((await database()).orm, contractorId, async (orm) => {
      if (!(await deleteEndpoint(orm, contractorId, id))) throw noWebhook()
      await audit(orm, await authorOf(orm, actor), { event: 'webhook_deleted', subject: id })
    })
    return { id, deleted: true as const }
  },
})
