'use server'

import { redirect } from 'next/navigation'
import * as z from 'zod'
import { formAction } from '@/app/session/action'
import { mailSoon } from '@/app/session/mail-soon'
import { visitor } from '@/app/session/visitor'
import { finishReset } from '@/lib/auth/people/reset'

const NewPassword = z
  .object({ token: z.string().max(100), password: z.string().max(1000), again: z.string() })
  .refine(({ password, again }) => password === again, { path: ['again'], message: 'The passwords don’t match.' })

/** Sets the new password, and sends the person to sign in with it: a second factor is still required. */
export const resetPasswordAction = formAction(NewPassword, async ({ token, password }) => {
  await finishReset(await visitor(), { token, password })
  mailSoon()
  redirect('/sign-in?changed=1')
})
