import { createHash, randomBytes } from 'node:crypto'
import { database, type Orm, withinContractor } from '@/db/client'
import {
  closeInvitation,
  deleteMember,
  findInvitation,
  findPerson,
  insertInvitation,
  lockMembers,
  putMember,
  withdrawInvitation as withdraw,
} from '@/db/queries/people'
import type { PersonActor } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { requireRole } from '@/lib/auth/require-role'
import { type Role, scopesOfRole } from '@/lib/auth/roles'
import { parseEmail } from '@/lib/core/contact'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { createPerson } from './create-person'

/** An invitation's link works for so many days. */
export const INVITATION_DAYS = 7

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/**
 * Invites someone to a contractor. Nothing is sent: the link, shown once, is passed on by who invites.
 * @throws ServiceError `forbidden` unless by an administrator, `bad_request` for a bad address or someone who is a member
 */
export async function invite(by: PersonActor, wanted: { email: string; role: Role }): Promise<{ link: string }> {
  requireRole(by, 'admin')
  const email = parseEmail(wanted.email)
  if (!email) throw new ServiceError('bad_request', 'This is not an e-mail address.')
  const { orm } = await database()
  const token = randomBytes(32).toString('base64url')
  const { contractorId } = by
  await withinContractor(orm, contractorId, async (tx) => {
    const person = await findPerson(tx, email)
    const known = await lockMembers(tx, contractorId)
    if (person && known.some(({ personId }) => personId === person.id))
      throw new ServiceError('bad_request', `${email} is on the team already. Change the role there.`)
    await insertInvitation(tx, {
      id: newId('invitation'),
      contractorId,
      email,
      role: wanted.role,
      tokenHash: hashOf(token),
      invitedBy: by.personId,
      expiresAt: new Date(Date.now() + INVITATION_DAYS * 86_400_000),
    })
    await audit(tx, by, { event: 'invited', subject: email, detail: { role: wanted.role } })
  })
  return { link: `${baseUrls(env()).portal}/invitation/${token}` }
}

/** @throws ServiceError `not_found` when there is no open invitation of this contractor with this id */
export async function withdrawInvitation(by: PersonActor, id: string): Promise<void> {
  requireRole(by, 'admin')
  const { orm } = await database()
  await withinContractor(orm, by.contractorId, async (tx) => {
    const email = await withdraw(tx, by.contractorId, id)
    if (!email) throw new ServiceError('not_found', 'There is no open invitation with this id.')
    await audit(tx, by, { event: 'invitation_withdrawn', subject: email })
  })
}

/** What a link invites to; undefined when it was used, withdrawn, is too old or never was. */
export async function invitationOf(token: string) {
  const { orm } = await database()
  const found = await findInvitation(orm, hashOf(token))
  if (!found) return undefined
  const { email, role, contractorId } = found.invitation
  return { email, role, contractorId, contractor: found.contractor, hasAccount: !!(await findPerson(orm, email)) }
}

const SPENT = 'This invitation was used or withdrawn, or is too old. Ask an administrator for a new one.'

async function join(
  orm: Orm,
  token: string,
  { contractorId }: { contractorId: string },
  person: { id: string; name: string; email: string },
  address: string,
) {
  await withinContractor(orm, contractorId, async (tx) => {
    const found = await findInvitation(tx, hashOf(token), { lock: true })
    if (!found) throw new ServiceError('not_found', SPENT)
    const { id, email, role } = found.invitation
    if (email !== person.email)
      throw new ServiceError('forbidden', `This invitation is for ${email}. Sign in as that person.`)
    await putMember(tx, { contractorId, personId: person.id, role })
    await closeInvitation(tx, id)
    const by: PersonActor = {
      kind: 'person',
      personId: person.id,
      name: person.name,
      email,
      role,
      contractorId,
      scopes: scopesOfRole(role),
      address,
    }
    await audit(tx, by, { event: 'joined', subject: role })
  })
}

/**
 * Takes an invitation up with a new account, or with that of whoever is signed in.
 * @throws ServiceError `not_found` for a spent link, `forbidden` for another's, `bad_request` for an unfit name or password
 */
export async function acceptInvitation(
  token: string,
  who: { person: { id: string; name: string; email: string } } | { name: string; password: string },
  address: string,
): Promise<{ email: string }> {
  const { orm } = await database()
  const open = await invitationOf(token)
  if (!open) throw new ServiceError('not_found', SPENT)
  const { email } = open
  const person =
    'person' in who
      ? who.person
      : { id: await createPerson({ email, name: who.name, password: who.password }), name: who.name, email }
  await join(orm, token, open, person, address)
  return { email }
}

/** A contractor always keeps one administrator. */
function keepAnAdministrator(team: { personId: string; role: Role }[], personId: string): void {
  if (!team.some((member) => member.role === 'admin' && member.personId !== personId))
    throw new ServiceError('bad_request', 'This is the last administrator. Make someone else one first.')
}

/**
 * Changes what a member may do; null takes them off the team.
 * @throws ServiceError `not_found` for who is no member, `bad_request` for the last administrator
 */
export async function changeMember(by: PersonActor, personId: string, role: Role | null): Promise<void> {
  requireRole(by, 'admin')
  const { orm } = await database()
  const { contractorId } = by
  await withinContractor(orm, contractorId, async (tx) => {
    const team = await lockMembers(tx, contractorId)
    const member = team.find((each) => each.personId === personId)
    if (!member) throw new ServiceError('not_found', 'This person is not on the team.')
    if (role !== 'admin') keepAnAdministrator(team, personId)
    if (role === null) await deleteMember(tx, { contractorId, personId })
    else await putMember(tx, { contractorId, personId, role })
    await audit(tx, by, {
      event: role === null ? 'member_removed' : 'role_changed',
      subject: personId,
      detail: { before: member.role, after: role },
    })
  })
}
