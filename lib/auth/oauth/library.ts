import { cimd } from '@better-auth/cimd'
import { oauthProvider } from '@better-auth/oauth-provider'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { jwt } from 'better-auth/plugins/jwt'
import type { Database } from '@/db/client'
import { grantAlive } from '@/db/queries/oauth-grants'
import type { Env } from '@/lib/core/env'
import { hashKey } from '../keys'
import { sharedOptions } from '../people/library'
import { SCOPES } from '../scopes'
import { fetchClientDocument } from './client-document'
import { OFFLINE } from './coerce'
import { grantOfConsent } from './consent-grant'
import { CONSENT_PATH, GRANT_CLAIM, issuerOf, resourceOf } from './places'

/** How long tokens work, in seconds: an access token is asked for again this often, a refresh token that nobody uses ends after this time. */
const ACCESS_SECONDS = 15 * 60
const REFRESH_SECONDS = 60 * 86_400
const CODE_SECONDS = 5 * 60
/** A signing key is used for so long, and accepted until the last token it signed has ended. */
const KEY_SECONDS = 30 * 86_400
const KEY_GRACE_SECONDS = 86_400

/** The library's authorization server. Its type does not fit the plugin's exactly, where an optional property may be undefined. */
function provider(db: Database, settings: Env): BetterAuthPlugin {
  const made: object = oauthProvider({
    scopes: [...SCOPES, OFFLINE],
    resources: [resourceOf('mcp', settings), resourceOf('api', settings)],
    enforcePerClientResources: false,
    grantTypes: ['authorization_code', 'refresh_token'],
    loginPage: CONSENT_PATH,
    consentPage: CONSENT_PATH,
    allowPublicClientPrelogin: true,
    allowDynamicClientRegistration: true,
    allowUnauthenticatedClientRegistration: true,
    accessTokenExpiresIn: ACCESS_SECONDS,
    refreshTokenExpiresIn: REFRESH_SECONDS,
    codeExpiresIn: CODE_SECONDS,
    // So that we find a token's row before the library does; see steps.ts.
    storeTokens: { hash: async (token) => hashKey(token) },
    postLogin: {
      page: CONSENT_PATH,
      // The consent page asks for the contractor too.
      shouldRedirect: () => false,
      consentReferenceId: () => grantOfConsent(),
    },
    customAccessTokenClaims: async ({ referenceId }) => {
      if (referenceId === undefined || !(await grantAlive(db, referenceId)))
        throw new APIError('BAD_REQUEST', {
          error: 'invalid_grant',
          error_description: 'This connection has ended. Connect again.',
        })
      return { [GRANT_CLAIM]: referenceId }
    },
  })
  return made as BetterAuthPlugin
}

/** The authorization server, which is only ever asked by a request. */
export type OAuthServer = { handler: (request: Request) => Promise<Response> }

/**
 * Returns the authorization server, configured for a database. It reads the sessions that sign-in makes.
 * @param fetchDocument what reads metadata documents; tests use their own server instead of the internet
 */
export function buildOAuthServer(
  db: Database,
  settings: Env,
  secret: string,
  fetchDocument = fetchClientDocument,
): OAuthServer {
  const shared = sharedOptions(db, settings, secret)
  return betterAuth({
    ...shared,
    basePath: '/',
    onAPIError: { errorURL: `${issuerOf(settings)}${CONSENT_PATH}` },
    plugins: [
      jwt({
        jwt: { issuer: issuerOf(settings) },
        jwks: {
          jwksPath: '/oauth2/jwks',
          keyPairConfig: { alg: 'EdDSA', crv: 'Ed25519' },
          rotationInterval: KEY_SECONDS,
          gracePeriod: KEY_GRACE_SECONDS,
        },
        disableSettingJwtHeader: true,
      }),
      provider(db, settings),
      cimd({
        metadataProfile: 'mcp-2026-07-28',
        fetchClientMetadataResource: (input, init) => fetchDocument(input, init),
      }),
    ],
  })
}
