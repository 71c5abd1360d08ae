import type { Env } from '@/lib/core/env'
import { isScope, READS, WRITES } from '../scopes'
import { resourceOf } from './places'

/** The scope that asks for a refresh token. */
export const OFFLINE = 'offline_access'

/** Redirects to a program's own scheme that clients of today register, exactly as they send them. The library takes reverse-domain ones only. */
const OWN_SCHEMES: readonly string[] = [
  'cursor://anysphere.cursor-retrieval/oauth/user-agent/callback',
  'cursor://anysphere.cursor-mcp/oauth/callback',
]

/** Stands in for those while the library judges the rest of a registration; nobody is sent there. */
const STAND_IN = 'http://127.0.0.1/plumbline-own-scheme'

const isLoopback = (uri: unknown): boolean => {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/**
 * A registration (RFC 7591) as the library takes it. Clients of today name no `application_type`, or the wrong one, for a program on the
 * person's machine; ask for scopes that are no use to name here, because the person chooses; and redirect to a scheme of their own.
 * @returns the body, and the redirects to put into the stored client where they are not those of the body
 */
export function coercedRegistration(body: Record<string, unknown>): {
  body: Record<string, unknown>
  redirectUris?: string[]
} {
  const { scope: _, ...rest } = body
  const wanted = Array.isArray(rest.redirect_uris) ? rest.redirect_uris : []
  const own = wanted.filter((uri): uri is string => OWN_SCHEMES.includes(uri))
  if (own.length === 0) {
    const isNative = wanted.some(isLoopback) && (rest.application_type ?? 'web') === 'web'
    return { body: isNative ? { ...rest, application_type: 'native' } : rest }
  }
  const others = wanted.filter((uri) => !own.includes(uri))
  return {
    body: { ...rest, application_type: 'native', redirect_uris: [...others, STAND_IN] },
    redirectUris: wanted,
  }
}

/** A resource without the slash that some clients add at its end. */
const withoutSlash = (resource: string) => resource.replace(/\/$/, '')

/**
 * What the consent page offers: what there is of what was asked for (RFC 6749, 3.3 lets a server ignore the rest); what writes, which programs
 * do not ask for because a list of tools shows only what was allowed, and which an administrator may tick; and a refresh token, which clients
 * need and not all ask for.
 */
function offeredScopes(scope: string | null): string {
  const asked = (scope ?? '').split(' ').filter(isScope)
  const reads = asked.filter((each) => READS.includes(each))
  return [...new Set([...(asked.length > 0 ? reads : READS), ...WRITES, OFFLINE])].join(' ')
}

/**
 * An authorization request as the library takes it. Each shows the consent page, whatever was allowed before. Without a resource it is for
 * the MCP server, whose clients of older revisions name none; a token for no resource is issued to nobody.
 */
export function coercedAuthorize(query: URLSearchParams, settings: Env): URLSearchParams {
  const asked = new URLSearchParams(query)
  if (asked.get('prompt') !== 'none') asked.set('prompt', 'consent')
  asked.delete('max_age')
  asked.set('scope', offeredScopes(asked.get('scope')))
  const resources = asked.getAll('resource').map((resource) => known(resource, settings))
  asked.delete('resource')
  for (const resource of resources.length > 0 ? resources : [resourceOf('mcp', settings)])
    asked.append('resource', resource)
  return asked
}

function known(resource: string, settings: Env): string {
  const bare = withoutSlash(resource)
  const ours = [resourceOf('mcp', settings), resourceOf('api', settings)]
  return ours.find((each) => withoutSlash(each) === bare) ?? resource
}

/** The form of a token request with the same correction. */
export function coercedToken(form: URLSearchParams, settings: Env): URLSearchParams {
  const asked = new URLSearchParams(form)
  const resources = asked.getAll('resource')
  asked.delete('resource')
  for (const resource of resources) asked.append('resource', known(resource, settings))
  return asked
}

/**
 * Where a redirect goes, for people and for the list of what may be connected: a host, the person's own machine, or an app on it. A scheme
 * can be spelled like a host (`claude.ai:/callback`) and a host like a scheme (`https://cursor/`), so that neither passes for the other.
 */
export function destinationOf(redirectUri: string): string {
  if (isLoopback(redirectUri)) return 'this computer'
  const { protocol, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return hostname.includes('.') ? hostname : `https://${hostname}`
  const scheme = protocol.slice(0, -1)
  return OWN_SCHEMES.includes(redirectUri) ? scheme : `app ${scheme}`
}
