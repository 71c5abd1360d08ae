import { isOAuthOffered, issuerOf, metadataUrlOf } from '@/lib/auth/oauth/places'
import { baseUrls, type Env } from '@/lib/core/env'

/** The deployment's data in the documents: its addresses and its limit, all from configuration. */
export type Site = {
  /** The MCP host's URL, without a path. */
  origin: string
  mcp: string
  /** The URL with its path prefix, if there is one. */
  api: string
  portal: string
  /** The authorization server by which people sign in instead of sending a key; undefined where there is none. */
  signIn: { server: string; metadata: string } | undefined
  /** The public origins of the service, each once. */
  origins: string[]
  /** The domain of the mailbox for vulnerability reports. */
  mailHost: string
  /** Requests per minute and key. */
  rate: number
  /** Searches per minute and contractor, all keys together. */
  searchRate: number
  /** Leads per minute and key. */
  leadRate: number
}

/** Returns the deployment described by the settings. */
export function siteOf(settings: Env): Site {
  const { api, apiPrefix, mcp, portal } = baseUrls(settings)
  const origin = mcp.replace(/\/mcp$/, '')
  const own = new URL(settings.publicUrl).hostname
  return {
    origin,
    mcp,
    api: `${api}${apiPrefix}`,
    portal,
    signIn: isOAuthOffered(settings)
      ? { server: issuerOf(settings), metadata: metadataUrlOf('mcp', settings) }
      : undefined,
    origins: [...new Set([origin, api, portal])],
    // With configured hosts, PUBLIC_URL may still have its default, which is not a public address.
    mailHost: own === 'localhost' ? new URL(portal).hostname : own,
    rate: settings.limits.mcp,
    searchRate: settings.limits.rag,
    leadRate: settings.limits.leads,
  }
}

/** The public documents of the MCP server, which need no key, each with a short description. */
export const PUBLIC_PLACES = {
  home: { path: '/', about: 'Server information, as JSON or as a page by Accept' },
  health: { path: '/health', about: 'Whether the service works' },
  console: { path: '/mcp/console', about: 'Call the tools from a browser' },
  info: { path: '/mcp/info', about: 'How to connect' },
  tools: { path: '/mcp/tools.json', about: 'Every tool with its input schema and an example' },
  discovery: { path: '/mcp/.well-known/mcp-server.json', about: 'Description for directories of servers' },
  openapi: { path: '/mcp/openapi.json', about: 'OpenAPI 3.0 description of this server' },
  registry: { path: '/mcp/server.json', about: 'Entry for the MCP registry' },
  card: { path: '/mcp/server-card', about: 'MCP server card (SEP-2127)' },
  wellKnownCard: { path: '/.well-known/mcp/server-card.json', about: 'The server card where older clients look' },
  llms: { path: '/llms.txt', about: 'A guide for language models' },
  sitemap: { path: '/sitemap.xml', about: 'Sitemap' },
  robots: { path: '/robots.txt', about: 'What crawlers may read' },
  security: { path: '/.well-known/security.txt', about: 'Where to report a vulnerability' },
} as const satisfies Record<string, { path: `/${string}`; about: string }>

/** Returns a public document's URL. */
export const urlOf = ({ origin }: Site, place: keyof typeof PUBLIC_PLACES): string =>
  `${origin}${PUBLIC_PLACES[place].path}`
