import 'server-only'
import { cookies, headers } from 'next/headers'
import { forbidden, redirect } from 'next/navigation'
import { cache } from 'react'
import { accountOf, type PersonActor } from '@/lib/auth/actor'
import { type Membership, membershipsOf } from '@/lib/auth/people/memberships'
import { type SignedIn, signedIn } from '@/lib/auth/people/sign-in'
import { cookiePrefix } from '@/lib/auth/people/sign-in-settings'
import { scopesOfRole } from '@/lib/auth/roles'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { mayRun } from '@/lib/operations/access'
import type { AnyOperation } from '@/lib/operations/define'
import { visitor } from './visitor'

/** Who is signed in, the contractors they serve, and the one they look at: the chosen one, else the first. */
export type Session = { person: SignedIn; memberships: Membership[]; current: Membership | undefined }

const chosenCookie = () => `${cookiePrefix(env())}.contractor`

/** Remembers which contractor is looked at. It chooses among those a person serves and opens no other. */
export async function chooseContractor(contractorId: string): Promise<void> {
  const secure = chosenCookie().startsWith('__Host-')
  const jar = await cookies()
  jar.set(chosenCookie(), contractorId, { httpOnly: true, secure, sameSite: 'lax', path: '/', maxAge: 31_536_000 })
}

/** The session of the present request, looked up once. */
export const currentSession = cache(async (): Promise<Session | undefined> => {
  // Without sign-in configured there is nobody, and the public pages still work.
  if (env().authSecret === undefined) return undefined
  const person = await signedIn(await visitor())
  if (!person) return undefined
  const memberships = await membershipsOf(person.id)
  const chosen = (await cookies()).get(chosenCookie())?.value
  return { person, memberships, current: memberships.find((m) => m.contractorId === chosen) ?? memberships[0] }
})

/** A person as the actor of what they do for one of their contractors. */
export async function actorFor({ person }: Session, { contractorId, role }: Membership): Promise<PersonActor> {
  return { ...accountOf(person, (await visitor()).address), role, contractorId, scopes: scopesOfRole(role) }
}

const SESSION_OVER = 'Your session has ended, so nothing was changed.'

/** What a form is answered whose sender is signed in no more. */
export const sessionOver = () => new ServiceError('unauthorized', SESSION_OVER)
export const isSessionOver = ({ code, message }: ServiceError): boolean =>
  code === 'unauthorized' && message === SESSION_OVER

/** Whoever is signed in, for what is their own. @throws ServiceError `unauthorized` when the session is over */
export async function currentAccount(): Promise<PersonActor> {
  const session = await currentSession()
  if (!session) throw sessionOver()
  return accountOf(session.person, (await visitor()).address)
}

/** A page's path with its query, to come back to after signing in. */
async function here(): Promise<string> {
  return (await headers()).get('x-plumbline-path') ?? '/'
}

/** The session a page needs; who is not signed in is sent to do so, and comes back. */
export async function requireSession(): Promise<Session> {
  const session = await currentSession()
  if (session) return session
  redirect(`/sign-in?next=${encodeURIComponent(await here())}`)
}

/**
 * Who looks at a page, and the contractor it is for; with `operation`, a page for those who may run that. Who serves no contractor or
 * may not run it gets the page that says why, with 403, before anything is sent.
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
