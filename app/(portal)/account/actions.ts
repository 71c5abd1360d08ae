'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { renderSVG } from 'uqr'
import * as z from 'zod'
import { formAction } from '@/app/session/action'
import { chooseContractor, currentAccount, currentSession } from '@/app/session/actor'
import { mailSoon } from '@/app/session/mail-soon'
import { pathHere } from '@/app/session/path'
import { afterSwitch } from '@/app/session/switched'
import { leaveCookies, visitor } from '@/app/session/visitor'
import { beginTwoFactor, changePassword, confirmTwoFactor, endTwoFactor } from '@/lib/auth/people/account'
import { addPasskey, beginPasskey } from '@/lib/auth/people/passkeys'
import { ServiceError } from '@/lib/core/errors'
import { PasskeyName, removePasskey, renamePasskey } from '@/lib/operations/account/passkeys'
import { endSession } from '@/lib/operations/account/sessions'
import { execute } from '@/lib/operations/execute'

/** Switches to another contractor, and stays on the current page if that contractor has it. */
export const switchContractorAction = formAction(
  z.object({ contractorId: z.string(), next: z.string().optional() }),
  async ({ contractorId, next }) => {
    const session = await currentSession()
    const chosen = session?.memberships.find((each) => each.contractorId === contractorId)
    if (!chosen) throw new ServiceError('forbidden', 'You are not on this contractor’s team.')
    await chooseContractor(contractorId)
    redirect(afterSwitch(pathHere(next), chosen.role))
  },
)

export const endSessionAction = formAction(z.object({ id: z.string() }), async (input) => {
  await execute(endSession, { actor: await currentAccount(), now: new Date() }, input)
  revalidatePath('/account')
  return { ok: true, message: 'The session has ended.' }
})

const Passwords = z
  .object({ current: z.string().min(1, 'Enter your current password.'), next: z.string(), again: z.string() })
  .refine(({ next, again }) => next === again, { path: ['again'], message: 'The new passwords don’t match.' })

export const changePasswordAction = formAction(Passwords, async ({ current, next }) => {
  await leaveCookies(await changePassword(await visitor(), await currentAccount(), { current, next }))
  mailSoon()
  revalidatePath('/account')
  return { ok: true, message: 'Password changed. Your other sessions have ended.' }
})

const Password = z.object({ password: z.string().min(1, 'Enter your password.') })

/** Returns the authenticator secret as a QR code and as text, and the backup codes. They are shown only once. */
export const beginTwoFactorAction = formAction(Password, async ({ password }) => {
  const { uri, backupCodes } = await beginTwoFactor(await visitor(), await currentAccount(), password)
  const image = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri)).toString('base64')}`
  return { ok: true, data: { image, secret: new URL(uri).searchParams.get('secret') ?? '', backupCodes } }
})

export const confirmTwoFactorAction = formAction(z.object({ code: z.string().min(1) }), async ({ code }) => {
  await leaveCookies(await confirmTwoFactor(await visitor(), await currentAccount(), code))
  revalidatePath('/account')
  return { ok: true, message: 'Two-factor sign-in is on. Your other sessions have ended.' }
})

export const endTwoFactorAction = formAction(Password, async ({ password }) => {
  await leaveCookies(await endTwoFactor(await visitor(), await currentAccount(), password))
  revalidatePath('/account')
  return { ok: true, message: 'Two-factor sign-in is off.' }
})

/** Returns the options with which the browser creates a passkey. */
export const beginPasskeyAction = formAction(Password.extend({ name: PasskeyName }), async (given) => {
  const { options, ...left } = await beginPasskey(await visitor(), await currentAccount(), given)
  await leaveCookies(left)
  return { ok: true, data: options }
})

export const addPasskeyAction = formAction(
  z.object({ name: PasskeyName, answer: z.string().max(65_536) }),
  async (given) => {
    await addPasskey(await visitor(), await currentAccount(), given)
    revalidatePath('/account')
    return { ok: true, message: 'Passkey added. You can sign in with it next time.' }
  },
)

export const renamePasskeyAction = formAction(z.object({ id: z.string(), name: PasskeyName }), async (input) => {
  await execute(renamePasskey, { actor: await currentAccount(), now: new Date() }, input)
  revalidatePath('/account')
  return { ok: true, message: 'Passkey renamed.' }
})

export const removePasskeyAction = formAction(z.object({ id: z.string() }), async (input) => {
  await execute(removePasskey, { actor: await currentAccount(), now: new Date() }, input)
  revalidatePath('/account')
  return { ok: true, message: 'Passkey removed.' }
})
