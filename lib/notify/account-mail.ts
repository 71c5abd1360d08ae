import type { Orm } from '@/db/client'
import { findMailedInvitation } from '@/db/queries/invitations'
import { type ClaimedMessage, countAccountMails } from '@/db/queries/outbox'
import { storePasswordReset, waysInto } from '@/db/queries/password-resets'
import { findPerson } from '@/db/queries/people'
import { ssoPlacesOf } from '@/db/queries/sso'
import type { AccountMail } from '@/db/schema/alerts'
import { hashOfToken, mailedToken, RESET_MINUTES, RESETS_PER_HOUR } from '@/lib/auth/people/mailed-links'
import { cleanText } from '@/lib/core/clean'
import { baseUrls, env } from '@/lib/core/env'
import { oneLine } from '@/lib/core/text'

/** An email's content. */
export type Written = { subject: string; text: string }

/** An email about an account, with the moment it was asked for. */
export type AccountMailRequest = Pick<ClaimedMessage, 'id' | 'createdAt'> & { to: string }

const MINUTE_MS = 60_000
const portal = () => baseUrls(env()).portal
const line = (text: string) => oneLine(cleanText(text)).slice(0, 100)
const letter = (...paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`

/** Says where to sign in. A place that only its own provider put the address into is not named: it could be anybody's. */
function placesText(places: { name: string; slug: string; isOwn: boolean }[]): string {
  const own = places.filter(({ isOwn }) => isOwn)
  if (own.length === 0) return 'Ask the administrator of your team for the address of its single sign-on.'
  return own.map(({ name, slug }) => `${line(name)}:\n${portal()}/sign-in/sso/${slug}`).join('\n\n')
}

/** A link to choose a new password; how to sign in instead where there is none; nothing for an account that an operator has closed. */
async function resetMail(orm: Orm, { id, to, createdAt }: AccountMailRequest, now: Date): Promise<Written | undefined> {
  const person = await findPerson(orm, to)
  if (!person) return undefined
  const anHourAgo = new Date(now.getTime() - 60 * MINUTE_MS)
  if ((await countAccountMails(orm, to, 'reset', anHourAgo)) >= RESETS_PER_HOUR) return undefined
  const expiresAt = new Date(createdAt.getTime() + RESET_MINUTES * MINUTE_MS)
  if (expiresAt <= now) return undefined
  const ways = await waysInto(orm, person.id)
  if (!ways.password && !ways.sso) return undefined
  const places = ways.password ? [] : await ssoPlacesOf(orm, to)
  if (places.length > 0)
    return {
      subject: 'How to sign in to Plumbline',
      text: letter(
        `Someone asked to reset the password of your Plumbline account, ${to}.`,
        'Your account has no password: you sign in with single sign-on.',
        placesText(places),
        'If you didn’t ask for this, ignore this email. Nothing has changed.',
      ),
    }
  const token = mailedToken(id)
  await storePasswordReset(orm, { tokenHash: hashOfToken(token), personId: person.id, expiresAt })
  return {
    subject: 'Reset your Plumbline password',
    text: letter(
      `Someone asked to reset the password of your Plumbline account, ${to}. Choose a new one here:`,
      `${portal()}/reset-password/${token}`,
      `The link works once, for ${RESET_MINUTES} minutes.`,
      'If you didn’t ask for this, ignore this email. Your password has not changed.',
    ),
  }
}

/** The link to join; nothing for an invitation that was used, withdrawn or mailed again meanwhile. */
async function invitationMail(
  orm: Orm,
  { id, to }: AccountMailRequest,
  { invitationId }: Extract<AccountMail, { kind: 'invitation' }>,
): Promise<Written | undefined> {
  const invitation = await findMailedInvitation(orm, invitationId, id)
  if (invitation?.email !== to) return undefined
  const { contractor, inviter, expiresAt } = invitation
  // Names that people choose are left out: this email goes wherever its sender wants.
  return {
    subject: `Join ${line(contractor)} on Plumbline`,
    text: letter(
      `${inviter ?? 'The operator of Plumbline'} invited you to join the team of ${line(contractor)} on Plumbline. Join here:`,
      `${portal()}/invitation/${mailedToken(id)}`,
      `The link works once, for ${to}, until ${expiresAt.toISOString().slice(0, 10)}. Don’t pass it on.`,
      'If you don’t know the sender, ignore this email.',
    ),
  }
}

function changedMail({ createdAt, to }: AccountMailRequest, by: 'reset' | 'person'): Written {
  const how = by === 'reset' ? 'with a link we sent to this address' : 'in the portal'
  const at = createdAt.toISOString().replace('T', ' ').slice(0, 16)
  return {
    subject: 'Your Plumbline password was changed',
    text: letter(
      `The password of your Plumbline account, ${to}, was changed on ${at} UTC ${how}. All other sessions ended.`,
      'Passkeys, two-factor sign-in and the programs you connected stay. See and end them here:',
      `${portal()}/account`,
      'If that wasn’t you, reset your password now:',
      `${portal()}/forgot-password`,
    ),
  }
}

/** Writes the email about something that outlives the session of whoever did it: who, what, when and from where. */
function lastingMail({ createdAt }: AccountMailRequest, about: Extract<AccountMail, { kind: 'lasting' }>): Written {
  const { who, what, contractor, from, isLast } = about
  const at = createdAt.toISOString().replace('T', ' ').slice(0, 16)
  const facts = [`${line(who)} ${cleanText(what).trim()}.`, `When: ${at} UTC`, `From: ${line(from)}`]
  if (contractor === null)
    return {
      subject: 'Your Plumbline account was changed',
      text: letter(facts.join('\n'), 'If that wasn’t you, reset your password now:', `${portal()}/forgot-password`),
    }
  return {
    subject: `${line(contractor)}: ${cleanText(what)}`.slice(0, 150),
    text: letter(
      `On the team of ${line(contractor)}:`,
      facts.join('\n'),
      'This keeps working after a session ends. All administrators get this email. If nobody on your team meant to do it, undo it and see what else was done:',
      `${portal()}/audit`,
      ...(isLast ? ['Further changes of this hour are not mailed. They are in the audit log.'] : []),
    ),
  }
}

async function placesMail(orm: Orm, { to }: AccountMailRequest): Promise<Written | undefined> {
  const places = await ssoPlacesOf(orm, to)
  if (places.length === 0) return undefined
  return {
    subject: 'Where to sign in to Plumbline',
    text: letter(
      'You asked where to sign in with single sign-on.',
      placesText(places),
      'Bookmark the address. If you didn’t ask for this, ignore this email.',
    ),
  }
}

/**
 * Writes an email about an account at the moment it is sent, with the links that lie in no database.
 * @returns undefined when there is nobody to write to, or nothing to say any more
 */
export async function writeAccountMail(
  orm: Orm,
  about: AccountMail,
  asked: AccountMailRequest,
  now: Date,
): Promise<Written | undefined> {
  switch (about.kind) {
    case 'reset':
      return await resetMail(orm, asked, now)
    case 'invitation':
      return await invitationMail(orm, asked, about)
    case 'password_changed':
      return changedMail(asked, about.by)
    case 'sso_addresses':
      return await placesMail(orm, asked)
    case 'lasting':
      return lastingMail(asked, about)
  }
}
