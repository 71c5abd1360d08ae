import { baseUrls, type Env } from '@/lib/core/env'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { asksForHtml, prefersJson } from './accept'
import {
  GUIDE_SOURCE_PATH,
  OAUTH_PATH,
  RESOURCE_METADATA_PATHS,
  SERVER_INFO_PATH,
  SERVER_METADATA_PATH,
} from './endpoint'
import { isOfPortal, isPageFile } from './portal-paths'

/** The data API's first path segments, as they stand root-relative on its host. A test holds this to the registry. */
export const DATA_SEGMENTS: readonly string[] = [
  ...RESOURCE_NAMES,
  'changes',
  'export',
  'loads',
  'metadata',
  'openapi',
  'webhooks',
  'webhook-deliveries',
]

/** The path where the API's JSON 404 is served. */
export const UNKNOWN_PATH = '/api/unknown'

/** The place where a request goes: to a path of ours, or back with the right address in the message. */
export type Routed = { path: string } | { misdirected: string }

type Face = 'api' | 'mcp' | 'portal' | 'any' | 'unknown'
export type HostSettings = Pick<Env, 'hosts' | 'production' | 'publicUrl'>

/** A Host header without port and trailing dot, in lower case; `[::1]` keeps its brackets. */
export function hostName(header: string | null | undefined): string {
  return (header ?? '').trim().toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}

function faceOf(host: string, { hosts, production }: HostSettings): Face {
  if (!hosts.api && !hosts.mcp && !hosts.portal) {
    return host === 'api.localhost' ? 'api' : host === 'mcp.localhost' ? 'mcp' : 'any'
  }
  if (host === hosts.api) return 'api'
  if (host === hosts.mcp) return 'mcp'
  if (host === hosts.portal) return 'portal'
  return production ? 'unknown' : 'any'
}

const under = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`)

/**
 * Reports whether a path is answered on every host, known or not: what load balancers, metrics collectors, client generators, crawlers and
 * schedulers ask for.
 */
const isEverywhere = (path: string) =>
  ['/health', '/metrics', '/api/v1/openapi', '/openapi', '/robots.txt'].includes(path) || under(path, '/api/internal')
const isData = (path: string) => under(path, '/api/v1') || under(path, '/api/webhooks')
/** Reports whether it is for the data API under its own names, on a host serving it: most are. */
const isDataOf = (face: Face, path: string) => (face === 'any' || face === 'api') && isData(path)
/**
 * Reports whether a path is what MCP clients ask the server's host for when they look for an authorization server, at the root and under
 * its path.
 */
const isOAuth = (path: string) =>
  /^(\/mcp)?\/(\.well-known\/(oauth-[\w-]+|openid-configuration)(\/.*)?|register|authorize|token)$/.test(path)
const isMcp = (path: string) => under(path, '/mcp') || under(path, '/.well-known/mcp')
/** Reports whether it is on every known host: where a fault finder looks first (RFC 9116, 3). */
const isOfEveryFace = (path: string) => path === '/.well-known/security.txt'

/** The explorer is beside the API it asks where the portal has no host of its own. */
const isExplorer = (path: string) => under(path, '/developers/api')

/**
 * The path where the explorer sends its requests on the portal's host, which serves no data paths and whose pages may ask no other host:
 * they are answered here by the API's own endpoints, which take the key from the request as ever. `/developers/api/send/v1/invoices` is
 * `/api/v1/invoices`.
 */
export const EXPLORER_SEND = '/developers/api/send'

/** The API's path that one of the explorer's stands for; undefined for any other. */
function sentByExplorer(path: string): string | undefined {
  if (!under(path, `${EXPLORER_SEND}/v1`) && !under(path, `${EXPLORER_SEND}/webhooks`)) return undefined
  const meant = `/api${path.slice(EXPLORER_SEND.length)}`
  return isMisspelledApiPath(meant) ? UNKNOWN_PATH : meant
}

/** The parts of a request, beside its host and path, that decide where it goes. */
export type Asked = { method: string; accept: string | null | undefined }

/**
 * Returns whose `/` it is: the MCP server's on its host; where one host is all three, its information for programs that prefer JSON, and
 * the portal's page for people. A page takes nothing but GET, so every other method gets its 405 from the endpoint.
 */
function routeRoot(face: Face, { method, accept }: Asked): Routed {
  if (face === 'mcp') return { path: SERVER_INFO_PATH }
  if (face !== 'any') return { path: '/' }
  const isPage = (method === 'GET' || method === 'HEAD') && !prefersJson(accept)
  return { path: isPage ? '/' : SERVER_INFO_PATH }
}

/** The metadata of the authorization server, which is on the portal's host. */
const SERVER_METADATA = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
/** The metadata of what tokens are for: at the root, and with the path of what a client was given. */
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'
const MCP_METADATA = [RESOURCE_METADATA, `${RESOURCE_METADATA}/mcp`, `${RESOURCE_METADATA}/mcp/rpc`]

/** Returns where the documents lead that clients discover the authorization server by; undefined for every other path. */
function ofDiscovery(face: Face, path: string): Routed | undefined {
  if ((face === 'portal' || face === 'any') && SERVER_METADATA.includes(path)) return { path: SERVER_METADATA_PATH }
  if ((face === 'mcp' || face === 'any') && MCP_METADATA.includes(path)) return { path: RESOURCE_METADATA_PATHS.mcp }
  const ofApi = face === 'api' ? RESOURCE_METADATA : face === 'any' ? `${RESOURCE_METADATA}/api/v1` : undefined
  return path === ofApi ? { path: RESOURCE_METADATA_PATHS.api } : undefined
}

/** Returns where `/` and the addresses of an authorization server lead; undefined for every other path, and on the data API's host. */
function ofMcpServer(face: Face, path: string, asked: Asked): Routed | undefined {
  if (path === '/' && face !== 'api') return routeRoot(face, asked)
  const discovered = ofDiscovery(face, path)
  if (discovered) return discovered
  return (face === 'mcp' || face === 'any') && isOAuth(path) ? { path: OAUTH_PATH } : undefined
}

/**
 * Returns where a request goes by its host and path. On the data API's host paths are root-relative (`/customers`); on one machine, where
 * no hosts are configured, every host serves everything and, to programs, the root-relative names too.
 */
export function routeHost(
  header: string | null | undefined,
  path: string,
  settings: HostSettings,
  asked: Asked = { method: 'GET', accept: null },
): Routed {
  if (isEverywhere(path)) return { path: path === '/openapi' ? '/api/v1/openapi' : path }
  const face = faceOf(hostName(header), settings)
  if (face === 'unknown')
    return { misdirected: 'This host is not served here. Check the address, and that your client sends it as Host.' }
  if (isOfEveryFace(path) || isDataOf(face, path) || isPageFile(path)) return { path }
  const known = ofMcpServer(face, path, asked)
  if (known) return known
  const sent = face === 'portal' ? sentByExplorer(path) : undefined
  if (sent !== undefined) return { path: sent }
  const misdirected = misdirectedTo(face, path, settings)
  return misdirected === undefined ? { path: pathOn(face, path, settings, asked) } : { misdirected }
}

/** The type that a browser asks for the answer of a form in, when the page sends it by script. */
const FORM_ANSWER = 'text/x-component'

/** The file of a list (`/invoices/export`). No record has that id, and a browser that saves a link says nothing of what it takes. */
const LIST_FILE = /^\/[a-z-]+\/export$/

/**
 * Reports whether a browser asks for a page of records (`/invoices`) or its file, where one host is both portal and data API: programs that
 * use the root-relative name do not ask for HTML.
 */
const isRecordPage = (path: string, { accept }: Asked) =>
  isOfPortal(path) && (LIST_FILE.test(path) || asksForHtml(accept) || accept?.startsWith(FORM_ANSWER) === true)

/** The path of ours that another one leads to on a host that serves it. */
function pathOn(face: Face, path: string, settings: HostSettings, asked: Asked): string {
  if (face === 'api') return under(path, '/api') || isExplorer(path) ? path : `/api/v1${path}`
  if (face === 'mcp' && hasPortal(settings)) return isOnMcpHost(path) ? path : UNKNOWN_PATH
  return face === 'any' && isRootRelative(path) && !isRecordPage(path, asked) ? `/api/v1${path}` : pagePath(path)
}

/** Reports whether a path is one the MCP host has beside its root and the discovery of an authorization server. */
const isOnMcpHost = (path: string) => isMcp(path) || DOCUMENTS.includes(path)
const DOCUMENTS = ['/llms.txt', '/sitemap.xml']

/**
 * Reports whether the portal has a host that is not one of the others: its own, or, where none is configured, any but `mcp.` and
 * `api.localhost`.
 */
const hasPortal = ({ hosts }: HostSettings) => hosts.portal !== undefined || (!hosts.api && !hosts.mcp)

/** Returns what to say to a request for one of the three on a host that serves another one. */
function misdirectedTo(face: Face, path: string, settings: HostSettings): string | undefined {
  const { hosts } = settings
  if ((face === 'api' || face === 'portal') && isMcp(path))
    return `The MCP server is not served on this host.${onHost(hosts.mcp, path)}`
  if (((face === 'mcp' || face === 'portal') && isData(path)) || (face === 'mcp' && isRootRelative(path)))
    return `The data API is not served on this host.${onHost(hosts.api, path.replace(/^\/api\/v1(?=\/)/, ''))}`
  // Signing in works on the portal's own host only. The data API has records at the same paths.
  const isElsewhere =
    (face === 'mcp' || face === 'api') && hasPortal(settings) && isOfPortal(path) && !isRootRelative(path)
  return isElsewhere ? `The portal is not served on this host. Use ${baseUrls(settings).portal}${path}` : undefined
}

const isRootRelative = (path: string) => !path.startsWith('/api/') && DATA_SEGMENTS.includes(path.split('/')[1] ?? '')

/** A page's path as it is; a guide's Markdown is asked for under the page's name with `.md` behind it. */
const pagePath = (path: string) => path.replace(/^\/developers\/guides\/([\w-]+)\.md$/, `${GUIDE_SOURCE_PATH}/$1.md`)

const onHost = (host: string | undefined, path: string) => (host ? ` Use https://${host}${path}` : '')

/**
 * Reports whether a path means to be an API path but is not spelled as one (`//api/v1/x`, `/API/v1/x`, `/api/v1/%2e/x`, a slash at the
 * end): answered with a JSON 404 by both entries, before anything could normalize it into a real one.
 */
export function isMisspelledApiPath(path: string): boolean {
  if (/^\/api\/[\w./-]*[\w-]$/.test(path) && !/\/\/|\/\.|\.\.|\.(rsc|json|txt)$/.test(path)) return false
  return /^\/api(\/|$)/.test(plain(path)) || /^\/(%2f|%5c|\\|\/)*api(\/|%2f|$)/i.test(path)
}

function plain(path: string): string {
  try {
    return new URL(
      decodeURIComponent(path)
        .replace(/[\\/]+/g, '/')
        .toLowerCase(),
      'http://host',
    ).pathname
  } catch {
    return path.toLowerCase()
  }
}
