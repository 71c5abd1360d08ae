import 'server-only'
import { parseSetCookieHeader } from 'better-auth/cookies'
import { cookies, headers } from 'next/headers'
import { env } from '@/lib/core/env'
import type { LeavesCookies, Visitor } from '@/lib/people/visitor'
import { clientAddress } from '@/lib/wire/address'

/** Who sends the present request. */
export async function visitor(): Promise<Visitor> {
  const sent = await headers()
  return {
    address: clientAddress(sent, env().proxyHops),
    userAgent: sent.get('user-agent') ?? '',
    cookie: sent.get('cookie') ?? '',
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
