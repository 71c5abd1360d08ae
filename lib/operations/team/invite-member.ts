import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { invite } from '@/lib/auth/people/invitations'
import { ROLE_FOR } from '@/lib/core/roles'
import { defineOperation } from '../define'
import { EmailInput, RoleInput } from './fields'

/** Makes an invitation and mails it where email is sent; its link is shown this once. */
export const inviteMember = defineOperation({
  name: 'invite_member',
  title: 'Invite a member',
  description:
    'Makes a link that lets one person join the team, once, and mails another to them where this server sends email. An earlier invitation to the same address ends.',
  access: ROLE_FOR.invitations,
  effect: 'write',
  proof: 'recent',
  input: z.object({ email: EmailInput, role: RoleInput }).strict(),
  output: z.object({
    link: z.string().describe('Shown this once; proves nothing about who opens it'),
    email: z.string(),
    mailed: z.boolean().describe('Whether an email is on its way'),
  }),
  example: { link: 'https://portal.example.com/invitation/…', email: 'sam@example.com', mailed: true },
  run: async ({ actor }, wanted) => ({ ...(await invite(personOf(actor), wanted)), email: wanted.email }),
})
