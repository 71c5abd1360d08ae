import type { Registered } from '@/db/queries/oauth-clients'
import type { Env } from '@/lib/core/env'
import { isScope, READS, SCOPES, WRITES } from '../scopes'
import { resourceOf } from './places'

/** The scope that asks for a refresh token. */
export const OFFLINE = 'offline_access'

/** The schemes of editors' own redirects. The library takes reverse-domain ones only. */
const EDITORS: readonly string[] = ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed']

/** Reports whether a redirect leads to an editor on the person's machine: `cursor://anysphere.cursor-mcp/oauth/callback`. */
function isEditors(uri: unknown): uri is string {
  if (typeof uri !== 'string' || !/^[a-z-]+:\/\/[\w.~%/?=&+-]{1,200}$/.test(uri) || !URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return EDITORS.includes(protocol.slice(0, -1)) && hostname !== ''
}

/** Stands in for those while the library judges the rest of a registration; nobody is sent there. */
const STAND_IN = 'http://127.0.0.1/plumbline-own-scheme'

const isLoopback = (uri: unknown): boolean => {
  if (typeof uri !== 'string' || !URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/**
 * The fields that a registration may have; the rest is ignored, as RFC 7591, 2, has it. The rest would name addresses that the library asks
 * or posts to by itself, whatever their name resolves to, and abilities that are not offered here.
 */
const TAKEN: readonly string[] = [
  'redirect_uris',
  'token_endpoint_auth_method',
  'grant_types',
  'response_types',
  'application_type',
  'client_name',
  'client_uri',
  'logo_uri',
  'contacts',
  'tos_uri',
  'policy_uri',
  'jwks',
  'software_id',
  'software_version',
]

/**
 * Returns the scopes that a registration is granted: those it asks for that exist here, and those that read where it asks for none that
 * exist. Those that write are the person's to tick for every program, and a refresh token is what programs need though not all ask for it.
 * @returns what it is told, and what it may ask for later: null for any where it is all that reads, so that it may ask for what comes
 */
function registeredScopes(scope: unknown): { granted: string[]; scopes: string[] | null } {
  const known = [...SCOPES, OFFLINE]
  const asked = typeof scope === 'string' ? scope.split(' ').filter((each) => known.includes(each)) : []
  const granted = asked.some(isScope) ? [...new Set(asked)] : [...READS, OFFLINE]
  if (READS.every((each) => granted.includes(each))) return { granted, scopes: null }
  return { granted, scopes: [...new Set([...granted, ...WRITES, OFFLINE])] }
}

/** A registration as the library takes it, what its client is granted, and what it is told. */
export type Registration = {
  body: Record<string, unknown>
  granted: string[]
  /** The registration to store: its redirects where the library would not have taken those of the body. */
  stored: Registered
}

/**
 * A registration (RFC 7591) as the library takes it. Clients of today name no `application_type`, or the wrong one, for a program on the
 * person's machine; ask for scopes of other servers; and redirect to a scheme of their own.
 */
export function coercedRegistration(sent: Record<string, unknown>): Registration {
  const body = Object.fromEntries(Object.entries(sent).filter(([name]) => TAKEN.includes(name)))
  const { granted, scopes } = registeredScopes(sent.scope)
  const wanted = Array.isArray(body.redirect_uris) ? body.redirect_uris : []
  const own = wanted.filter(isEditors)
  if (own.length === 0) {
    const isNative = wanted.some(isLoopback) && (body.application_type ?? 'web') === 'web'
    return { body: isNative ? { ...body, application_type: 'native' } : body, granted, stored: { scopes } }
  }
  const others = wanted.filter((uri) => !own.includes(uri))
  return {
    body: { ...body, application_type: 'native', redirect_uris: [...others, STAND_IN] },
    granted,
    stored: { scopes, redirectUris: wanted },
  }
}

/**
 * Returns the scopes that the consent page offers: those that exist of what was asked for, and the client registered for (RFC 6749, 3.3
 * lets a server ignore the rest); those that write, which programs do not ask for because a list of tools shows only what was allowed, and
 * which an administrator may tick; and a refresh token, which clients need and not all ask for.
 */
function offeredScopes(scope: string | null, registered: readonly string[] | null): string {
  const asked = (scope ?? '').split(' ').filter(isScope)
  const reads = asked.filter((each) => READS.includes(each))
  const offered = new Set([...(asked.length > 0 ? reads : READS), ...WRITES, OFFLINE])
  return [...offered].filter((each) => registered?.includes(each) ?? true).join(' ')
}

/**
 * An authorization request as the library takes it. Each shows the consent page, whatever was allowed before. Without a resource it is for
 * the MCP server, whose clients of older revisions name none; a token for no resource is issued to nobody.
 * @param registered which scopes the client may ask for; null for any
 */
export function coercedAuthorize(
  query: URLSearchParams,
  settings: Env,
  registered: readonly string[] | null,
): URLSearchParams {
  const asked = new URLSearchParams(query)
  if (asked.get('prompt') !== 'none') asked.set('prompt', 'consent')
  asked.delete('max_age')
  asked.set('scope', offeredScopes(asked.get('scope'), registered))
  const resources = asked.getAll('resource').map((resource) => known(resource, settings))
  asked.delete('resource')
  for (const resource of resources.length > 0 ? resources : [resourceOf('mcp', settings)])
    asked.append('resource', resource)
  return asked
}

/**
 * The resource that an address means: people and programs give its host in capitals or with its port, a slash at its end, an address
 * beneath it such as `/mcp/rpc`, or the origin alone. What is no address of ours stays as it is, and is refused.
 */
function known(resource: string, settings: Env): string {
  const ours = [resourceOf('mcp', settings), resourceOf('api', settings)]
  if (!URL.canParse(resource)) return resource
  const { origin, pathname, search, hash, username, password } = new URL(resource)
  if (search + hash + username + password !== '') return resource
  const path = pathname.replace(/\/$/, '')
  const here = ours.map((each) => ({ each, own: new URL(each) })).filter(({ own }) => own.origin === origin)
  const meant = here.find(({ own }) => `${path}/`.startsWith(`${own.pathname.replace(/\/$/, '')}/`))
  return (meant ?? (path === '' ? here[0] : undefined))?.each ?? resource
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
 * Returns where a redirect goes, for people and for the list of what may be connected: a host, the person's own machine, or an app on it. A
 * scheme can be spelled like a host (`claude.ai:/callback`) and a host like a scheme (`https://cursor/`), so that neither passes for the
 * other.
 */
export function destinationOf(redirectUri: string): string {
  if (isLoopback(redirectUri)) return 'this computer'
  const { protocol, hostname } = new URL(redirectUri)
  if (protocol === 'https:') return hostname.includes('.') ? hostname : `https://${hostname}`
  const scheme = protocol.slice(0, -1)
  return isEditors(redirectUri) ? scheme : `app ${scheme}`
}
