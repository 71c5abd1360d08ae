import * as z from 'zod'
import { database, type Orm, withinContractor } from '@/db/client'
import { changeEndpoint, countWaiting, findEndpoint, type WebhookEndpoint } from '@/db/queries/webhooks'
import type { Actor } from '@/lib/auth/actor'
import { type AuditEvent, audit } from '@/lib/auth/audit'
import { urlFault } from '@/lib/core/public-address'
import { authorOf } from '../author'
import type { Context } from '../define'
import { A_WEBHOOK, noWebhook, requireReads, shownWebhook, Webhook } from './fields'

/** Events that wait are counted up to so many. */
export const MOST_COUNTED = 500

/** The URL that receives events. */
export const Url = z
  .string()
  .trim()
  .max(2_000)
  .refine((url) => urlFault(url) === undefined, { error: ({ input }) => urlFault(String(input)) ?? 'is not valid' })
  .describe('https:// on the public internet')

/** A webhook with its signing secret, which is shown when it is made and when it is rotated. */
export const WithSecret = Webhook.extend({
  secret: z.string().describe('Verifies signatures (standardwebhooks.com). Shown this once'),
})
export const A_NEW_WEBHOOK: z.output<typeof WithSecret> = {
  ...A_WEBHOOK,
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYg=',
}

/** Returns an endpoint as it is shown. @throws ServiceError `not_found` */
export async function managedWebhook(
  orm: Orm,
  contractorId: string,
  id: string,
  now: Date,
): Promise<z.output<typeof Webhook>> {
  const endpoint = await findEndpoint(orm, contractorId, id)
  if (!endpoint) throw noWebhook()
  const waiting = await countWaiting(orm, contractorId, MOST_COUNTED)
  return shownWebhook(endpoint, waiting.get(id) ?? 0, now)
}

/** Returns who vouches for an address from now on: its events are paused when they lose the right to (`pauseUnvouched`). */
export function voucherOf(actor: Actor): string {
  if (actor.kind === 'key') return actor.keyId
  return actor.kind === 'person' ? actor.personId : actor.kind
}

/** Changes an endpoint that the actor may manage, with an entry in the audit log, and returns it as it is then. */
export async function changeManaged(
  { actor, now }: Context,
  id: string,
  event: AuditEvent,
  work: (orm: Orm, endpoint: WebhookEndpoint) => Promise<Partial<WebhookEndpoint>>,
  isTold = true,
) {
  const { contractorId } = actor
  return await withinContractor((await database()).orm, contractorId, async (orm) => {
    const endpoint = await findEndpoint(orm, contractorId, id, true)
    if (!endpoint) throw noWebhook()
    requireReads(actor, endpoint.eventTypes)
    const changes = await work(orm, endpoint)
    await changeEndpoint(orm, contractorId, id, changes)
    const host = new URL(changes.url ?? endpoint.url).hostname
    const before = changes.url === undefined ? {} : { hostBefore: new URL(endpoint.url).hostname }
    await audit(orm, await authorOf(orm, actor), {
      event,
      subject: id,
      detail: { host, ...before },
      told: isTold ? `to ${host}` : undefined,
    })
    return await managedWebhook(orm, contractorId, id, now)
  })
}
