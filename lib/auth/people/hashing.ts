import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import { database } from '@/db/client'
import { claimCode } from '@/db/queries/person-sessions'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { shared } from '@/lib/core/shared'
import { tally } from '@/lib/core/tally'
import { isBusy, Turns, type Waiter } from '@/lib/limits/turns'
import { cookiePrefix } from './sign-in-settings'

/** An authenticator code works for the 30 seconds it is shown, and as long before and after: 90 seconds in total. */
const REMEMBERED_MS = 120_000

/** Returns a code as the library compares it, without the spaces that people type. */
export const bareCode = (code: string): string => code.replace(/\s/g, '')

/** Records that a person's code was used (RFC 6238, 5.2). @returns false when it had been used before */
export async function consumeCode(personId: string, code: string): Promise<boolean> {
  const id = createHash('sha256')
    .update(`${personId} ${bareCode(code)}`)
    .digest('hex')
  return await claimCode((await database()).orm, id, new Date(Date.now() + REMEMBERED_MS))
}

/** Returns the token of the session that a response of the library started; undefined when it started none. */
export async function begunSession(headers: Headers): Promise<string | undefined> {
  const { parseSetCookieHeader } = await import('better-auth/cookies')
  const name = `${cookiePrefix(env())}.session_token`
  for (const line of headers.getSetCookie()) {
    const value = parseSetCookieHeader(line).get(name)?.value
    // The token, a dot, and its signature.
    if (value) return decodeURIComponent(value).split('.')[0]
  }
  return undefined
}

/**
 * A hash occupies a core for about a tenth of a second, and takes 32 MB. These limit how many run at once in a process, and how
 * many wait in each lane.
 */
const AT_ONCE = 2
const PLACES = 8
const RETRY_SECONDS = 2

const turns = shared<Turns>('passwordTurns', () => new Turns(AT_ONCE, PLACES))
const waiters = shared<AsyncLocalStorage<Waiter>>('passwordWaiter', () => new AsyncLocalStorage())
const inTurn = <T>(work: () => Promise<T>): Promise<T> => turns().run(waiters().getStore() ?? { lane: 'known' }, work)

const library = () => import('better-auth/crypto')

/** The sign-in library's hash functions; nothing in this process hashes a password outside the queue. */
export const passwordHashing = {
  hash: (password: string) => inTurn(async () => (await library()).hashPassword(password)),
  verify: (given: { hash: string; password: string }) => inTurn(async () => (await library()).verifyPassword(given)),
}

/** Runs code that hashes a password for a given caller; without a caller, it counts as known. */
export const hashingFor = <T>(waiter: Waiter, work: () => Promise<T>): Promise<T> => waiters().run(waiter, work)

/** Returns the error for a full queue; any other error is returned unchanged. */
export function busyAsRefusal(error: unknown): unknown {
  if (!isBusy(error)) return error
  tally('limit refusals', 'signIn')
  return new ServiceError(
    'rate_limited',
    `Too many people are signing in right now. Try again in ${RETRY_SECONDS} seconds.`,
    {
      headers: { 'retry-after': String(RETRY_SECONDS) },
      cause: error,
    },
  )
}
