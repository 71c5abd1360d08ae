'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { formAction } from '@/app/session/action'
import { actorFor, chooseContractor, currentSession } from '@/app/session/actor'
import { pathHere } from '@/app/session/path'
import { leaveCookies, visitor } from '@/app/session/visitor'
import type { PersonActor } from '@/lib/auth/actor'
import { beginTwoFactor, changePassword, confirmTwoFactor, endSession, endTwoFactor } from '@/lib/auth/people/account'
import { addPasskey, beginPasskey, endPasskey, namePasskey } from '@/lib/auth/people/passkeys'
import { scopesOfRole } from '@/lib/auth/roles'
import { ServiceError } from '@/lib/core/errors'

/** Whoever is signed in, as the author of changes to their own account. */
async function self(): Promise<PersonActor> {
  const session = await currentSession()
  if (!session) throw new ServiceError('unauthorized', 'Your session is over. Sign in again; nothing was changed.')
  if (session.current) return actorFor(session, session.current)
  const { person } = session
  const { address } = await visitor()
  const none = { role: 'viewer', contractorId: '', scopes: scopesOfRole('viewer') } as const
  return { kind: 'person', personId: person.id, name: person.name, email: person.email, address, ...none }
}

/** Looks at another contractor from now on. */
export const switchContractorAction = formAction(
  z.object({ contractorId: z.string(), next: z.string().optional() }),
  async ({ contractorId, next }) => {
    const session = await currentSession()
    if (!session?.memberships.some((each) => each.contractorId === contractorId))
      throw new ServiceError('forbidden', 'You do not serve this contractor.')
    await chooseContractor(contractorId)
    redirect(pathHere(next))
  },
)

export const endSessionAction = formAction(z.object({ id: z.string() }), async ({ id }) => {
  await endSession(await visitor(), await self(), id)
  revalidatePath('/account')
  return { ok: true, message: 'The session is over.' }
})

const Passwords = z
  .object({ current: z.string().min(1, 'Enter your present password.'), next: z.string(), again: z.string() })
  .refine(({ next, again }) => next === again, { path: ['again'], message: 'The two new passwords differ.' })

export const changePasswordAction = formAction(Passwords, async ({ current, next }) => {
  await leaveCookies(await changePassword(await visitor(), await self(), { current, next }))
  revalidatePath('/account')
  return { ok: true, message: 'The password is changed; every other session is over.' }
})

const Password = z.object({ password: z.string().min(1, 'Enter your password.') })

/** What the app reads, as a picture to scan and as text to enter, and the backup codes: all told this once. */
export const beginTwoFactorAction = formAction(Password, async ({ password }) => {
  const { uri, backupCodes } = await beginTwoFactor(await visitor(), await self(), password)
  const image = `data:image/svg+xml;base64,${Buffer.from(renderSVG(uri)).toString('base64')}`
  return { ok: true, data: { image, secret: new URL(uri).searchParams.get('secret') ?? '', backupCodes } }
})

export const confirmTwoFactorAction = formAction(z.object({ code: z.string().min(1) }), async ({ code }) => {
  await leaveCookies(await confirmTwoFactor(await visitor(), await self(), code))
  revalidatePath('/account')
  return { ok: true, message: 'Two-factor sign-in is on. Your other sessions are over.' }
})

export const endTwoFactorAction = formAction(Password, async ({ password }) => {
  await leaveCookies(await endTwoFactor(await visitor(), await self(), password))
  revalidatePath('/account')
  return { ok: true, message: 'Two-factor sign-in is off.' }
})

const PasskeyName = z.string().trim().min(1, 'Enter a name.').max(60, 'At most 60 characters.')

/** What the browser is to ask the device for. */
export const beginPasskeyAction = formAction(Password.extend({ name: PasskeyName }), async (given) => {
  const { options, ...left } = await beginPasskey(await visitor(), await self(), given)
  await leaveCookies(left)
  return { ok: true, data: options }
})

export const addPasskeyAction = formAction(
  z.object({ name: PasskeyName, answer: z.string().max(65_536) }),
  async (given) => {
    await addPasskey(await visitor(), await self(), given)
    revalidatePath('/account')
    return { ok: true, message: 'The passkey is added. Sign in with it next time.' }
  },
)

export const namePasskeyAction = formAction(z.object({ id: z.string(), name: PasskeyName }), async ({ id, name }) => {
  await namePasskey(await self(), id, name)
  revalidatePath('/account')
  return { ok: true, message: 'The passkey has its new name.' }
})

export const endPasskeyAction = formAction(z.object({ id: z.string() }), async ({ id }) => {
  await endPasskey(await self(), id)
  revalidatePath('/account')
  return { ok: true, message: 'The passkey is removed.' }
})
