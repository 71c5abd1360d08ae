import 'server-only'
import { cookies, headers } from 'next/headers'
import type { LeavesCookies, Visitor } from '@/lib/auth/people/visitor'
import { env } from '@/lib/core/env'
import { clientAddress } from '@/lib/http/address'

/**
 * Returns the current request's cookies, including those an action has just set, because the next page renders in the same request.
 */
async function cookieHeader(): Promise<string> {
  const all = (await cookies()).getAll()
  return all.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

/** Returns the visitor of the current request. */
export async function visitor(): Promise<Visitor> {
  const sent = await headers()
  return {
    address: clientAddress(sent, env().proxyHops),
    userAgent: sent.get('user-agent') ?? '',
    cookie: await cookieHeader(),
  }
}

/** Sets the cookies of a sign-in response. Works only in actions and routes, because a page cannot set cookies. */
export async function leaveCookies({ setCookies }: LeavesCookies): Promise<void> {
  const { parseSetCookieHeader } = await import('better-auth/cookies')
  const jar = await cookies()
  for (const line of setCookies)
    for (const [name, { value, ...rest }] of parseSetCookieHeader(line))
      jar.set(name, decodeURIComponent(value), {
        httpOnly: rest.httponly === true,
        secure: rest.secure === true,
        sameSite: 'lax',
        path: '/',
        ...(rest['max-age'] === undefined ? {} : { maxAge: Number(rest['max-age']) }),
      })
}
