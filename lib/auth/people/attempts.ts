import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import { addressSubject } from '@/lib/limits/address-subject'
import { consumeOwnLimit } from '@/lib/limits/limiter'
import { POLICIES } from '@/lib/limits/policies'
import type { Waiter } from '@/lib/limits/turns'
import type { PersonActor } from '../actor'
import { trustedDevice } from './device'
import type { Visitor } from './visitor'

/** The number of addresses, as a multiple of the limit, that may each try an account once in a minute before others are refused. */
const NEWCOMERS = 3

async function take(place: string, subject: string, times = 1): Promise<void> {
  const { allowed, retryAfterMs } = await consumeOwnLimit(POLICIES.signIn.rate(env()) * times, place, subject)
  if (allowed) return
  tally('limit refusals', 'signIn')
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  throw new ServiceError('rate_limited', `Too many attempts. Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/** The subjects for unknown and known browsers when no account is named yet. */
const subjectOf = (visitor: Visitor): string => trustedDevice(visitor) ?? addressSubject(visitor.address)

/**
 * Counts a password attempt at an account. A browser the account has signed in with has its own limit. Unknown clients share one
 * limit per address and one per account. An address's first attempt at an account in a minute is counted separately, so that
 * someone who guesses from a few addresses leaves room for the right password from another.
 * @returns how the caller is counted while the password is checked
 * @throws ServiceError `rate_limited` when this minute's limit is used up
 */
export async function countPassword(visitor: Visitor, email: string): Promise<Waiter> {
  const device = trustedDevice(visitor, email)
  if (device !== undefined) {
    await take('sign-in by device', device)
    return { lane: 'known' }
  }
  const subject = addressSubject(visitor.address)
  const account = email.toLowerCase()
  await take('sign-in by address', subject)
  const first = await consumeOwnLimit(1, 'sign-in first try', `${subject} ${account}`)
  if (first.allowed) await take('sign-in by newcomers', account, NEWCOMERS)
  else await take('sign-in by account', account)
  return { lane: 'stranger', subject }
}

/** A sign-in step other than a password. */
type Step = 'code' | 'passkey' | 'passkey begun' | 'reset' | 'reset asked' | 'sso' | 'sso begun' | 'sso asked'

/**
 * Counts a sign-in step other than a password: a code (the library locks a second factor after wrong guesses), a passkey, a link from
 * an email or single sign-on, which cannot be guessed. It does not use up password attempts.
 * @throws ServiceError `rate_limited`
 */
export async function countStep(visitor: Visitor, step: Step): Promise<void> {
  await take(`sign-in, ${step}`, subjectOf(visitor))
}

/**
 * Counts a password or code that a signed-in person enters again, separately from strangers' attempts. @throws ServiceError
 * `rate_limited`
 */
export async function countOwn(by: PersonActor): Promise<void> {
  await take('own password', by.personId)
}
