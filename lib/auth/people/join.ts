import { database, type Orm, withinContractor } from '@/db/client'
import { closeInvitation } from '@/db/queries/invitations'
import { lockMembers, putMember } from '@/db/queries/members'
import { hashOfToken } from '@/lib/auth/people/mailed-links'
import { ServiceError } from '@/lib/core/errors'
import type { Role } from '@/lib/core/roles'
import { accountOf, type InvitedActor, type PersonActor } from '../actor'
import { audit } from '../audit'
import { forgetKeys } from '../key-cache'
import { scopesOfRole } from '../roles'
import { createPerson, hashPassword } from './create-person'
import { type Acceptance, openInvitation, spent } from './invitations'
import { requireAnAdminLeft } from './members'
import { handOver } from './reset'

type Person = { id: string; name: string; email: string }

/** The reasons why an invitation cannot be accepted in the way that was tried. */
const REFUSED: Record<Acceptance, (email: string) => string> = {
  'new account': (email) => `There is no account for ${email} yet. Open the link again and make one.`,
  'sign in': (email) => `There is an account for ${email} already. Sign in with it.`,
  'new password': () => 'Open the link again and choose a new password there.',
  unconfirmed: (email) =>
    `The email address ${email} was never verified for this account. Ask the operator of this service for an invitation link.`,
}

/** Returns the open invitation with this token hash. @throws ServiceError `not_found` when it is no longer valid */
export async function requireOpen(orm: Orm, tokenHash: string, options?: { lock?: boolean }) {
  const open = await openInvitation(orm, tokenHash, options)
  if (!open) throw spent()
  return open
}

function requireAcceptance(open: { acceptance: Acceptance; invitation: { email: string } }, wanted: Acceptance): void {
  const { acceptance, invitation } = open
  if (acceptance === wanted) return
  throw new ServiceError(
    acceptance === 'unconfirmed' ? 'forbidden' : 'bad_request',
    REFUSED[acceptance](invitation.email),
  )
}

type Joining = { contractorId: string; tokenHash: string; address: string }

/** Returns the joining person as the author of the changes. */
const joinerOf = (person: Person, { contractorId, address }: Joining, role: Role): PersonActor => ({
  ...accountOf(person, address),
  role,
  contractorId,
  scopes: scopesOfRole(role),
})

/** The last step: locks the team, then the invitation, so that concurrent changes to either are seen. */
async function join(orm: Orm, joining: Joining, person: Person): Promise<void> {
  const { contractorId, tokenHash } = joining
  await withinContractor(orm, contractorId, async (tx) => {
    const team = await lockMembers(tx, contractorId)
    const { invitation } = await requireOpen(tx, tokenHash, { lock: true })
    const { id, email, role } = invitation
    if (email !== person.email)
      throw new ServiceError('forbidden', `This invitation is for ${email}. Sign in as that person.`)
    const isAdmin = team.some(({ personId, role }) => personId === person.id && role === 'admin')
    if (isAdmin && role !== 'admin') requireAnAdminLeft(team, person.id)
    await putMember(tx, { contractorId, personId: person.id, role })
    await closeInvitation(tx, id)
    await audit(tx, joinerOf(person, joining, role), { event: 'joined', subject: role })
  })
}

/**
 * Accepts an invitation as the signed-in person.
 * @throws ServiceError `not_found` for a used link, `forbidden` for another person's, `bad_request` for an unconfirmed account
 */
export async function acceptInvitation(by: PersonActor, token: string): Promise<void> {
  const { orm } = await database()
  const tokenHash = hashOfToken(token)
  const open = await requireOpen(orm, tokenHash)
  const { personId: id, name, email, address } = by
  if (open.invitation.email === email) requireAcceptance(open, 'sign in')
  await join(orm, { contractorId: open.invitation.contractorId, tokenHash, address }, { id, name, email })
}

/**
 * Accepts an invitation with a new account. When the link proves the address of an unconfirmed account, sets that
 * account up again, which ends every other way to sign in to it.
 * @throws ServiceError `not_found` for a used link, `forbidden` for an unconfirmed account, `bad_request` when the password is not
 * acceptable
 */
export async function joinWithAccount(
  { tokenHash, contractorId, address }: InvitedActor,
  account: { name: string; password: string },
): Promise<void> {
  const { orm } = await database()
  const open = await requireOpen(orm, tokenHash)
  const { email, role } = open.invitation
  const joining = { contractorId, tokenHash, address }
  if (open.person && open.acceptance === 'new password') {
    const { name, password } = account
    const person = { id: open.person.id, name, email }
    const hash = await hashPassword(password)
    await orm.transaction(async (tx) => {
      await handOver(tx, person.id, { name, hash }, joinerOf(person, joining, role))
      await join(tx, joining, person)
    })
    forgetKeys()
  } else {
    requireAcceptance(open, 'new account')
    const id = await createPerson({ ...account, email, confirmed: open.isProof })
    await join(orm, joining, { id, name: account.name, email })
  }
}
