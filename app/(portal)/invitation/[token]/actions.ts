'use server'

import { redirect } from 'next/navigation'
import { z } from 'zod'
import { formAction } from '@/app/session/action'
import { currentSession } from '@/app/session/actor'
import { leaveCookies, visitor } from '@/app/session/visitor'
import { asKnown } from '@/lib/auth/people/device'
import { acceptInvitation } from '@/lib/auth/people/join'
import { signIn } from '@/lib/auth/people/sign-in'
import { ServiceError } from '@/lib/core/errors'

const Account = z
  .object({
    token: z.string(),
    name: z.string().trim().min(1, 'Enter your name.'),
    password: z.string(),
    again: z.string(),
  })
  .refine(({ password, again }) => password === again, { path: ['again'], message: 'The two passwords differ.' })

/** Takes an invitation up with an account that is new, or set up anew, and signs in with it. */
export const joinAction = formAction(Account, async ({ token, name, password }) => {
  const guest = await visitor()
  const { email } = await acceptInvitation(token, { name, password }, guest.address)
  await leaveCookies(await signIn(asKnown(guest, email), { email, password }))
  redirect('/data')
})

/** Takes an invitation up as whoever is signed in. */
export const joinAsSelfAction = formAction(z.object({ token: z.string() }), async ({ token }) => {
  const session = await currentSession()
  if (!session) throw new ServiceError('unauthorized', 'Sign in first, then open the link again.')
  await acceptInvitation(token, { person: session.person }, (await visitor()).address)
  redirect('/data')
})
