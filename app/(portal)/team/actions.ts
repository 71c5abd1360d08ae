'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { mailSoon } from '@/app/session/mail-soon'
import { ROLES } from '@/lib/core/roles'
import { execute } from '@/lib/operations/execute'
import { changeRole } from '@/lib/operations/team/change-role'
import { inviteMember, resendInvitation, withdrawInvitation } from '@/lib/operations/team/invitations'
import { SetupInput } from '@/lib/operations/team/member-setup'
import { removeMember } from '@/lib/operations/team/remove-member'

const Role = z.enum(ROLES)

/** Creates an invitation and mails it where email is sent. Its link is shown only once. */
export const inviteAction = contractorAction(
  z.object({ email: z.string().trim().min(1, 'Enter an email address.'), role: Role }),
  async (actor, wanted) => {
    const data = await execute(inviteMember, { actor, now: new Date() }, wanted)
    mailSoon()
    revalidatePath('/team')
    return { ok: true, data }
  },
)

/** Mails an open invitation again. */
export const resendInvitationAction = contractorAction(z.object({ id: z.string() }), async (actor, input) => {
  const { email } = await execute(resendInvitation, { actor, now: new Date() }, input)
  mailSoon()
  revalidatePath('/team')
  return { ok: true, message: `Sent to ${email} again.` }
})

export const withdrawInvitationAction = contractorAction(z.object({ id: z.string() }), async (actor, input) => {
  await execute(withdrawInvitation, { actor, now: new Date() }, input)
  revalidatePath('/team')
  return { ok: true, message: 'Invitation withdrawn.' }
})

export const changeRoleAction = contractorAction(
  z.object({ personId: z.string(), role: Role, setup: SetupInput }),
  async (actor, input) => {
    await execute(changeRole, { actor, now: new Date() }, input)
    revalidatePath('/team', 'layout')
    return { ok: true, message: 'Role changed.' }
  },
)

export const removeMemberAction = contractorAction(
  z.object({ personId: z.string(), setup: SetupInput }),
  async (actor, input) => {
    await execute(removeMember, { actor, now: new Date() }, input)
    revalidatePath('/team')
    redirect('/team')
  },
)
