import { createHash } from 'node:crypto'
import { parseSetCookieHeader } from 'better-auth/cookies'
import { database } from '@/db/client'
import { claimCode } from '@/db/queries/person-sessions'
import { env } from '@/lib/core/env'
import { cookiePrefix } from './sign-in-settings'

/** A code of an authenticator app works for the 30 seconds it is shown, and as long before and after: 90 in all. */
const REMEMBERED_MS = 120_000

/** A code as the library compares it: people type spaces into it. */
export const bareCode = (code: string): string => code.replace(/\s/g, '')

/** Notes that a person's code was used (RFC 6238, 5.2). @returns false when it was used before */
export async function takeCode(personId: string, code: string): Promise<boolean> {
  const id = createHash('sha256')
    .update(`${personId} ${bareCode(code)}`)
    .digest('hex')
  return await claimCode((await database()).orm, id, new Date(Date.now() + REMEMBERED_MS))
}

/** The token of the session that an answer of the library has begun; undefined when it has begun none. */
export function begunSession(headers: Headers): string | undefined {
  const name = `${cookiePrefix(env())}.session_token`
  for (const line of headers.getSetCookie()) {
    const value = parseSetCookieHeader(line).get(name)?.value
    // The token, a dot, and its signature.
    if (value) return decodeURIComponent(value).split('.')[0]
  }
  return undefined
}
