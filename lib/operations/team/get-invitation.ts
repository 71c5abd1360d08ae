import * as z from 'zod'
import { database } from '@/db/client'
import { invitedOf } from '@/lib/auth/actor'
import { requireOpen } from '@/lib/auth/people/join'
import { ROLES } from '@/lib/core/roles'
import { defineOperation } from '../define'

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
