import { randomBytes } from 'node:crypto'
import { database, type Orm, withinContractor } from '@/db/client'
import {
  findInvitation,
  hasJoined,
  type InvitationsOf,
  insertInvitation,
  mailInvitation,
  withdrawInvitations,
} from '@/db/queries/invitations'
import { lockMembers } from '@/db/queries/members'
import { countInvitationMails, queueAccountMail } from '@/db/queries/outbox'
import { findPerson } from '@/db/queries/people'
import { hashOfToken, mailedToken, mailsPeople } from '@/lib/auth/people/mailed-links'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import type { Role } from '@/lib/core/roles'
import type { ActingPerson, InvitedActor } from '../actor'
import { audit } from '../audit'

/** The number of days that an invitation's link works. */
export const INVITATION_DAYS = 7

/** The number of invitations that a contractor may mail within an hour, so that nobody floods strangers from here. */
const MAILS_PER_HOUR = 50

const expiry = () => new Date(Date.now() + INVITATION_DAYS * 86_400_000)

/**
 * Ends invitations, in the transaction that ends the right to them.
 * @returns how many were still open
 */
export async function endInvitations(tx: Orm, of: InvitationsOf, by: ActingPerson): Promise<number> {
  const ended = await withdrawInvitations(tx, of)
  for (const { contractorId, email } of ended)
    await audit(tx, by, { event: 'invitation_withdrawn', subject: email, contractorId })
  return ended.length
}

/** The email of an invitation: its id, and the hash of the link that only its receiver gets. */
type InvitationMail = { messageId: string; mailTokenHash: string }

/**
 * Prepares the email of an invitation, whose link is made again when it is sent.
 * @returns null where no email is sent
 * @throws ServiceError `rate_limited` when the contractor has mailed too many
 */
async function newMail(tx: Orm, contractorId: string): Promise<InvitationMail | null> {
  if (!mailsPeople()) return null
  const since = new Date(Date.now() - 3_600_000)
  if ((await countInvitationMails(tx, contractorId, since)) >= MAILS_PER_HOUR)
    throw new ServiceError(
      'rate_limited',
      `A contractor can mail ${MAILS_PER_HOUR} invitations an hour. Wait, or invite further people later.`,
    )
  const messageId = newId('message')
  return { messageId, mailTokenHash: hashOfToken(mailedToken(messageId)) }
}

/**
 * Invites a person to a contractor, as one of its administrators or the operator. An administrator's invitation is mailed where email is
 * sent; its link in the email proves the address, because nobody else saw it. The link that is returned is shown once and handed over
 * by the inviter: an administrator's proves nothing, the operator's proves the address it was handed to. An earlier invitation to the
 * same address ends.
 * @returns the link, and whether an email is on its way
 * @throws ServiceError `bad_request` when an administrator invites a member, `rate_limited` after too many emails
 */
export async function invite(
  by: ActingPerson,
  { email, role }: { email: string; role: Role },
): Promise<{ link: string; mailed: boolean }> {
  const { orm } = await database()
  const token = randomBytes(32).toString('base64url')
  const { contractorId } = by
  let mailed: InvitationMail | null = null
  await withinContractor(orm, contractorId, async (tx) => {
    const person = await findPerson(tx, email)
    const known = await lockMembers(tx, contractorId)
    if (by.kind === 'person' && person && known.some(({ personId }) => personId === person.id))
      throw new ServiceError('bad_request', `${email} is on the team already. Change the role there.`)
    await endInvitations(tx, { contractorId, email }, by)
    const id = newId('invitation')
    mailed = by.kind === 'person' ? await newMail(tx, contractorId) : null
    await insertInvitation(tx, {
      id,
      ...mailed,
      contractorId,
      email,
      role,
      tokenHash: hashOfToken(token),
      invitedBy: by.kind === 'person' ? by.personId : null,
      expiresAt: expiry(),
    })
    if (mailed) await queueInvitation(tx, contractorId, { id, email }, mailed)
    const detail = { role, mailed: mailed !== null }
    await audit(tx, by, { event: 'invited', subject: email, detail, told: `${email} as ${role}` })
  })
  return { link: `${baseUrls(env()).portal}/invitation/${token}`, mailed: mailed !== null }
}

async function queueInvitation(
  tx: Orm,
  contractorId: string,
  { id: invitationId, email: to }: { id: string; email: string },
  { messageId: id }: InvitationMail,
): Promise<void> {
  await queueAccountMail(tx, { id, to, contractorId, about: { kind: 'invitation', invitationId } })
}

/**
 * Mails an open invitation again, for another {@link INVITATION_DAYS} days. The link of the email before ends.
 * @throws ServiceError `not_found` when this contractor has no open invitation with this id, `bad_request` where no email is sent,
 *   `rate_limited` after too many emails
 */
export async function resendInvitation(by: ActingPerson, id: string): Promise<{ email: string }> {
  const { orm } = await database()
  const { contractorId } = by
  return await withinContractor(orm, contractorId, async (tx) => {
    const mail = await newMail(tx, contractorId)
    const invitation = await mailInvitation(
      tx,
      { id, contractorId },
      {
        messageId: mail?.messageId ?? null,
        mailTokenHash: mail?.mailTokenHash ?? null,
        expiresAt: expiry(),
      },
    )
    if (!invitation) throw new ServiceError('not_found', 'There is no open invitation with this id.')
    if (!mail)
      throw new ServiceError(
        'bad_request',
        'This server sends no email. Invite the person again and hand over the link.',
      )
    await queueInvitation(tx, contractorId, invitation, mail)
    await audit(tx, by, {
      event: 'invitation_mailed',
      subject: invitation.email,
      told: `${invitation.email} as ${invitation.role}`,
    })
    return { email: invitation.email }
  })
}

/** Withdraws an invitation. @throws ServiceError `not_found` when this contractor has no open invitation with this id */
export async function withdrawInvitation(by: ActingPerson, id: string): Promise<void> {
  const { orm } = await database()
  await withinContractor(orm, by.contractorId, async (tx) => {
    const ended = await endInvitations(tx, { contractorId: by.contractorId, id }, by)
    if (ended === 0) throw new ServiceError('not_found', 'There is no open invitation with this id.')
  })
}

/**
 * The ways an invitation is accepted: with a `new account`; by its owner, who must `sign in`; with a `new password`, which ends everything
 * set up for this address before; or not at all, because nobody knows who owns the account (`unconfirmed`).
 */
export type Acceptance = 'new account' | 'sign in' | 'new password' | 'unconfirmed'

/**
 * Returns the invitation with this token hash, and how it is accepted; undefined when it was used, withdrawn, expired or never
 * existed.
 */
export async function openInvitation(orm: Orm, tokenHash: string, options?: { lock?: boolean }) {
  const found = await findInvitation(orm, tokenHash, options)
  if (!found) return undefined
  const { invitation, contractor, isMailed } = found
  const { email, contractorId } = invitation
  const person = await findPerson(orm, email)
  /** True when the link itself proves whose address it is. */
  const isProof = isMailed || invitation.invitedBy === null
  const acceptance: Acceptance = !person
    ? 'new account'
    : // The contractor that an unconfirmed account was created for may invite it, because whoever created the account already had that access.
      person.emailVerified || (!isProof && (await hasJoined(orm, contractorId, email)))
      ? 'sign in'
      : isProof
        ? 'new password'
        : 'unconfirmed'
  return { invitation, contractor, person, acceptance, isProof }
}

/** The error for a link that is no longer valid. */
export const spent = () =>
  new ServiceError(
    'not_found',
    'This invitation was used or withdrawn, or is too old. Ask an administrator for a new one.',
  )

/** Returns what an invitation's link stands for; undefined when it was used, withdrawn, expired or never existed. */
export async function invitedBy(token: string, address: string): Promise<InvitedActor | undefined> {
  const tokenHash = hashOfToken(token)
  const found = await findInvitation((await database()).orm, tokenHash)
  if (!found) return undefined
  const { email, contractorId } = found.invitation
  return { kind: 'invited', contractorId, email, tokenHash, scopes: new Set(), address }
}

/** Returns the person a link is for. @throws ServiceError `not_found` when it is no longer valid */
export async function requireInvited(token: string, address: string): Promise<InvitedActor> {
  const invited = await invitedBy(token, address)
  if (!invited) throw spent()
  return invited
}
