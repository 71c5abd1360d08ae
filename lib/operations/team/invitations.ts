import * as z from 'zod'
import { database } from '@/db/client'
import { invitedOf, personOf, signedInOf } from '@/lib/auth/actor'
import { invite, resendInvitation as resend, withdrawInvitation as withdraw } from '@/lib/auth/people/invitations'
import { acceptInvitation as accept, joinWithAccount as join, requireOpen } from '@/lib/auth/people/join'
import { ROLE_FOR, ROLES } from '@/lib/core/roles'
import { defineOperation } from '../define'
import { EmailInput, InvitationId, PersonName, RoleInput } from './fields'

/** Joins a team as the signed-in person. */
export const acceptInvitation = defineOperation({
  name: 'accept_invitation',
  title: 'Accept an invitation',
  description: 'Joins a team with the account that is signed in, which must be the one that was invited.',
  access: 'account',
  effect: 'write',
  input: z.object({ token: z.string().max(100).describe('The last part of the link') }).strict(),
  output: z.object({}),
  example: {},
  run: async ({ actor }, { token }) => {
    await accept(signedInOf(actor), token)
    return {}
  },
})

/** Joins a team with an account that is made for it. */
export const joinWithAccount = defineOperation({
  name: 'join_with_account',
  title: 'Join with a new account',
  description: 'Makes the account of who was invited, or sets it up again where nobody has confirmed it, and joins.',
  access: 'invited',
  effect: 'write',
  input: z.object({ name: PersonName, password: z.string().max(1000) }).strict(),
  output: z.object({ email: z.string() }),
  example: { email: 'sam@example.com' },
  run: async ({ actor }, account) => {
    const invited = invitedOf(actor)
    await join(invited, account)
    return { email: invited.email }
  },
})

/** Returns what the link of an invitation stands for. */
export const getInvitation = defineOperation({
  name: 'get_invitation',
  title: 'One invitation',
  description: 'Whom the invitation is for, to which contractor and as what, and how it is accepted.',
  access: 'invited',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    email: z.string(),
    role: z.enum(ROLES),
    contractorId: z.string(),
    contractor: z.string(),
    acceptance: z.enum(['new account', 'sign in', 'new password', 'unconfirmed']),
  }),
  example: {
    email: 'sam@example.com',
    role: 'viewer',
    contractorId: 'con_01k9zq2v6n8m4t5c3b7x1w0jd2',
    contractor: 'Harpeth Roofing',
    acceptance: 'new account',
  },
  run: async ({ actor }) => {
    const { invitation, contractor, acceptance } = await requireOpen((await database()).orm, invitedOf(actor).tokenHash)
    const { email, role, contractorId } = invitation
    return { email, role, contractorId, contractor, acceptance }
  },
})

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

/** Mails an open invitation again. */
export const resendInvitation = defineOperation({
  name: 'resend_invitation',
  title: 'Mail an invitation again',
  description: 'Mails an open invitation again with a new link, for another week. The link of the email before ends.',
  access: ROLE_FOR.invitations,
  effect: 'write',
  proof: 'recent',
  input: z.object({ id: InvitationId }).strict(),
  output: z.object({ email: z.string() }),
  example: { email: 'sam@example.com' },
  run: async ({ actor }, { id }) => await resend(personOf(actor), id),
})

/** Ends an invitation that nobody has accepted. */
export const withdrawInvitation = defineOperation({
  name: 'withdraw_invitation',
  title: 'Withdraw an invitation',
  description: 'Ends an invitation that nobody has accepted; its link stops working at once.',
  access: 'admin',
  effect: 'write',
  input: z.object({ id: InvitationId }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: 'ivt_01k9zq2v6n8m4t5c3b7x1w0jd2' },
  run: async ({ actor }, { id }) => {
    await withdraw(personOf(actor), id)
    return { id }
  },
})
