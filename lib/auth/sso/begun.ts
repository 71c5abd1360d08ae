import * as z from 'zod'
import { baseUrls, env } from '@/lib/core/env'
import { seal, unseal } from '@/lib/core/seal'
import { cookiePrefix } from '../people/sign-in-settings'
import type { LeavesCookies, Visitor } from '../people/visitor'

const PURPOSE = 'begun single sign-on'
/** The time that a person may take at their provider, in seconds. */
export const BEGUN_SECONDS = 600

const Begun = z.object({
  contractorId: z.string(),
  issuer: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  next: z.string(),
  /** True when somebody who is signed in confirms that it is them. Absent where an earlier version began it. */
  again: z.boolean().default(false),
  until: z.number(),
})

/** A sign-in that was sent to a provider: what its answer must fit. */
export type Begun = z.output<typeof Begun>

const name = () => `${cookiePrefix(env())}.sso`
const secretOf = () => env().authSecret ?? ''

function cookie(value: string, seconds: number): LeavesCookies {
  const secure = baseUrls(env()).portal.startsWith('https:') ? '; Secure' : ''
  return { setCookies: [`${name()}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`] }
}

/** Keeps a sign-in in the browser that began it, sealed, so that no other browser can finish it. */
export const storeBegunSignIn = (begun: Begun): LeavesCookies =>
  cookie(seal(secretOf(), PURPOSE, JSON.stringify(begun)), BEGUN_SECONDS)

/** Forgets it. */
export const forgetBegun = (): LeavesCookies => cookie('', 0)

/** Returns the sign-in that this browser has begun, unless it is too old. */
export function readBegunSignIn({ cookie: sent }: Visitor): Begun | undefined {
  const start = `${name()}=`
  const value = sent
    .split('; ')
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length)
  const text = value && unseal([secretOf()], PURPOSE, value)
  if (!text) return undefined
  const begun = Begun.parse(JSON.parse(text))
  return begun.until > Date.now() ? begun : undefined
}
