import { passkey } from '@better-auth/passkey'
import { type BetterAuthOptions, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '@/db/client'
import { passkeyUsed } from '@/db/queries/passkeys'
import { peopleStore } from '@/db/queries/people-store'
import { baseUrls, type Env } from '@/lib/core/env'
import { newId } from '@/lib/core/ids'
import { SERVICE } from '@/lib/core/service'
import { ssoSessions } from '../sso/session'
import { passwordHashing } from './hashing'
import { cookiePrefix, NOT_VERIFIED, PASSWORD_LENGTH, passkeySite, VISITOR_ADDRESS } from './sign-in-settings'

/** The length of a session, in seconds; then the password is required again. */
const SESSION_SECONDS = 7 * 86_400

/**
 * The library requests user verification but accepts a response without it. A passkey counts as both factors only with it, so this
 * enforces it.
 */
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

/** Returns the options that every use of the library shares: where it is, whose sessions it reads, and what of it stays off. */
export function sharedOptions(db: Database, settings: Env, secret: string) {
  const { portal } = baseUrls(settings)
  return {
    appName: SERVICE.name,
    baseURL: portal,
    trustedOrigins: [portal],
    secret,
    database: peopleStore(db.orm),
    session: {
      expiresIn: SESSION_SECONDS,
      disableSessionRefresh: true,
      freshAge: 0,
      additionalFields: {
        onlyContractor: { type: 'string' as const, required: false, input: false },
        provenAt: { type: 'date' as const, required: false, input: false },
        provenBy: { type: 'string' as const, required: false, input: false },
      },
    },
    // Our own limiter counts attempts exactly, and by account and browser too; see attempts.ts.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: { disabled: true },
    advanced: {
      cookiePrefix: cookiePrefix(settings),
      useSecureCookies: false,
      defaultCookieAttributes: {
        httpOnly: true,
        sameSite: 'lax' as const,
        path: '/',
        secure: portal.startsWith('https:'),
      },
      ipAddress: { ipAddressHeaders: [VISITOR_ADDRESS] },
      database: {
        generateId: ({ model }: { model: string }) => (model === 'user' ? newId('person') : crypto.randomUUID()),
      },
    },
  } satisfies BetterAuthOptions
}

/** Returns the sign-in library, configured for a database. */
export function buildPeopleAuth(db: Database, settings: Env, secret: string) {
  return betterAuth({
    ...sharedOptions(db, settings, secret),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      password: passwordHashing,
    },
    plugins: [twoFactor({ issuer: SERVICE.name }), passkeys(db, settings), ssoSessions()],
  })
}

export type PeopleAuth = ReturnType<typeof buildPeopleAuth>
