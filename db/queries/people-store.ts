import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import type { Orm } from '../client'
import * as tables from '../schema'

/** The database adapter for sign-in and for connections. */
export const peopleStore = (orm: Orm) =>
  drizzleAdapter(orm, {
    provider: 'pg',
    schema: {
      user: tables.people,
      session: tables.personSessions,
      account: tables.personAccounts,
      verification: tables.personVerifications,
      twoFactor: tables.personTwoFactors,
      passkey: tables.personPasskeys,
      jwks: tables.oauthKeys,
      oauthClient: tables.oauthClients,
      oauthResource: tables.oauthResources,
      oauthClientResource: tables.oauthClientResources,
      oauthConsent: tables.oauthGrants,
      oauthRefreshToken: tables.oauthRefreshTokens,
      oauthAccessToken: tables.oauthAccessTokens,
      oauthClientAssertion: tables.oauthClientAssertions,
    },
  })
