import * as z from 'zod'
import { invitedOf, signedInOf } from '@/lib/auth/actor'
import { acceptInvitation as accept, joinWithAccount as join } from '@/lib/auth/people/join'
import { defineOperation } from '../define'
import { PersonName } from './fields'

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
