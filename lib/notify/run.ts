import { database, type Orm } from '@/db/client'
import { coverSettings, lockDueAlertSettings } from '@/db/queries/alerts'
import {
  type ClaimedMessage,
  claimDueMessages,
  MOST_ATTEMPTS,
  markFailed,
  markSent,
  queueMessages,
} from '@/db/queries/outbox'
import { inHand, MOST_STOPS } from '@/db/queries/work-in-hand'
import { baseUrls, env } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { log } from '@/lib/core/log'
import { safeText } from '@/lib/core/log-safe'
import { ROLE_FOR, rolesWith } from '@/lib/core/roles'
import { type Written, writeAccountMail } from './account-mail'
import { findAlerts, isAlertKind } from './alerts'
import { sendMail } from './mail'
import { messageOf } from './texts'
import { postWebhook } from './webhook'

const MINUTE_MS = 60_000
/** Events may be written this late, because they are written in batches; a window ends this long ago. */
const SETTLED_MS = 15_000
const AT_ONCE = 20
/** A period longer than one person's alerts take: whoever had them until then is gone. */
const GATHERED_WITHIN_MS = 10 * MINUTE_MS

const after = (now: Date, milliseconds: number) => new Date(now.getTime() + milliseconds)

/** The time for which events are gathered for one message. */
export const DIGESTS = { immediate: MINUTE_MS, hourly: 60 * MINUTE_MS, daily: 24 * 60 * MINUTE_MS } as const

/** The functions that send messages. Tests use their own server instead of the internet. */
export type Senders = { email: typeof sendMail; webhook: typeof postWebhook }
const SENDERS: Senders = { email: sendMail, webhook: postWebhook }

export type NotifyReport = { gathered: number; sent: number; failed: number }

type Due = NonNullable<Awaited<ReturnType<typeof lockDueAlertSettings>>>

/** Gathers the alerts of one person who is due. @returns how many messages came of it; undefined when nobody is due */
async function gatherOne(now: Date): Promise<number | undefined> {
  const { orm } = await database()
  const due = await orm.transaction(async (tx) => {
    const found = await lockDueAlertSettings(tx, now)
    if (found)
      await coverSettings(tx, found, { coveredUntil: found.coveredUntil, dueAt: after(now, GATHERED_WITHIN_MS) })
    return found
  })
  if (!due) return undefined
  const { contractorId, personId, digest } = due
  return await inHand<number>(
    orm,
    { kind: 'digest', subject: `${contractorId} ${personId}` },
    {
      begun: () => gather(orm, due, now),
      left: async (times) => {
        if (times < MOST_STOPS) return 0
        // What is in that window is left out; the next one is told of.
        log(
          'error',
          { operation: 'notify' },
          `the service stopped ${times} times while it gathered alerts; they are left out`,
        )
        await coverSettings(orm, due, { coveredUntil: now, dueAt: after(now, DIGESTS[digest]) })
        return 0
      },
      later: () => 0,
    },
  )
}

/** Puts a person's alerts into the outbox, in one transaction with up to where they were told, so that nothing is sent twice. */
async function gather(orm: Orm, due: Due, now: Date): Promise<number> {
  const { contractorId, personId, contractor, coveredUntil: from, byEmail, webhookUrl, digest } = due
  const to = new Date(Math.max(from.getTime(), now.getTime() - SETTLED_MS))
  return await orm.transaction(async (tx) => {
    const isMine = await coverSettings(tx, due, { coveredUntil: to, dueAt: after(now, DIGESTS[digest]) })
    if (!isMine) return 0
    const alerts = await findAlerts(tx, due.kinds.filter(isAlertKind), { contractorId, from, to })
    const channels = [...(byEmail ? (['email'] as const) : []), ...(webhookUrl ? (['webhook'] as const) : [])]
    const { subject, text } = messageOf(alerts, contractor, baseUrls(env()).portal)
    const messages = alerts.length === 0 ? [] : channels.map((channel) => ({ id: newId('message'), channel }))
    await queueMessages(
      tx,
      messages.map((made) => ({ ...made, contractorId, personId, subject, body: text, createdAt: now, nextAt: now })),
    )
    return messages.length
  })
}

/** Returns a message's words: as it was queued, or written now. */
async function wordsOf({ id, subject, body, about, createdAt }: ClaimedMessage, to: string, now: Date) {
  if (about === null) return { subject, text: body } satisfies Written
  return await writeAccountMail((await database()).orm, about, { id, to, createdAt }, now)
}

/** Sends a message that was taken. One that ended its process has failed, and the third time in a row it is given up. */
async function send(message: ClaimedMessage, senders: Senders, now: Date): Promise<boolean> {
  const { id, attempts } = message
  const { orm } = await database()
  return await inHand(
    orm,
    { kind: 'message', subject: id },
    {
      begun: () => sendBegun(message, senders, now),
      left: async (times) => {
        const isOver = times >= MOST_STOPS || attempts >= MOST_ATTEMPTS
        await markFailed(orm, id, 'The service was stopped while it sent this message.', isOver ? new Date() : null)
        return false
      },
      later: () => false,
    },
  )
}

async function sendBegun(message: ClaimedMessage, senders: Senders, now: Date): Promise<boolean> {
  const { id, channel, to, attempts } = message
  const { orm } = await database()
  if (to === null) {
    await markFailed(orm, id, 'The person has left the team, is now a viewer, or removed the address.', new Date())
    return false
  }
  try {
    const words = await wordsOf(message, to, now)
    if (!words) {
      await markFailed(orm, id, 'There was nobody to write to, or nothing to say any more.', new Date())
      return false
    }
    if (channel === 'email') await senders.email({ id, to, ...words })
    else await senders.webhook(to, { subject: words.subject, body: words.text })
  } catch (error) {
    // The address may be a secret, as Slack's are.
    const words = safeText(error instanceof Error ? error.message : String(error)).replaceAll(to, 'the address')
    await markFailed(orm, id, words, attempts >= MOST_ATTEMPTS ? new Date() : null)
    return false
  }
  await markSent(orm, id, new Date())
  return true
}

/**
 * Gathers alerts for everyone who is due and sends queued messages until none is left or the time is up. Any number of processes may
 * run it at once.
 */
export async function runNotifications({
  now = new Date(),
  budgetMs = 30_000,
  senders = SENDERS,
} = {}): Promise<NotifyReport> {
  const end = performance.now() + budgetMs
  const report: NotifyReport = { gathered: 0, sent: 0, failed: 0 }
  while (performance.now() < end) {
    const gathered = await gatherOne(now)
    if (gathered === undefined) break
    report.gathered += gathered
  }
  while (performance.now() < end) {
    const taken = await claimDueMessages((await database()).orm, now, AT_ONCE, rolesWith(ROLE_FOR.alerts))
    if (taken.length === 0) break
    for (const done of await Promise.all(taken.map((message) => send(message, senders, now))))
      report[done ? 'sent' : 'failed']++
  }
  return report
}
