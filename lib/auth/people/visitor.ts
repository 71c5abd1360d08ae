import { ServiceError } from '@/lib/core/errors'
import { busyAsRefusal } from './hashing'
import { VISITOR_ADDRESS } from './sign-in-settings'

/** The sender of a request to the portal, as far as the browser tells: address, user agent, cookies. */
export type Visitor = { address: string; userAgent: string; cookie: string }

/** Headers for a call of the sign-in library, containing only what we know ourselves. */
export const headersOf = ({ address, userAgent, cookie }: Visitor): Headers =>
  new Headers({ [VISITOR_ADDRESS]: address, 'user-agent': userAgent.slice(0, 300), cookie })

/** The cookies that a response stores in the browser: values of `Set-Cookie`. */
export type LeavesCookies = { setCookies: string[] }

export const cookiesOf = (headers: Headers): LeavesCookies => ({ setCookies: headers.getSetCookie() })

/**
 * Calls the sign-in library and turns its errors into ours, worded by `reasons` (by the library's code).
 * @throws ServiceError `bad_request` for a refusal, `rate_limited` when too many passwords are being checked
 */
export async function callSignIn<T>(
  call: () => Promise<T>,
  reasons: Record<string, string>,
  otherwise: string,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    // Loaded on demand, as every page is one of sign-in's users. It compares the name and not the class, so any copy of the library will do.
    const { isAPIError } = await import('better-auth/api')
    if (!isAPIError(error)) throw busyAsRefusal(error)
    const code = error.body?.code ?? ''
    throw new ServiceError('bad_request', reasons[code] ?? otherwise, { cause: error })
  }
}
