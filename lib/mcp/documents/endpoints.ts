import { env } from '@/lib/core/env'
import { buildTime } from '@/lib/core/service'
import { derived } from '@/lib/core/shared'
import { asksForHtml } from '@/lib/http/accept'
import { type Document, documentEndpoint, fixedDocument, renderedJson } from '@/lib/http/document'
import { type Endpoint, SERVER_INFO_PATH } from '@/lib/http/endpoint'
import { tools } from '../tools'
import { serverDiscovery } from './discovery'
import { homePage } from './home-page'
import { liveState } from './live'
import { mcpOpenApi } from './openapi'
import { registryEntry, serverCard } from './registry'
import { mcpInfo, serverInfo } from './server-info'
import { PUBLIC_PLACES, type Site, siteOf } from './site'
import { toolsCatalog } from './tools-catalog'

const CARD_TYPE = 'application/mcp-server-card+json'

const site = derived(() => siteOf(env()))
const updatedAt = derived(buildTime)

const json = (path: string, make: (site: Site) => unknown, type?: string) =>
  fixedDocument(path, () => renderedJson(make(site()), type))

const root: Document = {
  path: SERVER_INFO_PATH,
  negotiated: true,
  render: async ({ headers }) => {
    const live = await liveState()
    if (asksForHtml(headers.get('accept'))) return homePage(site(), tools, live)
    return renderedJson(serverInfo(site(), tools, live), undefined, { cacheable: live.status === 'healthy' })
  },
}

/** The public documents of the MCP server, each as an endpoint. */
export const documents = {
  home: documentEndpoint(root),
  info: json(PUBLIC_PLACES.info.path, (site) => mcpInfo(site, tools)),
  tools: json(PUBLIC_PLACES.tools.path, (site) => toolsCatalog(site, tools, updatedAt())),
  discovery: json(PUBLIC_PLACES.discovery.path, (site) => serverDiscovery(site, tools, updatedAt())),
  openapi: json(PUBLIC_PLACES.openapi.path, (site) => mcpOpenApi(site, tools)),
  registry: json(PUBLIC_PLACES.registry.path, registryEntry),
  card: json(PUBLIC_PLACES.card.path, serverCard, CARD_TYPE),
  wellKnownCard: json(PUBLIC_PLACES.wellKnownCard.path, serverCard, CARD_TYPE),
} satisfies Partial<Record<keyof typeof PUBLIC_PLACES, Endpoint>>
