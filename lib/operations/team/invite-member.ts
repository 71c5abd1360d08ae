import { z } from 'zod'
import { personOf } from '@/lib/auth/actor'
import { invite } from '@/lib/auth/people/invitations'
import { ROLE_FOR } from '@/lib/core/roles'
import { defineOperation } from '../define'
import { EmailInput, RoleInput } from './fields'

/** Makes an invitation; its link is shown this once. */
export const inviteMember = defineOperation({
  name: 'invite_member',
  title: 'Invite a member',
  description: 'Makes a link that lets one person join the team, once. An earlier invitation to the same address ends.',
  access: ROLE_FOR.invitations,
  effect: 'write',
  input: z.object({ email: EmailInput, role: RoleInput }).strict(),
  output: z.object({ link: z.string().describe('Shown this once; send it to the person'), email: z.string() }),
  example: { link: 'https://portal.example.com/invitation/…', email: 'sam@example.com' },
  run: async ({ actor }, wanted) => ({ ...(await invite(personOf(actor), wanted)), email: wanted.email }),
})
