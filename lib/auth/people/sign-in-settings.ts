import { baseUrls, type Env } from '@/lib/core/env'

/** The header in which we pass a visitor's address to the library; a visitor's own headers never get there. */
export const VISITOR_ADDRESS = 'x-visitor-address'

/** The only rule for passwords is their length (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const

/** The prefix of our cookies' names. Over https, `__Host-` makes the browser restrict them to this host (RFC 6265bis, 4.1.3.2). */
export const cookiePrefix = (settings: Env): string =>
  baseUrls(settings).portal.startsWith('https:') ? '__Host-plumbline' : 'plumbline'

/** The site that passkeys belong to, from configuration and never from a request (WebAuthn, 13.4.9). */
export function passkeySite(settings: Env): { id: string; origin: string } {
  const { hostname, origin } = new URL(baseUrls(settings).portal)
  return { id: hostname, origin }
}

/** The library's error code for a device that let someone in without a PIN, a finger or a face. */
export const NOT_VERIFIED = 'PERSON_NOT_VERIFIED'
