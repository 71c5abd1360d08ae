import { database, withinContractor } from '@/db/client'
import { deleteMember, lockMembers, putMember } from '@/db/queries/members'
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
export function keepAnAdmin(team: { personId: string; role: Role }[], personId: string): void {
  if (!team.some((member) => member.role === 'admin' && member.personId !== personId))
    throw new ServiceError('bad_request', 'This is the last administrator. Make someone else one first.')
}

/**
 * Changes a member's role; null removes them from the team. Invitations they sent and explorer keys they hold end with the right
 * they lose.
 * @throws ServiceError `not_found` when the person is not a member, `bad_request` for the last administrator
 */
export async function changeMember(by: ActingPerson, personId: string, role: Role | null): Promise<void> {
  const { orm } = await database()
  const { contractorId } = by
  await withinContractor(orm, contractorId, async (tx) => {
    const team = await lockMembers(tx, contractorId)
    const member = team.find((each) => each.personId === personId)
    if (!member) throw new ServiceError('not_found', 'This person is not on the team.')
    if (role !== 'admin') keepAnAdmin(team, personId)
    if (role === null) await deleteMember(tx, { contractorId, personId })
    else await putMember(tx, { contractorId, personId, role })
    if (role === null || !isAtLeast(role, ROLE_FOR.invitations))
      await endInvitations(tx, { contractorId, invitedBy: personId }, by)
    if (role === null || !isAtLeast(role, ROLE_FOR.explorerKey)) await endIssuedKeys(tx, { contractorId, personId }, by)
    if (role === null) await deleteIdentities(tx, personId, contractorId)
    if (role === null) await endConnections(tx, { contractorId, personId }, by, 'removed from the team')
    await audit(tx, by, {
      event: role === null ? 'member_removed' : 'role_changed',
      subject: personId,
      detail: { before: member.role, after: role },
    })
  })
  if (role === null) await deleteSsoSessions(orm, contractorId, personId)
  forgetKeys()
}
