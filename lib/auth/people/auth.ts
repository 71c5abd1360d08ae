import { passkey } from '@better-auth/passkey'
import { betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import { type Database, database } from '@/db/client'
import { passkeyUsed } from '@/db/queries/passkeys'
import { peopleStore } from '@/db/queries/person-sessions'
import { baseUrls, type Env, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { SERVICE } from '@/lib/core/service'
import { part } from '@/lib/runtime/runtime'
import { passwordHashing } from './hashing'

/** Signed in for so long, in seconds; then once more with the password. */
const SESSION_SECONDS = 7 * 86_400

/** Where a visitor's address stands in the headers we make for each call; a visitor's own headers never get there. */
export const VISITOR_ADDRESS = 'x-visitor-address'

/** Passwords are at least so long; there are no other rules (NIST SP 800-63B, 3.1.1.2). */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const

/** What a cookie of ours is called in front. Over https the browser itself holds it to this host (RFC 6265bis, 4.1.3.2). */
export const cookiePrefix = (settings: Env): string =>
  baseUrls(settings).portal.startsWith('https:') ? '__Host-plumbline' : 'plumbline'

/** The site a passkey is made for and used at, from configuration and never from a request (WebAuthn, 13.4.9). */
export function passkeySite(settings: Env): { id: string; origin: string } {
  const { hostname, origin } = new URL(baseUrls(settings).portal)
  return { id: hostname, origin }
}

/** What the library calls it when a device let somebody in without a PIN, a finger or a face. */
export const NOT_VERIFIED = 'PERSON_NOT_VERIFIED'

/** The library asks for user verification and accepts an answer without it; a passkey stands for both factors only with it. */
function requireVerified(verified: boolean | undefined): void {
  if (!verified) throw new APIError('UNAUTHORIZED', { code: NOT_VERIFIED, message: NOT_VERIFIED })
}

function passkeys(db: Database, settings: Env) {
  const site = passkeySite(settings)
  return passkey({
    rpID: site.id,
    rpName: SERVICE.name,
    origin: site.origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    registration: {
      afterVerification: async ({ verification }) => requireVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification: { authenticationInfo } }) => {
        requireVerified(authenticationInfo.userVerified)
        await passkeyUsed(db.orm, authenticationInfo.credentialID, authenticationInfo.credentialBackedUp)
      },
    },
  })
}

function build(db: Database, settings: Env, secret: string) {
  const { portal } = baseUrls(settings)
  return betterAuth({
    appName: SERVICE.name,
    baseURL: portal,
    trustedOrigins: [portal],
    secret,
    database: peopleStore(db.orm),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: passwordHashing,
    },
    session: { expiresIn: SESSION_SECONDS, disableSessionRefresh: true, freshAge: 0 },
    plugins: [twoFactor({ issuer: SERVICE.name }), passkeys(db, settings)],
    // Counted by our own limiter, exactly and by account and browser too; see attempts.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: cookiePrefix(settings),
      useSecureCookies: false,
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/', secure: portal.startsWith('https:') },
      ipAddress: { ipAddressHeaders: [VISITOR_ADDRESS] },
      database: { generateId: ({ model }) => (model === 'user' ? newId('person') : crypto.randomUUID()) },
    },
  })
}

export type PeopleAuth = ReturnType<typeof build>

const made = part('people', () => new WeakMap())

/**
 * Sign-in, over the process's database. Called on the server only: none of its own paths is served.
 * @throws ServiceError `internal` when no secret is configured
 */
export async function peopleAuth(): Promise<PeopleAuth> {
  const db = await database()
  const known = made().get(db)
  if (known) return known
  const { authSecret } = env()
  if (authSecret === undefined)
    throw new ServiceError(
      'internal',
      'Sign-in is not configured. Whoever runs this service must set BETTER_AUTH_SECRET to a random text of at least 32 characters.',
    )
  const auth = build(db, env(), authSecret)
  made().set(db, auth)
  return auth
}
