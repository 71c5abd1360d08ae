import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { canSign, newSecret } from '@/lib/sync/webhooks/secrets'
import { defineOperation } from '../define'
import { A_WEBHOOK, SCOPE, WebhookId } from './fields'
import { posted } from './http'
import { A_NEW_WEBHOOK, changeManaged, WithSecret } from './managed'

const OVERLAP_MS = 24 * 60 * 60 * 1000

export const rotateWebhookSecret = defineOperation({
  name: 'rotate_webhook_secret',
  title: 'Rotate a webhook’s secret',
  description:
    'Makes a new signing secret, shown this once. The old one signs too for another 24 hours, unless `now` is true.',
  access: SCOPE,
  effect: 'write',
  proof: 'recent',
  limit: 'dataApi',
  input: z.object({ id: WebhookId, now: z.boolean().default(false).describe('The old secret ends at once') }).strict(),
  output: WithSecret,
  example: A_NEW_WEBHOOK,
  http: posted('/webhooks/rotate', WithSecret, A_NEW_WEBHOOK, { id: A_WEBHOOK.id }),
  run: async (ctx, { id, now: atOnce }) => {
    if (!canSign()) throw new ServiceError('bad_request', 'This server has no EXTERNAL_API_TOKEN_SECRET any more.')
    const { text, sealed } = newSecret()
    const rotated = await changeManaged(ctx, id, 'webhook_rotated', async (_, { secret }) => ({
      secret: sealed,
      previousSecret: atOnce ? null : secret,
      previousUntil: atOnce ? null : new Date(ctx.now.getTime() + OVERLAP_MS),
    }))
    return { ...rotated, secret: text }
  },
})
