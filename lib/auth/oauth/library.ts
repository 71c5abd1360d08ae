import { cimd } from '@better-auth/cimd'
import { oauthProvider } from '@better-auth/oauth-provider'
import { type BetterAuthPlugin, betterAuth } from 'better-auth'
import { APIError } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import { type Jwk, type JwtOptions, jwt } from 'better-auth/plugins/jwt'
import type { Database } from '@/db/client'
import { storedDocument } from '@/db/queries/oauth-clients'
import { grantAlive } from '@/db/queries/oauth-grants'
import type { Env } from '@/lib/core/env'
import { hashKey } from '../keys'
import { sharedOptions } from '../people/library'
import { SCOPES } from '../scopes'
import { fetchClientDocument } from './client-document'
import { OFFLINE } from './coerce'
import { grantOfConsent } from './consent-grant'
import { CONSENT_PATH, GRANT_CLAIM, issuerOf, resourceOf } from './places'

/**
 * The times that tokens work, in seconds: an access token is asked for again this often, a refresh token that nobody uses ends after this
 * time.
 */
const ACCESS_SECONDS = 15 * 60
const REFRESH_SECONDS = 60 * 86_400
/** A code may wait so long, and a person for as long on the consent page, which may begin with finding a password and a second factor. */
const CODE_SECONDS = 10 * 60
/**
 * The time for which a refresh token that was just used is answered as the first time: an answer may be lost, and two processes may ask at
 * once.
 */
const REFRESH_AGAIN_SECONDS = 20
/** A signing key is used for so long, and accepted until the last token it signed has ended. */
const KEY_SECONDS = 30 * 86_400
const KEY_GRACE_SECONDS = 86_400

/**
 * The library's authorization server. All of it is checked against the type of a plugin but its endpoints: their OpenAPI descriptions have
 * `items?: undefined`, which is no left-out property under exactOptionalPropertyTypes. Nothing here reads those descriptions.
 */
function provider(db: Database, settings: Env): BetterAuthPlugin {
  const made: Omit<BetterAuthPlugin, 'endpoints'> = oauthProvider({
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
    refreshTokenReuseInterval: REFRESH_AGAIN_SECONDS,
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

/**
 * The signing keys. One whose private half does not open, because BETTER_AUTH_SECRET was changed since, counts as expired: the library makes
 * another, and tokens it signed still work until they end.
 */
const keyring: NonNullable<JwtOptions['adapter']> = {
  getJwks: async (ctx) => {
    const found = await ctx.context.adapter.findMany<Jwk>({ model: 'jwks' })
    const opens = ({ privateKey }: Jwk) =>
      symmetricDecrypt({ key: ctx.context.secretConfig, data: JSON.parse(privateKey) }).then(
        () => true,
        () => false,
      )
    return await Promise.all(
      found.map(async (key) => ((await opens(key)) ? key : { ...key, expiresAt: new Date(Date.now() - 1_000) })),
    )
  },
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
        adapter: keyring,
        disableSettingJwtHeader: true,
      }),
      provider(db, settings),
      cimd({
        metadataProfile: 'mcp-2026-07-28',
        fetchClientMetadataResource: (input, init) => fetchDocument(input, init, (url) => storedDocument(db.orm, url)),
      }),
    ],
  })
}
