import type { Env } from '@/lib/core/env'

/** The data API's first path segments, as they stand root-relative on its host. A test holds this to the registry. */
export const DATA_SEGMENTS = ['customers', 'projects', 'invoices', 'payments', 'metadata', 'openapi']

/** Where a request goes: to a path of ours, or back with the right address in the message. */
export type Routed = { path: string } | { misdirected: string }

type Face = 'api' | 'mcp' | 'portal' | 'any' | 'unknown'
export type HostSettings = Pick<Env, 'hosts' | 'production'>

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

/** Answered on every host, known or not: what a load balancer and a client generator ask for. */
const isEverywhere = (path: string) => path === '/health' || path === '/api/v1/openapi'
const isData = (path: string) => under(path, '/api/v1') || under(path, '/api/webhooks')

/**
 * Where a request goes by its host and path. On the data API's host paths are root-relative (`/customers`); on one machine,
 * where no hosts are configured, every host serves everything and the root-relative names too.
 */
export function routeHost(header: string | null | undefined, path: string, settings: HostSettings): Routed {
  if (isEverywhere(path)) return { path }
  const face = faceOf(hostName(header), settings)
  const { hosts } = settings
  if (face === 'unknown')
    return { misdirected: 'This host is not served here. Check the address, and that your client sends it as Host.' }
  if (face === 'api') {
    if (under(path, '/mcp'))
      return { misdirected: `The MCP server is not served on this host.${onHost(hosts.mcp, path)}` }
    return { path: under(path, '/api') ? path : `/api/v1${path}` }
  }
  if (face === 'mcp' || face === 'portal') {
    if (isData(path))
      return {
        misdirected: `The data API is not served on this host.${onHost(hosts.api, path.replace(/^\/api\/v1(?=\/)/, ''))}`,
      }
    if (face === 'portal' && under(path, '/mcp'))
      return { misdirected: `The MCP server is not served on this host.${onHost(hosts.mcp, path)}` }
    return { path }
  }
  return {
    path: !path.startsWith('/api/') && DATA_SEGMENTS.includes(path.split('/')[1] ?? '') ? `/api/v1${path}` : path,
  }
}

const onHost = (host: string | undefined, path: string) => (host ? ` Use https://${host}${path}` : '')

/**
 * Whether a path means to be an API path but is not spelled as one (`//api/v1/x`, `/API/v1/x`, `/api/v1/%2e/x`, a slash at the
 * end): answered with a JSON 404 by both entries, before anything could normalise it into a real one.
 */
export function isMisspelledApiPath(path: string): boolean {
  if (/^\/api\/[\w./-]*[\w-]$/.test(path) && !/\/\/|\/\.|\.\.|\.(rsc|json|txt)$/.test(path)) return false
  return /^\/api(\/|$)/.test(plain(path)) || /^\/+(%2f|%5c|\\|\/)*api(\/|%2f|$)/i.test(path)
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
