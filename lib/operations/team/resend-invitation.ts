import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { resendInvitation as resend } from '@/lib/auth/people/invitations'
import { ROLE_FOR } from '@/lib/core/roles'
import { defineOperation } from '../define'
import { InvitationId } from './fields'

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
