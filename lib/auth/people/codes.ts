import { createHash } from 'node:crypto'
import { database } from '@/db/client'
import { claimCode } from '@/db/queries/person-sessions'
import { env } from '@/lib/core/env'
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
