import { database } from '@/db/client'
import { ssoOnlyPlacesOf, membershipsOf as stored } from '@/db/queries/members'
import { ServiceError } from '@/lib/core/errors'
import { accountOf, type PersonActor } from '../actor'
import type { SignedIn } from './sign-in'

/** A contractor that a person works for, and their role. */
export type Membership = Awaited<ReturnType<typeof stored>>[number]

/** Returns the contractors that a person's session reaches, sorted by name; each request looks up its rights here. */
export const membershipsOf = async ({ id, session }: Pick<SignedIn, 'id' | 'session'>): Promise<Membership[]> =>
  await stored((await database()).orm, id, session.onlyContractor)

/** Returns the contractors of a person that this session does not reach, because they require single sign-on. */
export const ssoOnlyPlaces = async ({ id, session }: Pick<SignedIn, 'id' | 'session'>) =>
  session.onlyContractor === null ? await ssoOnlyPlacesOf((await database()).orm, id) : []

/**
 * Returns a signed-in person as the author of changes to their own account.
 * @throws ServiceError `forbidden` in a session of single sign-on: the provider belongs to one contractor, the account to the person
 */
export function ownAccountOf(person: SignedIn, address: string): PersonActor {
  if (person.session.onlyContractor !== null)
    throw new ServiceError(
      'forbidden',
      'You signed in with single sign-on, which reaches one contractor. Sign in with your own password or passkey to do this.',
    )
  return accountOf(person, address)
}
