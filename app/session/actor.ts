import 'server-only'
import { cookies, headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { cache } from 'react'
import { accountOf, type PersonActor } from '@/lib/auth/actor'
import { type Membership, membershipsOf, ownAccountOf } from '@/lib/auth/people/memberships'
import { type SignedIn, signedIn } from '@/lib/auth/people/sign-in'
import { cookiePrefix } from '@/lib/auth/people/sign-in-settings'
import { scopesOfRole } from '@/lib/auth/roles'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { mayRun } from '@/lib/operations/access'
import type { AnyOperation } from '@/lib/operations/define'
import { visitor } from './visitor'

/** The signed-in person, their contractors, and the current one: the chosen contractor, otherwise the first. */
export type Session = { person: SignedIn; memberships: Membership[]; current: Membership | undefined }

const chosenCookie = () => `${cookiePrefix(env())}.contractor`

/** Stores the current contractor in a cookie. It only chooses among the person's contractors and grants no access. */
export async function chooseContractor(contractorId: string): Promise<void> {
  const secure = chosenCookie().startsWith('__Host-')
  const jar = await cookies()
  jar.set(chosenCookie(), contractorId, { httpOnly: true, secure, sameSite: 'lax', path: '/', maxAge: 31_536_000 })
}

/** Returns the session of the current request, looked up once. */
export const currentSession = cache(async (): Promise<Session | undefined> => {
  // When sign-in is not configured nobody is signed in, and the public pages still work.
  if (env().authSecret === undefined) return undefined
  const person = await signedIn(await visitor())
  if (!person) return undefined
  const memberships = await membershipsOf(person)
  const chosen = (await cookies()).get(chosenCookie())?.value
  return { person, memberships, current: memberships.find((m) => m.contractorId === chosen) ?? memberships[0] }
})

/** Returns a person as the actor for one of their contractors. */
export async function actorFor({ person }: Session, { contractorId, role }: Membership): Promise<PersonActor> {
  return { ...accountOf(person, (await visitor()).address), role, contractorId, scopes: scopesOfRole(role) }
}

const SESSION_OVER = 'Your session has ended, so nothing was changed.'

/** Returns the error for a form whose sender is no longer signed in. */
export const sessionOver = () => new ServiceError('unauthorized', SESSION_OVER)
export const isSessionOver = ({ code, message }: ServiceError): boolean =>
  code === 'unauthorized' && message === SESSION_OVER

/** Makes sure that somebody is signed in. @throws ServiceError `unauthorized` when the session has ended */
export async function requireSignedIn(): Promise<Session> {
  const session = await currentSession()
  if (!session) throw sessionOver()
  return session
}

/**
 * Returns the signed-in person, for changes to their own account.
 * @throws ServiceError `unauthorized` when the session has ended, `forbidden` in a session of single sign-on
 */
export async function currentAccount(): Promise<PersonActor> {
  return ownAccountOf((await requireSignedIn()).person, (await visitor()).address)
}

/** Returns the page's path with its query, to return to after signing in. */
export async function here(): Promise<string> {
  return (await headers()).get('x-plumbline-path') ?? '/'
}

/** Returns the session that a page needs; redirects visitors to sign in and back. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession()
  if (session) return session
  redirect(`/sign-in?next=${encodeURIComponent(await here())}`)
}

/**
 * Returns the actor of a page and the current contractor; with `operation`, the person must be allowed to run it. A person without a
 * contractor or the role gets a page that says why, with status 403, before anything is sent.
 */
export async function requireActor(
  operation?: Pick<AnyOperation, 'access' | 'name'>,
): Promise<{ session: Session; actor: PersonActor; current: Membership }> {
  const session = await requireSession()
  const { current } = session
  if (!current) forbidden()
  const actor = await actorFor(session, current)
  if (operation && !mayRun(operation, actor)) forbidden()
  return { session, actor, current }
}
