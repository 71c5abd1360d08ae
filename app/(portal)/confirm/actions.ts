'use server'

import { redirect } from 'next/navigation'
import * as z from 'zod'
import { formAction } from '@/app/session/action'
import { requireSignedIn } from '@/app/session/actor'
import { pathHere } from '@/app/session/path'
import { leaveCookies, visitor } from '@/app/session/visitor'
import { beginPasskeyConfirmation, confirmWithPasskey, confirmWithPassword } from '@/lib/auth/people/confirm'
import { donePage } from './done'

/** Confirms by the password. The page gives `next`, where its reader goes on; a dialog goes on by itself. */
export const confirmWithPasswordAction = formAction(
  z.object({ password: z.string().min(1, 'Enter your password.').max(200), next: z.string().optional() }),
  async ({ password, next }) => {
    const { person } = await requireSignedIn()
    await confirmWithPassword(await visitor(), person, password)
    if (next !== undefined) redirect(donePage(pathHere(next)))
    return { ok: true }
  },
)

/** Returns the options with which the browser asks for one of the person's passkeys. */
export const beginPasskeyConfirmationAction = formAction(z.object({}), async () => {
  const { person } = await requireSignedIn()
  const { options, ...left } = await beginPasskeyConfirmation(await visitor(), person)
  await leaveCookies(left)
  return { ok: true, data: options }
})

/** Confirms by the browser's response. */
export const confirmWithPasskeyAction = formAction(z.object({ answer: z.string().max(65_536) }), async ({ answer }) => {
  const { person } = await requireSignedIn()
  await confirmWithPasskey(await visitor(), person, answer)
  return { ok: true }
})
