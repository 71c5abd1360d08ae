import 'server-only'
import { cookies } from 'next/headers'
import { cookiePrefix } from '@/lib/auth/people/sign-in-settings'
import { env } from '@/lib/core/env'

const MINUTES = 15

const nameOf = (what: string) => `${cookiePrefix(env())}.connect-${what}`

async function put(name: string, value: string, maxAge: number): Promise<void> {
  const jar = await cookies()
  // Lax, because the browser comes back from another site.
  jar.set(name, value, { httpOnly: true, secure: name.startsWith('__Host-'), sameSite: 'lax', path: '/', maxAge })
}

/** Keeps what ties connecting to this browser. */
export const storeBrowserBinding = (secret: string): Promise<void> => put(nameOf('browser'), secret, MINUTES * 60)

/** Takes it once. */
export async function consumeBrowserBinding(): Promise<string> {
  const jar = await cookies()
  const found = jar.get(nameOf('browser'))?.value ?? ''
  await put(nameOf('browser'), '', 0)
  return found
}

/** Keeps why connecting failed for the page that comes next, rather than in its address, which anyone could write. */
export const storeConnectFault = (message: string): Promise<void> =>
  put(nameOf('fault'), encodeURIComponent(message), 20)

export async function readConnectFault(): Promise<string | undefined> {
  const found = (await cookies()).get(nameOf('fault'))?.value
  return found ? decodeURIComponent(found) : undefined
}
