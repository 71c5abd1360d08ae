import { database } from '@/db/client'
import { coverSettings, takeDueSettings } from '@/db/queries/alerts'
import {
  MOST_ATTEMPTS,
  markFailed,
  markSent,
  queueMessages,
  type TakenMessage,
  takeMessages,
} from '@/db/queries/outbox'
import { baseUrls, env } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { safeText } from '@/lib/core/log-safe'
import { ROLE_FOR, rolesWith } from '@/lib/core/roles'
import { part } from '@/lib/runtime/runtime'
import { type Written, writeAccountMail } from './account-mail'
import { findAlerts, isAlertKind } from './alerts'
import { sendMail } from './mail'
import { messageOf } from './texts'
import { postWebhook } from './webhook'

const MINUTE_MS = 60_000
const EVERY_MS = MINUTE_MS
const FIRST_AFTER_MS = 10_000
/** Events may be written this late, because they are written in batches; a window ends this long ago. */
const SETTLED_MS = 15_000
const AT_ONCE = 20

/** How long events are gathered for one message. */
export const DIGESTS = { immediate: MINUTE_MS, hourly: 60 * MINUTE_MS, daily: 24 * 60 * MINUTE_MS } as const

/** How messages are sent. Tests use their own server instead of the internet. */
export type Senders = { email: typeof sendMail; webhook: typeof postWebhook }
const SENDERS: Senders = { email: sendMail, webhook: postWebhook }

export type NotifyReport = { gathered: number; sent: number; failed: number }

/** Gathers the alerts of one person who is due and puts them into the outbox, in one transaction, so that nothing is sent twice. */
async function gatherOne(now: Date): Promise<{ messages: number } | undefined> {
  const { orm } = await database()
  return await orm.transaction(async (tx) => {
    const due = await takeDueSettings(tx, now)
    if (!due) return undefined
    const { contractorId, personId, contractor, coveredUntil: from, byEmail, webhookUrl, digest } = due
    const to = new Date(Math.max(from.getTime(), now.getTime() - SETTLED_MS))
    const alerts = await findAlerts(tx, due.kinds.filter(isAlertKind), { contractorId, from, to })
    const channels = [...(byEmail ? (['email'] as const) : []), ...(webhookUrl ? (['webhook'] as const) : [])]
    const { subject, text } = messageOf(alerts, contractor, baseUrls(env()).portal)
    const messages = alerts.length === 0 ? [] : channels.map((channel) => ({ id: newId('message'), channel }))
    await queueMessages(
      tx,
      messages.map((made) => ({ ...made, contractorId, personId, subject, body: text, createdAt: now, nextAt: now })),
    )
    await coverSettings(tx, due, { coveredUntil: to, dueAt: new Date(now.getTime() + DIGESTS[digest]) })
    return { messages: messages.length }
  })
}

/** What a message says: as it was queued, or written now. */
async function wordsOf({ id, subject, body, about, createdAt }: TakenMessage, to: string, now: Date) {
  if (about === null) return { subject, text: body } satisfies Written
  return await writeAccountMail((await database()).orm, about, { id, to, createdAt }, now)
}

async function send(message: TakenMessage, senders: Senders, now: Date): Promise<boolean> {
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
    if (!gathered) break
    report.gathered += gathered.messages
  }
  while (performance.now() < end) {
    const taken = await takeMessages((await database()).orm, now, AT_ONCE, rolesWith(ROLE_FOR.alerts))
    if (taken.length === 0) break
    for (const done of await Promise.all(taken.map((message) => send(message, senders, now))))
      report[done ? 'sent' : 'failed']++
  }
  return report
}

const timer = part('notifyTimer', () => ({}))

/** Runs notifications every minute; call it once, in long-lived processes. A slow run delays the next one. */
export function scheduleNotifications(): void {
  if (timer().current) return
  timer().current = true
  const run = () =>
    void runNotifications()
      .catch((fault) => logFault({ operation: 'notify' }, fault))
      .finally(() => setTimeout(run, EVERY_MS).unref())
  setTimeout(run, FIRST_AFTER_MS).unref()
}
