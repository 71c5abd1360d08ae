import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Orm } from '../client'
import { oauthClients } from '../schema'

/** Reports whether a client is stored. */
export async function isClientStored(orm: Orm, clientId: string): Promise<boolean> {
  const found = await orm.select({ id: oauthClients.id }).from(oauthClients).where(eq(oauthClients.clientId, clientId))
  return found.length > 0
}

/**
 * The number of clients that may be stored before those that nobody connected are removed within the hour instead of within the day, and
 * how many at a time: anybody may register.
 */
const CLIENTS = { most: 5_000, atOnce: 500 }

/** Removes clients that nobody connected, the oldest first, where there are too many. */
export async function boundClients(orm: Orm): Promise<void> {
  await orm.execute(sql`delete from oauth_clients where (select count(*) from (select 1 from oauth_clients limit ${CLIENTS.most + 1}) c) > ${CLIENTS.most}
    and id in (select c.id from oauth_clients c where c.created_at < now() - interval '1 hour'
      and not exists (select 1 from oauth_grants g where g.client_id = c.client_id) order by c.created_at limit ${CLIENTS.atOnce})`)
}

/** The grant of a client that registered itself: which scopes it may ask for, null for any, and where it sends people back to. */
export type Registered = { scopes: string[] | null; redirectUris?: string[] }

/** Sets what a registration was granted. */
export async function setRegistered(orm: Orm, clientId: string, registered: Registered): Promise<void> {
  await orm.update(oauthClients).set(registered).where(eq(oauthClients.clientId, clientId))
}

/** Returns which scopes a client may ask for; null for any. */
export async function scopesOfClient(orm: Orm, clientId: string): Promise<string[] | null> {
  const [client] = await orm
    .select({ scopes: oauthClients.scopes })
    .from(oauthClients)
    .where(eq(oauthClients.clientId, clientId))
  return client?.scopes ?? null
}

/** Returns the metadata document of a client that is known by one, as it was read last; undefined for any other. */
export async function storedDocument(orm: Orm, clientId: string): Promise<object | undefined> {
  const [client] = await orm
    .select()
    .from(oauthClients)
    .where(and(eq(oauthClients.clientId, clientId), isNotNull(oauthClients.clientDiscoveryId)))
  if (!client) return undefined
  const said = {
    client_id: client.clientId,
    client_name: client.name,
    redirect_uris: client.redirectUris,
    grant_types: client.grantTypes,
    response_types: client.responseTypes,
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    application_type: client.applicationType,
    jwks: client.jwks === null ? null : JSON.parse(client.jwks),
    jwks_uri: client.jwksUri,
  }
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null))
}

/** Stores the console as a client that redirects to its own page. */
export async function putConsoleClient(orm: Orm, clientId: string, name: string, redirectUri: string): Promise<void> {
  const client = {
    name,
    redirectUris: [redirectUri],
    tokenEndpointAuthMethod: 'none',
    applicationType: 'web',
    grantTypes: ['authorization_code', 'refresh_token'],
    responseTypes: ['code'],
    requirePKCE: true,
  }
  await orm
    .insert(oauthClients)
    .values({ id: clientId, clientId, ...client })
    .onConflictDoUpdate({ target: oauthClients.clientId, set: client })
}

/** Forgets which scopes there were when a metadata document was stored, so that its client may ask for those that came since. */
export async function forgetDocumentScopes(orm: Orm, clientId: string): Promise<void> {
  const isDocument = and(isNotNull(oauthClients.clientDiscoveryId), isNotNull(oauthClients.scopes))
  await orm
    .update(oauthClients)
    .set({ scopes: null })
    .where(and(eq(oauthClients.clientId, clientId), isDocument))
}
