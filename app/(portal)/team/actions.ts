'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { contractorAction } from '@/app/session/action'
import { invite, withdrawInvitation } from '@/lib/auth/people/invitations'
import { changeMember } from '@/lib/auth/people/members'
import { ROLES } from '@/lib/auth/roles'

const Role = z.enum(ROLES)

/** Makes an invitation; its link is told this once. */
export const inviteAction = contractorAction(
  'admin',
  z.object({ email: z.string().trim().min(1, 'Enter an e-mail address.'), role: Role }),
  async (actor, wanted) => {
    const { link } = await invite(actor, wanted)
    revalidatePath('/team')
    return { ok: true, data: { link, email: wanted.email } }
  },
)

export const withdrawInvitationAction = contractorAction(
  'admin',
  z.object({ id: z.string() }),
  async (actor, { id }) => {
    await withdrawInvitation(actor, id)
    revalidatePath('/team')
    return { ok: true, message: 'The invitation is withdrawn.' }
  },
)

/** Changes a role; `none` takes the person off the team. */
export const changeMemberAction = contractorAction(
  'admin',
  z.object({ personId: z.string(), role: z.union([Role, z.literal('none')]) }),
  async (actor, { personId, role }) => {
    await changeMember(actor, personId, role === 'none' ? null : role)
    revalidatePath('/team')
    return { ok: true, message: role === 'none' ? 'Taken off the team.' : 'The role is changed.' }
  },
)
