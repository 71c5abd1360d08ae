import { database, type Orm, withinContractor } from '@/db/client'
import { deleteMember, lockMembers, type Member, putMember } from '@/db/queries/members'
import { findPersonById } from '@/db/queries/people'
import { deleteIdentities, deleteSsoSessions } from '@/db/queries/sso'
import { ServiceError } from '@/lib/core/errors'
import { isAtLeast, ROLE_FOR, type Role } from '@/lib/core/roles'
import type { ActingPerson } from '../actor'
import { audit } from '../audit'
import { endIssuedKeys } from '../issued-keys'
import { forgetKeys } from '../key-cache'
import { endConnections } from '../oauth/grants'
import { endInvitations } from './invitations'

/** Makes sure a contractor keeps one administrator. @throws ServiceError `bad_request` when this person is the last one */
export function requireAnAdminLeft(team: { personId: string; role: Role }[], personId: string): void {
  if (!team.some((member) => member.role === 'admin' && member.personId !== personId))
    throw new ServiceError('bad_request', 'This is the last administrator. Make someone else one first.')
}

/** Ends what a member has by a right that they lose with this role. */
async function endOwn(tx: Orm, by: ActingPerson, personId: string, role: Role | null): Promise<void> {
  const { contractorId } = by
  const may = (least: Role) => role !== null && isAtLeast(role, least)
  if (!may(ROLE_FOR.invitations)) await endInvitations(tx, { contractorId, invitedBy: personId }, by)
  if (!may(ROLE_FOR.explorerKey)) await endIssuedKeys(tx, { contractorId, personId }, by)
  if (role !== null) return
  await deleteIdentities(tx, personId, contractorId)
  await endConnections(tx, { contractorId, personId }, by, 'removed from the team')
}

async function writeChange(tx: Orm, by: ActingPerson, { personId, role: before }: Member, after: Role | null) {
  const who = `${(await findPersonById(tx, personId))?.email ?? personId}, who was ${before}`
  const change = { subject: personId, detail: { before, after } }
  if (after === null) await audit(tx, by, { ...change, event: 'member_removed', told: who })
  else await audit(tx, by, { ...change, event: 'role_changed', told: `${who}, to ${after}` })
}

/**
 * Changes a member's role; null removes them from the team. Invitations they sent and explorer keys they hold end with the right
 * they lose.
 * @param also what else changes in the same transaction, once it is known that the change is allowed
 * @throws ServiceError `not_found` when the person is not a member, `bad_request` for the last administrator
 */
export async function changeMember(
  by: ActingPerson,
  personId: string,
  role: Role | null,
  also: (tx: Orm, before: Role) => Promise<void> = async () => {},
): Promise<void> {
  const { orm } = await database()
  const { contractorId } = by
  await withinContractor(orm, contractorId, async (tx) => {
    const team = await lockMembers(tx, contractorId)
    const member = team.find((each) => each.personId === personId)
    if (!member) throw new ServiceError('not_found', 'This person is not on the team.')
    if (role !== 'admin') requireAnAdminLeft(team, personId)
    // Told first, while whoever is no administrator afterwards still gets the email.
    await writeChange(tx, by, member, role)
    await also(tx, member.role)
    if (role === null) await deleteMember(tx, { contractorId, personId })
    else await putMember(tx, { contractorId, personId, role })
    await endOwn(tx, by, personId, role)
  })
  if (role === null) await deleteSsoSessions(orm, contractorId, personId)
  forgetKeys()
}
