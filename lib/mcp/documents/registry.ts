import { SERVICE } from '@/lib/core/service'
import { PROTOCOL_VERSIONS } from './protocol'
import type { Site } from './site'

/** The server's name in reverse DNS notation of its host; the registry grants a namespace to the domain's owner. */
export function registryName({ origin }: Site): string {
  const host = new URL(origin).hostname
  const labels = /^[\d.]+$|:/.test(host) ? [host.replace(/[^\w.-]/g, '')] : host.split('.').reverse()
  return `${labels.join('.')}/${SERVICE.name.toLowerCase()}`
}

const identity = (site: Site) => ({
  name: registryName(site),
  title: SERVICE.name,
  description: SERVICE.description,
  version: SERVICE.version,
  websiteUrl: site.portal,
})

/** The header of a key, which nobody needs who signs in. */
const keyHeader = ({ signIn }: Site) => ({
  name: 'X-API-Key',
  description: `A key issued by the contractor’s administrator${signIn ? '; left out, people sign in by OAuth 2.1' : ''}`,
  isRequired: signIn === undefined,
  isSecret: true,
})

const icon = ({ origin }: Site) => ({ src: `${origin}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] })

/** `GET /mcp/server.json`: the entry for the MCP registry, schema of 2025-12-11. Icons must be https. */
export const registryEntry = (site: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ...identity(site),
  ...(site.origin.startsWith('https:') ? { icons: [icon(site)] } : {}),
  remotes: [{ type: 'streamable-http', url: site.mcp, headers: [keyHeader(site)] }],
})

/**
 * The server card of SEP-2127 (extension `io.modelcontextprotocol/server-card`, schema v1 as of September 2026), at its reserved
 * path, `<mcp url>/server-card`, and at `/.well-known/mcp/server-card.json`, where clients of SEP-1649 look. It lists no tools: the
 * extension leaves them to `tools/list`, which knows the key.
 */
export const serverCard = (site: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...identity(site),
  icons: [icon(site)],
  remotes: [
    {
      type: 'streamable-http',
      url: site.mcp,
      headers: [keyHeader(site)],
      supportedProtocolVersions: PROTOCOL_VERSIONS,
    },
  ],
})
