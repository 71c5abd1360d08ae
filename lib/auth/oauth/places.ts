import { baseUrls, type Env, env } from '@/lib/core/env'
import type { ProtectedResource } from '../actor'
import { READS, type Scope } from '../scopes'

/** The authorization server's paths on the portal's host, as the library names them. */
export const STEPS = ['authorize', 'token', 'register', 'revoke', 'jwks'] as const
export type Step = (typeof STEPS)[number]

/** The claim of an access token that names its grant. */
export const GRANT_CLAIM = 'grant'

/** Returns the URL of the console's page, which its sign-in goes back to. */
export const consoleRedirect = (settings: Env = env()): string => `${baseUrls(settings).mcp}/console`

/** The page where a person decides; the library sends browsers there with a query that it signed. */
export const CONSENT_PATH = '/connect'

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/

/**
 * Reports whether people can connect programs here: the operator did not turn it off, sign-in is configured, and tokens travel over https
 * or stay on this machine (OAuth 2.1, 1.5), which a function of Vercel's never is.
 */
export function isOAuthOffered(settings: Env = env()): boolean {
  if (!settings.oauth || settings.authSecret === undefined) return false
  const { protocol, hostname } = new URL(baseUrls(settings).portal)
  return protocol === 'https:' || (LOOPBACK.test(hostname) && settings.vercel === undefined)
}

/** The issuer (RFC 8414, 2): the portal's origin, without a slash at the end. */
export const issuerOf = (settings: Env = env()): string => baseUrls(settings).portal

/** Returns what a face's tokens are issued for (RFC 8707): the MCP server's URL, or where the data API begins. */
export function resourceOf(face: ProtectedResource, settings: Env = env()): string {
  const { mcp, api, apiPrefix } = baseUrls(settings)
  return face === 'mcp' ? mcp : api + apiPrefix
}

/** Returns where a face's metadata is: the well-known path goes between host and path (RFC 9728, 3.1). */
export function metadataUrlOf(face: ProtectedResource, settings: Env = env()): string {
  const { origin, pathname } = new URL(resourceOf(face, settings))
  return `${origin}/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
}

/** A face's metadata (RFC 9728, 2). It names what everyone may ask for; more is asked for where it is needed. */
export const resourceMetadata = (face: ProtectedResource, settings: Env = env()) => ({
  resource: resourceOf(face, settings),
  authorization_servers: [issuerOf(settings)],
  scopes_supported: READS,
  bearer_methods_supported: ['header'],
  resource_name: face === 'mcp' ? 'Plumbline MCP server' : 'Plumbline data API',
  resource_documentation: `${baseUrls(settings).portal}/developers/guides/agents`,
})

type Fault = { error: 'invalid_token' | 'insufficient_scope'; description: string }

/** Returns `WWW-Authenticate` for a face (RFC 6750, 3; RFC 9728, 5.1): where to find the metadata, and which scopes to ask for. */
export function challenge(face: ProtectedResource, fault?: Fault, scopes: readonly Scope[] = READS): string {
  const realm = 'Bearer realm="plumbline"'
  if (!isOAuthOffered()) return realm
  return [
    realm,
    ...(fault ? [`error="${fault.error}"`, `error_description="${fault.description}"`] : []),
    `resource_metadata="${metadataUrlOf(face)}"`,
    `scope="${scopes.join(' ')}"`,
  ].join(', ')
}
