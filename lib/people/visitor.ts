import { isAPIError } from 'better-auth/api'
import { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import { takeLimit } from '@/lib/limits/limiter'
import { VISITOR_ADDRESS } from './auth'

/** Who sends a request to the portal, as far as their browser tells: the address, the browser's name, the cookies. */
export type Visitor = { address: string; userAgent: string; cookie: string }

/** Headers for a call of the sign-in library: only what we know ourselves. */
export const headersOf = ({ address, userAgent, cookie }: Visitor): Headers =>
  new Headers({ [VISITOR_ADDRESS]: address, 'user-agent': userAgent.slice(0, 300), cookie })

/** What an answer leaves in the browser: values of `Set-Cookie`. */
export type LeavesCookies = { setCookies: string[] }

export const cookiesOf = (headers: Headers): LeavesCookies => ({ setCookies: headers.getSetCookie() })

async function take(place: string, subject: string): Promise<void> {
  const { allowed, retryAfterMs } = await takeLimit('signIn', place, subject)
  if (allowed) return
  tally('limit refusals', 'signIn')
  const seconds = Math.ceil(retryAfterMs / 1000)
  throw new ServiceError('rate_limited', `Too many attempts. Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
  })
}

/**
 * Counts an attempt that a password or code could be guessed with, for the address it comes from and for the account it is made at.
 * @throws ServiceError `rate_limited` when either has had its share of this minute
 */
export async function countAttempt({ address }: Visitor, account: string): Promise<void> {
  await take('sign-in by address', address)
  await take('sign-in by account', account.toLowerCase())
}

/**
 * Counts a sign-in that is begun without a guess, as each leaves a row behind: apart from attempts, so that a page that is opened
 * often spends none of those.
 * @throws ServiceError `rate_limited`
 */
export async function countBeginning({ address }: Visitor): Promise<void> {
  await take('sign-in begun by address', address)
}

/**
 * Runs a call of the sign-in library; its refusal becomes one of ours, worded by `reasons` (by the library's code).
 * @throws ServiceError `bad_request` for a refusal
 */
export async function asking<T>(
  call: () => Promise<T>,
  reasons: Record<string, string>,
  otherwise: string,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    // By its name: the library may have been loaded by `server.ts`, whose copy of its classes is not that of the pages.
    if (!isAPIError(error)) throw error
    const code = error.body?.code ?? ''
    throw new ServiceError('bad_request', reasons[code] ?? otherwise, { cause: error })
  }
}
