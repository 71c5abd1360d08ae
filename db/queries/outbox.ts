import { and, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Role } from '@/lib/core/roles'
import { type Orm, rows } from '../client'
import { outgoingMessages } from '../schema'
import type { AccountMail } from '../schema/alerts'

export type NewMessage = Pick<
  typeof outgoingMessages.$inferInsert,
  'id' | 'channel' | 'subject' | 'body' | 'createdAt' | 'nextAt'
> & {
  contractorId: string | null
  personId: string | null
  toAddress?: string | null
}

/** A message to send. `to` is its current address: null when the person has left or removed it. */
export type ClaimedMessage = {
  id: string
  channel: 'email' | 'webhook'
  subject: string
  body: string
  attempts: number
  to: string | null
  /** The details of an email about an account, which has no subject and no body yet. */
  about: AccountMail | null
  createdAt: Date
}

/** Queues an email about an account. It is written when it is sent. */
export async function queueAccountMail(
  orm: Orm,
  { id, to, about, contractorId = null }: { id: string; to: string; about: AccountMail; contractorId?: string | null },
): Promise<void> {
  const now = new Date()
  await orm.insert(outgoingMessages).values({
    ...{ id, contractorId, personId: null, channel: 'email', toAddress: to, subject: '', body: '', about },
    ...{ createdAt: now, nextAt: now },
  })
}

/** Counts the emails of a kind that were sent to an address since a moment. */
export async function countAccountMails(orm: Orm, to: string, kind: AccountMail['kind'], since: Date): Promise<number> {
  const { toAddress, createdAt, sentAt, about } = outgoingMessages
  return await orm.$count(
    outgoingMessages,
    and(eq(toAddress, to), gt(createdAt, since), isNotNull(sentAt), isNotNull(about), sql`${about}->>'kind' = ${kind}`),
  )
}

/** Counts the emails about what outlives a session that an address was sent for a contractor since a moment, sent or waiting. */
export async function countLastingMails(
  orm: Orm,
  to: string,
  contractorId: string | null,
  since: Date,
): Promise<number> {
  const { toAddress, createdAt, about } = outgoingMessages
  return await orm.$count(
    outgoingMessages,
    and(
      eq(toAddress, to),
      sql`${outgoingMessages.contractorId} is not distinct from ${contractorId}`,
      gt(createdAt, since),
      isNotNull(about),
      sql`${about}->>'kind' = 'lasting'`,
    ),
  )
}

/** Counts the invitations that a contractor has mailed since a moment, sent or waiting. */
export async function countInvitationMails(orm: Orm, contractorId: string, since: Date): Promise<number> {
  const { createdAt, about } = outgoingMessages
  return await orm.$count(
    outgoingMessages,
    and(eq(outgoingMessages.contractorId, contractorId), gt(createdAt, since), sql`${about}->>'kind' = 'invitation'`),
  )
}

/** Puts messages into the outbox, inside the transaction that decides on them. */
export async function queueMessages(orm: Orm, messages: NewMessage[]): Promise<void> {
  if (messages.length > 0) await orm.insert(outgoingMessages).values(messages)
}

/** Seconds until the next attempt after each one. They are longer than sending takes, so that no message is taken twice while it is sent. */
const BACKOFF_SECONDS = [60, 300, 900, 3_600, 10_800, 21_600, 43_200]
/** The number of attempts a message gets, over about a day. */
export const MOST_ATTEMPTS = BACKOFF_SECONDS.length + 1

/**
 * Takes messages that are due: contractors have turns, so that the slow addresses of one hold up no other. No other process takes a message until its next attempt is due. `to` is null for a person who may no
 * longer get alerts: they left the team, or no longer have a role in `readers`.
 */
export async function claimDueMessages(orm: Orm, now: Date, most: number, readers: Role[]): Promise<ClaimedMessage[]> {
  const backoff = sql`(array[${sql.join(
    [...BACKOFF_SECONDS, 43_200].map((seconds) => sql`${seconds}::int`),
    sql`, `,
  )}])[least(attempts + 1, ${MOST_ATTEMPTS}::int)]`
  const taken = await rows<Omit<ClaimedMessage, 'createdAt'> & { createdAt: Date | string }>(
    orm,
    sql`with taken as (
        update outgoing_messages set attempts = attempts + 1, next_at = ${now.toISOString()}::timestamptz + ${backoff} * interval '1 second'
        where id in (select id from (
          select id, next_at, row_number() over (partition by contractor_id order by next_at) as turn from (
            select id, contractor_id, next_at from outgoing_messages
            where sent_at is null and failed_at is null and next_at <= ${now.toISOString()}::timestamptz for update skip locked) due) d
          order by turn, next_at limit ${most})
        returning *)
      select t.id, t.channel, t.subject, t.body, t.attempts, t.about, t.created_at as "createdAt", case
        when t.person_id is null then t.to_address
        when not exists (select from members m where m.person_id = t.person_id and m.contractor_id = t.contractor_id
          and m.role = any(${sql.param(readers)}::text[])) then null
        when t.channel = 'email' then (select p.email from people p where p.id = t.person_id)
        else (select s.webhook_url from alert_settings s where s.person_id = t.person_id and s.contractor_id = t.contractor_id)
      end as "to" from taken t order by t.id`,
  )
  return taken.map((message) => ({ ...message, createdAt: new Date(message.createdAt) }))
}

/** Marks a message as sent. */
export async function markSent(orm: Orm, id: string, at: Date): Promise<void> {
  await orm.update(outgoingMessages).set({ sentAt: at, lastError: null }).where(eq(outgoingMessages.id, id))
}

/** Records a failed attempt; with `final` there are no more attempts. */
export async function markFailed(orm: Orm, id: string, error: string, final: Date | null): Promise<void> {
  await orm.update(outgoingMessages).set({ lastError: error, failedAt: final }).where(eq(outgoingMessages.id, id))
}

/** Returns a person's latest messages for a contractor, newest first. */
export async function latestMessages(orm: Orm, contractorId: string, personId: string, limit: number) {
  const { id, channel, subject, createdAt, attempts, sentAt, failedAt, lastError } = outgoingMessages
  return await orm
    .select({ id, channel, subject, createdAt, attempts, sentAt, failedAt, lastError })
    .from(outgoingMessages)
    .where(and(eq(outgoingMessages.personId, personId), eq(outgoingMessages.contractorId, contractorId)))
    .orderBy(desc(id))
    .limit(limit)
}
