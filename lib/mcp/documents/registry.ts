import { SERVICE } from '@/lib/core/service'
import { PROTOCOL_VERSIONS } from './protocol'
import type { Site } from './site'

/** The server's name by reverse DNS of its host; the registry gives a name space to who holds the domain. */
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

const KEY_HEADER = {
  name: 'X-API-Key',
  description: 'A key issued by the contractor’s administrator',
  isRequired: true,
  isSecret: true,
}

const icon = ({ origin }: Site) => ({ src: `${origin}/icon.svg`, mimeType: 'image/svg+xml', sizes: ['any'] })

/** `GET /mcp/server.json`: the entry for the MCP registry, schema of 2025-12-11; it takes icons by https only. */
export const registryEntry = (site: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  ...identity(site),
  ...(site.origin.startsWith('https:') ? { icons: [icon(site)] } : {}),
  remotes: [{ type: 'streamable-http', url: site.mcp, headers: [KEY_HEADER] }],
})

/**
 * The server card of SEP-2127 (extension `io.modelcontextprotocol/server-card`, schema v1 as of September 2026), at the place it
 * reserves, `<mcp url>/server-card`, and at `/.well-known/mcp/server-card.json`, where clients of SEP-1649 look. It names no
 * tools: the extension leaves them to `tools/list`, which knows the key.
 */
export const serverCard = (site: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...identity(site),
  icons: [icon(site)],
  remotes: [
    {
      type: 'streamable-http',
      url: site.mcp,
      headers: [KEY_HEADER],
      supportedProtocolVersions: PROTOCOL_VERSIONS,
    },
  ],
})
