'use server'

import { redirect } from 'next/navigation'
import * as z from 'zod'
import { formAction } from '@/app/session/action'
import { currentAccount } from '@/app/session/actor'
import { leaveCookies, visitor } from '@/app/session/visitor'
import { trustDevice } from '@/lib/auth/people/device'
import { requireInvited } from '@/lib/auth/people/invitations'
import { signIn } from '@/lib/auth/people/sign-in'
import { execute } from '@/lib/operations/execute'
import { acceptInvitation, joinWithAccount } from '@/lib/operations/team/invitations'

const Account = z
  .object({
    token: z.string(),
    name: z.string().trim().min(1, 'Enter your name.'),
    password: z.string(),
    again: z.string(),
  })
  .refine(({ password, again }) => password === again, { path: ['again'], message: 'The passwords don’t match.' })

/** Accepts an invitation by creating an account, or setting it up again, and signs in. */
export const joinAction = formAction(Account, async ({ token, name, password }) => {
  const guest = await visitor()
  const actor = await requireInvited(token, guest.address)
  const { email } = await execute(joinWithAccount, { actor, now: new Date() }, { name, password })
  await leaveCookies(await signIn(trustDevice(guest, email), { email, password }))
  redirect('/')
})

/** Accepts an invitation as the signed-in user. */
export const joinAsSelfAction = formAction(z.object({ token: z.string() }), async ({ token }) => {
  await execute(acceptInvitation, { actor: await currentAccount(), now: new Date() }, { token })
  redirect('/')
})
