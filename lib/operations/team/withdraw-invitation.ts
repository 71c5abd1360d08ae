import * as z from 'zod'
import { personOf } from '@/lib/auth/actor'
import { withdrawInvitation as withdraw } from '@/lib/auth/people/invitations'
import { defineOperation } from '../define'
import { InvitationId } from './fields'

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
