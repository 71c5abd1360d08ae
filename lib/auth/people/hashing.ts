import { AsyncLocalStorage } from 'node:async_hooks'
import { ServiceError } from '@/lib/core/errors'
import { shared } from '@/lib/core/shared'
import { tally } from '@/lib/core/tally'
import { isBusy, Turns, type Waiter } from '@/lib/limits/turns'

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
