'use server'

import { redirect } from 'next/navigation'
import * as z from 'zod'
import { formAction } from '@/app/session/action'
import { pathHere } from '@/app/session/path'
import { leaveCookies, visitor } from '@/app/session/visitor'
import { beginPasskeySignIn, signInWithPasskey } from '@/lib/auth/people/passkeys'
import { signIn, signInWithCode, signOut } from '@/lib/auth/people/sign-in'

const Credentials = z.object({
  email: z.string().trim().min(1, 'Enter your email address.').max(254),
  password: z.string().min(1, 'Enter your password.').max(200),
  next: z.string().optional(),
})

/** Signs in, or continues to the second step. */
export const signInAction = formAction(Credentials, async ({ email, password, next }) => {
  const answer = await signIn(await visitor(), { email, password })
  await leaveCookies(answer)
  const onward = pathHere(next)
  redirect(answer.next === 'code' ? `/sign-in/code?next=${encodeURIComponent(onward)}` : onward)
})

const Code = z.object({
  code: z.string().trim().min(1, 'Enter the code.').max(50),
  kind: z.enum(['app', 'backup']),
  next: z.string().optional(),
})

/** Completes the second step of signing in. */
export const signInWithCodeAction = formAction(Code, async ({ code, kind, next }) => {
  await leaveCookies(await signInWithCode(await visitor(), { code, kind }))
  redirect(pathHere(next))
})

/** Starts a passkey sign-in: returns the options for the browser. */
export const beginPasskeySignInAction = formAction(z.object({}), async () => {
  const { options, ...left } = await beginPasskeySignIn(await visitor())
  await leaveCookies(left)
  return { ok: true, data: options }
})

/** Signs in with the browser's passkey response, which counts as both factors. */
export const signInWithPasskeyAction = formAction(
  z.object({ answer: z.string().max(65_536), next: z.string().optional() }),
  async ({ answer, next }) => {
    await leaveCookies(await signInWithPasskey(await visitor(), answer))
    redirect(pathHere(next))
  },
)

/** Ends the current session. */
export const signOutAction = formAction(z.object({}), async () => {
  await leaveCookies(await signOut(await visitor()))
  redirect('/')
})
