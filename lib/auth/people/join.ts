import { database, type Orm, withinContractor } from '@/db/client'
import { closeInvitation } from '@/db/queries/invitations'
import { lockMembers, putMember } from '@/db/queries/members'
import { ServiceError } from '@/lib/core/errors'
import { audit } from '../audit'
import { forgetKeys } from '../authenticate'
import { scopesOfRole } from '../roles'
import { checkName, createPerson, hashPassword } from './create-person'
import { type Acceptance, openInvitation } from './invitations'
import { keepAnAdministrator } from './members'
import { handOver } from './reset'

type Person = { id: string; name: string; email: string }

/** Who accepts: whoever is signed in, or somebody who sets the account up, for the first time or anew. */
type Accepting = { person: Person } | { name: string; password: string }

const SPENT = 'This invitation was used or withdrawn, or is too old. Ask an administrator for a new one.'

/** Why an invitation cannot be accepted in the way it was tried. */
const REFUSED: Record<Acceptance, (email: string) => string> = {
  'new account': (email) => `There is no account for ${email} yet. Open the link again and make one.`,
  'sign in': (email) => `There is an account for ${email} already. Sign in with it.`,
  'new password': () => 'Open the link again and choose a new password there.',
  unconfirmed: (email) =>
    `Nobody has confirmed yet that ${email} belongs to whoever set this account up. Ask whoever runs this service for a link of theirs.`,
}

async function requireOpen(orm: Orm, token: string, options?: { lock?: boolean }) {
  const open = await openInvitation(orm, token, options)
  if (!open) throw new ServiceError('not_found', SPENT)
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

/** The last step: locks the team, then the invitation, so that what changes either meanwhile is seen. */
async function join(orm: Orm, contractorId: string, token: string, person: Person, address: string): Promise<void> {
  await withinContractor(orm, contractorId, async (tx) => {
    const team = await lockMembers(tx, contractorId)
    const { invitation } = await requireOpen(tx, token, { lock: true })
    const { id, email, role } = invitation
    if (email !== person.email)
      throw new ServiceError('forbidden', `This invitation is for ${email}. Sign in as that person.`)
    const isAdmin = team.some(({ personId, role }) => personId === person.id && role === 'admin')
    if (isAdmin && role !== 'admin') keepAnAdministrator(team, person.id)
    await putMember(tx, { contractorId, personId: person.id, role })
    await closeInvitation(tx, id)
    const { id: personId, name } = person
    const by = {
      kind: 'person',
      personId,
      name,
      email,
      role,
      contractorId,
      scopes: scopesOfRole(role),
      address,
    } as const
    await audit(tx, by, { event: 'joined', subject: role })
  })
}

/**
 * Accepts an invitation: with a new account, as whoever is signed in, or, where the operator's link proves the address of an account
 * that nobody confirmed, by setting it up anew, which ends every other way into it.
 * @throws ServiceError `not_found` for a spent link, `forbidden` for another's or an unconfirmed account, `bad_request` for an unfit
 * name or password
 */
export async function acceptInvitation(token: string, who: Accepting, address: string): Promise<{ email: string }> {
  const { orm } = await database()
  const open = await requireOpen(orm, token)
  const { contractorId, email, invitedBy } = open.invitation
  if ('person' in who) {
    if (email === who.person.email) requireAcceptance(open, 'sign in')
    await join(orm, contractorId, token, who.person, address)
  } else if (open.person && open.acceptance === 'new password') {
    const { id } = open.person
    const name = checkName(who.name)
    const hash = await hashPassword(who.password)
    await orm.transaction(async (tx) => {
      await handOver(tx, id, { name, hash })
      await join(tx, contractorId, token, { id, name, email }, address)
    })
    forgetKeys()
  } else {
    requireAcceptance(open, 'new account')
    const id = await createPerson({ ...who, email, confirmed: invitedBy === null })
    await join(orm, contractorId, token, { id, name: who.name, email }, address)
  }
  return { email }
}
