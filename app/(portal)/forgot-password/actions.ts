'use server'

import * as z from 'zod'
import { formAction } from '@/app/session/action'
import { mailSoon } from '@/app/session/mail-soon'
import { visitor } from '@/app/session/visitor'
import { requestPasswordReset } from '@/lib/auth/people/reset'

/** Asks for a link to reset a password. The answer is the same whether the address has an account or not. */
export const askResetAction = formAction(
  z.object({ email: z.string().trim().min(1, 'Enter your email address.').max(254) }),
  async ({ email }) => {
    await requestPasswordReset(await visitor(), email)
    mailSoon()
    return { ok: true, data: { email } }
  },
)
