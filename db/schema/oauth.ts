import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from './columns'
import { ofContractor } from './contractors'
import { ofPerson, people, personSessions } from './people'

/** Programs that people connect. Tables and columns are those of @better-auth/oauth-provider, under our names. */
export const oauthClients = pgTable(
  'oauth_clients',
  {
    id: text('id').primaryKey(),
    clientId: text('client_id').notNull().unique(),
    clientSecret: text('client_secret'),
    /** The value `cimd` where the client is known by its metadata document, so that its host is proven; null where it registered itself. */
    clientDiscoveryId: text('client_discovery_id'),
    disabled: boolean('disabled').default(false),
    skipConsent: boolean('skip_consent'),
    enableEndSession: boolean('enable_end_session'),
    subjectType: text('subject_type'),
    scopes: text('scopes').array(),
    clientCredentialsScopes: text('client_credentials_scopes').array(),
    userId: text('person_id').references(() => people.id, { onDelete: 'cascade' }),
    createdAt: moment('created_at').defaultNow(),
    updatedAt: moment('updated_at').defaultNow(),
    name: text('name'),
    uri: text('uri'),
    icon: text('icon'),
    contacts: text('contacts').array(),
    tos: text('tos'),
    policy: text('policy'),
    softwareId: text('software_id'),
    softwareVersion: text('software_version'),
    softwareStatement: text('software_statement'),
    redirectUris: text('redirect_uris').array().notNull(),
    postLogoutRedirectUris: text('post_logout_redirect_uris').array(),
    backchannelLogoutUri: text('backchannel_logout_uri'),
    backchannelLogoutSessionRequired: boolean('backchannel_logout_session_required'),
    tokenEndpointAuthMethod: text('token_endpoint_auth_method'),
    applicationType: text('application_type'),
    jwks: text('jwks'),
    jwksUri: text('jwks_uri'),
    grantTypes: text('grant_types').array(),
    responseTypes: text('response_types').array(),
    requirePKCE: boolean('require_pkce'),
    dpopBoundAccessTokens: boolean('dpop_bound_access_tokens').default(false),
    referenceId: text('reference_id'),
    metadata: jsonb('metadata'),
  },
  (t) => [index('oauth_clients_person').on(t.userId), index('oauth_clients_created').on(t.createdAt)],
)

const clientId = () =>
  text('client_id')
    .notNull()
    .references(() => oauthClients.clientId, { onDelete: 'cascade' })

/** The resources that tokens are issued for: the MCP server and the data API. */
export const oauthResources = pgTable('oauth_resources', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull().unique(),
  name: text('name').notNull(),
  accessTokenTtl: integer('access_token_ttl'),
  refreshTokenTtl: integer('refresh_token_ttl'),
  signingAlgorithm: text('signing_algorithm'),
  signingKeyId: text('signing_key_id'),
  allowedScopes: text('allowed_scopes').array(),
  customClaims: jsonb('custom_claims'),
  dpopBoundAccessTokensRequired: boolean('dpop_bound_access_tokens_required').default(false),
  disabled: boolean('disabled').default(false),
  createdAt: moment('created_at').defaultNow(),
  updatedAt: moment('updated_at').defaultNow(),
  policyVersion: integer('policy_version').default(1),
  metadata: jsonb('metadata'),
})

/** The resources that each client may ask for. The library asks for the table; here each client may ask for both. */
export const oauthClientResources = pgTable(
  'oauth_client_resources',
  {
    id: text('id').primaryKey(),
    clientId: clientId(),
    resourceId: text('resource_id')
      .notNull()
      .references(() => oauthResources.identifier, { onDelete: 'cascade' }),
    metadata: jsonb('metadata'),
    createdAt: moment('created_at'),
  },
  (t) => [uniqueIndex('oauth_client_resources_once').on(t.clientId, t.resourceId)],
)

/**
 * A person's consent that a program acts for them at one contractor. The library finds it by `referenceId`, which is the id: each consent
 * is a row of its own, so that ending one ends no other.
 */
export const oauthGrants = pgTable(
  'oauth_grants',
  {
    id: text('id').primaryKey(),
    // The library refuses a table with columns that it neither writes nor finds filled; no contractor is called '', so a row without one fails.
    contractorId: ofContractor().default(''),
    clientId: clientId(),
    userId: ofPerson(),
    referenceId: text('reference_id').notNull(),
    resources: text('resources').array(),
    requestedUserInfoClaims: text('requested_user_info_claims').array(),
    scopes: text('scopes').array().notNull(),
    /** The program's name as it gave it then, and where the person was sent back to: a host, or the scheme of a local program. */
    clientName: text('client_name').notNull().default(''),
    destination: text('destination').notNull().default(''),
    /** The code that was issued, hashed: its second use ends the grant. */
    codeHash: text('code_hash').unique(),
    /** The time when the code became tokens; null for a connection that was never completed. */
    connectedAt: moment('connected_at'),
    endedAt: moment('ended_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('oauth_grants_contractor').on(t.contractorId, t.createdAt),
    index('oauth_grants_person').on(t.userId),
    index('oauth_grants_client').on(t.clientId),
  ],
)

/** Refresh tokens, hashed. A used one stays until the grant ends, so that its second use is noticed. */
export const oauthRefreshTokens = pgTable(
  'oauth_refresh_tokens',
  {
    id: text('id').primaryKey(),
    token: text('token').notNull().unique(),
    clientId: clientId(),
    sessionId: text('session_id').references(() => personSessions.id, { onDelete: 'set null' }),
    userId: ofPerson(),
    /** The grant. */
    referenceId: text('reference_id').references(() => oauthGrants.id, { onDelete: 'cascade' }),
    authorizationCodeId: text('authorization_code_id'),
    resources: text('resources').array(),
    requestedUserInfoClaims: text('requested_user_info_claims').array(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    revoked: moment('revoked'),
    rotatedAt: moment('rotated_at'),
    rotationReplayResponse: text('rotation_replay_response'),
    rotationReplayExpiresAt: moment('rotation_replay_expires_at'),
    authTime: moment('auth_time'),
    confirmation: jsonb('confirmation'),
    scopes: text('scopes').array().notNull(),
  },
  (t) => [
    index('oauth_refresh_tokens_client').on(t.clientId),
    index('oauth_refresh_tokens_person').on(t.userId),
    index('oauth_refresh_tokens_session').on(t.sessionId),
    index('oauth_refresh_tokens_grant').on(t.referenceId),
    index('oauth_refresh_tokens_code').on(t.authorizationCodeId),
  ],
)

/** Access tokens that are no JWT. The library asks for the table; none is issued here, because every token names its resource. */
export const oauthAccessTokens = pgTable('oauth_access_tokens', {
  id: text('id').primaryKey(),
  token: text('token').unique(),
  clientId: clientId(),
  sessionId: text('session_id').references(() => personSessions.id, { onDelete: 'set null' }),
  userId: text('person_id').references(() => people.id, { onDelete: 'cascade' }),
  referenceId: text('reference_id'),
  authorizationCodeId: text('authorization_code_id'),
  resources: text('resources').array(),
  requestedUserInfoClaims: text('requested_user_info_claims').array(),
  refreshId: text('refresh_id').references(() => oauthRefreshTokens.id, { onDelete: 'cascade' }),
  expiresAt: moment('expires_at'),
  createdAt: moment('created_at'),
  revoked: moment('revoked'),
  confirmation: jsonb('confirmation'),
  scopes: text('scopes').array().notNull(),
})

/** Signed statements by which clients authenticated (RFC 7523), each accepted once. */
export const oauthClientAssertions = pgTable('oauth_client_assertions', {
  id: text('id').primaryKey(),
  expiresAt: moment('expires_at').notNull(),
})

/** Keys that sign access tokens. The private half is encrypted with a secret that is not in the database. */
export const oauthKeys = pgTable('oauth_keys', {
  id: text('id').primaryKey(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at'),
  alg: text('alg'),
  crv: text('crv'),
})

/** The programs that a contractor's people may connect, by where they are sent back to. Without a row, any program. */
export const connectionPolicies = pgTable('connection_policies', {
  contractorId: ofContractor().primaryKey(),
  destinations: text('destinations').array().notNull(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
})
