import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { findAlertSettings, saveAlertSettings } from '@/db/queries/alerts'
import { latestMessages, queueMessages } from '@/db/queries/outbox'
import type { Actor, PersonActor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { urlFault } from '@/lib/core/public-address'
import { ROLE_FOR } from '@/lib/core/roles'
import { ALERT_KINDS, isAlertKind } from '@/lib/notify/alerts'
import { canMail } from '@/lib/notify/mail'
import { DIGESTS } from '@/lib/notify/run'
import { defineOperation } from '../define'

const DIGEST_NAMES = ['immediate', 'hourly', 'daily'] as const
const MOST_MESSAGES = 20

const Settings = {
  kinds: z.array(z.enum(ALERT_KINDS)).describe('What is told; nothing until chosen'),
  digest: z.enum(DIGEST_NAMES).describe('How long events are gathered for one message'),
  byEmail: z.boolean(),
}
const Message = z.object({
  id: z.string(),
  channel: z.enum(['email', 'webhook']),
  subject: z.string(),
  createdAt: z.date(),
  attempts: z.int(),
  sentAt: z.date().nullable(),
  failedAt: z.date().nullable().describe('When it was given up'),
  lastError: z.string().nullable(),
})
const Shown = z.object({
  ...Settings,
  webhookHost: z.string().nullable().describe('The host alone: the whole address is shown to nobody again'),
  canMail: z.boolean().describe('Whether this server has a way to send mail'),
  messages: z.array(Message).describe('The latest, newest first'),
})
const EXAMPLE: z.output<typeof Shown> = {
  kinds: ['refused_leads'],
  digest: 'hourly',
  byEmail: true,
  webhookHost: 'hooks.slack.com',
  canMail: true,
  messages: [],
}

/** Alerts are a person's own. @throws ServiceError `forbidden` for the operator */
function personOnly(actor: Actor): PersonActor {
  if (actor.kind === 'person') return actor
  throw new ServiceError('forbidden', 'Alerts are set by a person who is signed in to the portal.')
}

async function shown({ contractorId, personId }: PersonActor): Promise<z.output<typeof Shown>> {
  return await withinContractor((await database()).orm, contractorId, async (orm) => {
    const kept = await findAlertSettings(orm, contractorId, personId)
    return {
      kinds: kept?.kinds.filter(isAlertKind) ?? [],
      digest: kept?.digest ?? 'hourly',
      byEmail: kept?.byEmail ?? false,
      webhookHost: kept?.webhookUrl ? new URL(kept.webhookUrl).hostname : null,
      canMail: canMail(),
      messages: await latestMessages(orm, contractorId, personId, MOST_MESSAGES),
    }
  })
}

/** A person's alerts for the contractor they look at. */
export const getAlerts = defineOperation({
  name: 'get_alerts',
  title: 'Alerts',
  description: 'Which alerts the signed-in person gets for this contractor, where, and the latest messages.',
  access: ROLE_FOR.alerts,
  effect: 'read',
  input: z.object({}).strict(),
  output: Shown,
  example: EXAMPLE,
  run: ({ actor }) => shown(personOnly(actor)),
})

const refused = (field: string, message: string) =>
  new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })

/** Sets a person's alerts. */
export const setAlerts = defineOperation({
  name: 'set_alerts',
  title: 'Set alerts',
  description: 'Sets which alerts the signed-in person gets for this contractor, and where.',
  access: ROLE_FOR.alerts,
  effect: 'write',
  // An address gets alerts until somebody removes it.
  proof: { when: (_, { webhookUrl }) => Boolean(webhookUrl) },
  input: z
    .object({
      ...Settings,
      webhookUrl: z.string().trim().max(2_000).nullable().optional().describe('Left out, it stays; null removes it'),
    })
    .strict(),
  output: Shown,
  example: EXAMPLE,
  run: async ({ actor, now }, { kinds, digest, byEmail, webhookUrl }) => {
    const by = personOnly(actor)
    const { contractorId, personId } = by
    const fault = webhookUrl ? urlFault(webhookUrl) : undefined
    if (fault) throw refused('webhookUrl', fault)
    if (byEmail && !canMail()) throw refused('byEmail', 'cannot be turned on: this server has no mail server set')
    await withinContractor((await database()).orm, contractorId, async (orm) => {
      const kept = await findAlertSettings(orm, contractorId, personId)
      const url = webhookUrl === undefined ? (kept?.webhookUrl ?? null) : webhookUrl
      if (kinds.length > 0 && !byEmail && !url)
        throw refused('webhookUrl', 'choose where alerts go: tick Email or enter a Slack address')
      const wasOn = kept && kept.kinds.length > 0
      await saveAlertSettings(orm, {
        contractorId,
        personId,
        kinds,
        digest,
        byEmail,
        webhookUrl: url,
        coveredUntil: wasOn ? kept.coveredUntil : now,
        dueAt: new Date((wasOn ? kept.coveredUntil : now).getTime() + DIGESTS[digest]),
      })
      await audit(orm, by, {
        event: 'alerts_changed',
        detail: { kinds: kinds.join(' '), digest, byEmail, webhook: url !== null },
        told: webhookUrl ? `to go to ${new URL(webhookUrl).hostname}` : undefined,
      })
    })
    return await shown(by)
  },
})

/** Queues a test message to where a person's alerts go. */
export const testAlerts = defineOperation({
  name: 'test_alerts',
  title: 'Send a test alert',
  description: 'Queues a test message to where the signed-in person’s alerts go; it leaves within a minute.',
  access: ROLE_FOR.alerts,
  effect: 'write',
  input: z.object({}).strict(),
  output: Shown,
  example: EXAMPLE,
  run: async ({ actor, now }) => {
    const { contractorId, personId } = personOnly(actor)
    await withinContractor((await database()).orm, contractorId, async (orm) => {
      const kept = await findAlertSettings(orm, contractorId, personId)
      const channels = [
        ...(kept?.byEmail ? (['email'] as const) : []),
        ...(kept?.webhookUrl ? (['webhook'] as const) : []),
      ]
      if (channels.length === 0) throw new ServiceError('bad_request', 'Save an email or webhook choice first.')
      const waiting = (await latestMessages(orm, contractorId, personId, MOST_MESSAGES)).filter(
        ({ sentAt, failedAt }) => !sentAt && !failedAt,
      )
      if (waiting.length >= 4)
        throw new ServiceError('bad_request', 'Earlier messages are still on their way. Wait for those.')
      const text = {
        subject: 'Test of your Plumbline alerts',
        body: 'Alerts reach you here. Nothing happened; you asked for this test.',
      }
      await queueMessages(
        orm,
        channels.map((channel) => ({
          id: newId('message'),
          contractorId,
          personId,
          channel,
          ...text,
          createdAt: now,
          nextAt: now,
        })),
      )
    })
    return await shown(personOnly(actor))
  },
})
