import type { Orm } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { adminsOf } from '@/db/queries/members'
import { countLastingMails, queueAccountMail } from '@/db/queries/outbox'
import { mailsPeople } from '@/lib/auth/people/mailed-links'
import { newId } from '@/lib/core/ids'
import type { ActingPerson } from './actor'

/** The number of these emails that an administrator gets about a contractor within an hour; the last of them points to the audit log. */
const MOST_AN_HOUR = 30

/** An action that outlives the session of whoever did it; `contractorId` is null for what is of their own account. */
export type Lasting = { who: string; what: string; contractorId: string | null }

/**
 * Queues an email about what outlives a session, in the transaction of the change: to all administrators of the contractor, whoever did
 * it among them, because it may have been somebody else in their session.
 */
export async function notifyAdmins(orm: Orm, by: ActingPerson, { who, what, contractorId }: Lasting): Promise<void> {
  if (!mailsPeople()) return
  const from = by.kind === 'operator' ? 'the command line' : by.address || 'a connected program'
  const own = by.kind === 'person' ? [by.email] : []
  const to = contractorId === null ? own : await adminsOf(orm, contractorId)
  const contractor = contractorId === null ? undefined : await findContractor(orm, contractorId)
  const anHourAgo = new Date(Date.now() - 3_600_000)
  for (const email of to) {
    const sent = await countLastingMails(orm, email, contractorId, anHourAgo)
    if (sent >= MOST_AN_HOUR) continue
    const isLast = sent === MOST_AN_HOUR - 1
    const about = { kind: 'lasting', who, what, contractor: contractor?.name ?? null, from, isLast } as const
    await queueAccountMail(orm, { id: newId('message'), to: email, contractorId, about })
  }
}
