import { drizzleAdapter } from 'better-auth/adapters/drizzle'
import type { Orm } from '../client'
import {
  oauthAccessTokens,
  oauthClientAssertions,
  oauthClientResources,
  oauthClients,
  oauthGrants,
  oauthKeys,
  oauthRefreshTokens,
  oauthResources,
  people,
  personAccounts,
  personPasskeys,
  personSessions,
  personTwoFactors,
  personVerifications,
} from '../schema'

/** The database adapter for sign-in and for connections. */
export const peopleStore = (orm: Orm) =>
  drizzleAdapter(orm, {
    provider: 'pg',
    schema: {
      user: people,
      session: personSessions,
      account: personAccounts,
      verification: personVerifications,
      twoFactor: personTwoFactors,
      passkey: personPasskeys,
      jwks: oauthKeys,
      oauthClient: oauthClients,
      oauthResource: oauthResources,
      oauthClientResource: oauthClientResources,
      oauthConsent: oauthGrants,
      oauthRefreshToken: oauthRefreshTokens,
      oauthAccessToken: oauthAccessTokens,
      oauthClientAssertion: oauthClientAssertions,
    },
  })
