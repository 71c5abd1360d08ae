import 'server-only'
import { parseSetCookieHeader } from 'better-auth/cookies'
import { cookies, headers } from 'next/headers'
import type { LeavesCookies, Visitor } from '@/lib/auth/people/visitor'
import { env } from '@/lib/core/env'
import { clientAddress } from '@/lib/http/address'

/** The cookies of the present request, with those an action of it has set: the page after it is made in the same request. */
async function cookieHeader(): Promise<string> {
  const all = (await cookies()).getAll()
  return all.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
}

/** Who sends the present request. */
export async function visitor(): Promise<Visitor> {
  const sent = await headers()
  return {
    address: clientAddress(sent, env().proxyHops),
    userAgent: sent.get('user-agent') ?? '',
    cookie: await cookieHeader(),
  }
}

/** Leaves what an answer of sign-in leaves, in the browser. Only in actions and routes: a page cannot set cookies. */
export async function leaveCookies({ setCookies }: LeavesCookies): Promise<void> {
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
