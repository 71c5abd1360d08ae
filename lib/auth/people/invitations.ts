import { createHash, randomBytes } from 'node:crypto'
import { database, type Orm, withinContractor } from '@/db/client'
import {
  findInvitation,
  hasJoined,
  type InvitationsOf,
  insertInvitation,
  withdrawInvitations,
} from '@/db/queries/invitations'
import { lockMembers } from '@/db/queries/members'
import { findPerson } from '@/db/queries/people'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import type { Role } from '@/lib/core/roles'
import type { ActingPerson, InvitedActor } from '../actor'
import { audit } from '../audit'

/** How many days an invitation's link works. */
export const INVITATION_DAYS = 7

/** Returns the hash of a link's token, which is what is stored. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

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

/**
 * Invites a person to a contractor, as one of its administrators or the operator. Nothing is sent: the inviter passes on the link,
 * which is shown once. An earlier invitation to the same address ends. The operator's link proves the address it was handed to; an
 * administrator's does not, because the administrator saw it too.
 * @throws ServiceError `bad_request` when an administrator invites a member
 */
export async function invite(
  by: ActingPerson,
  { email, role }: { email: string; role: Role },
): Promise<{ link: string }> {
  const { orm } = await database()
  const token = randomBytes(32).toString('base64url')
  const { contractorId } = by
  await withinContractor(orm, contractorId, async (tx) => {
    const person = await findPerson(tx, email)
    const known = await lockMembers(tx, contractorId)
    if (by.kind === 'person' && person && known.some(({ personId }) => personId === person.id))
      throw new ServiceError('bad_request', `${email} is on the team already. Change the role there.`)
    await endInvitations(tx, { contractorId, email }, by)
    await insertInvitation(tx, {
      id: newId('invitation'),
      contractorId,
      email,
      role,
      tokenHash: hashOf(token),
      invitedBy: by.kind === 'person' ? by.personId : null,
      expiresAt: new Date(Date.now() + INVITATION_DAYS * 86_400_000),
    })
    await audit(tx, by, { event: 'invited', subject: email, detail: { role } })
  })
  return { link: `${baseUrls(env()).portal}/invitation/${token}` }
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
 * How an invitation is accepted: with a `new account`; by its owner, who must `sign in`; with a `new password`, which ends
 * everything set up for this address before; or not at all, because nobody knows who owns the account (`unconfirmed`).
 */
export type Acceptance = 'new account' | 'sign in' | 'new password' | 'unconfirmed'

/**
 * Returns the invitation with this token hash, and how it is accepted; undefined when it was used, withdrawn, expired or never
 * existed.
 */
export async function openInvitation(orm: Orm, tokenHash: string, options?: { lock?: boolean }) {
  const found = await findInvitation(orm, tokenHash, options)
  if (!found) return undefined
  const { invitation, contractor } = found
  const { email, contractorId } = invitation
  const person = await findPerson(orm, email)
  const acceptance: Acceptance = !person
    ? 'new account'
    : // The contractor that an unconfirmed account was created for may invite it, because whoever created the account already had that access.
      person.emailVerified || (invitation.invitedBy !== null && (await hasJoined(orm, contractorId, email)))
      ? 'sign in'
      : invitation.invitedBy === null
        ? 'new password'
        : 'unconfirmed'
  return { invitation, contractor, person, acceptance }
}

/** The error for a link that is no longer valid. */
export const spent = () =>
  new ServiceError(
    'not_found',
    'This invitation was used or withdrawn, or is too old. Ask an administrator for a new one.',
  )

/** Returns what an invitation's link stands for; undefined when it was used, withdrawn, expired or never existed. */
export async function invitedBy(token: string, address: string): Promise<InvitedActor | undefined> {
  const tokenHash = hashOf(token)
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
