import { env } from '@/lib/core/env'
import { asksForHtml } from '@/lib/wire/accept'
import { type Document, documentEndpoint, rendered, renderedJson } from '@/lib/wire/document'
import { type Endpoint, SERVER_INFO_PATH } from '@/lib/wire/endpoint'
import { tools } from '../tools'
import { buildTime } from './build-time'
import { robots, securityTxt, sitemap } from './crawlers'
import { serverDiscovery } from './discovery'
import { homePage } from './home-page'
import { liveState } from './live'
import { llmsText } from './llms'
import { mcpOpenApi } from './openapi'
import { registryEntry, serverCard } from './registry'
import { mcpInfo, serverInfo } from './server-info'
import { PUBLIC_PLACES, type Site, siteOf } from './site'
import { toolsCatalog } from './tools-catalog'

const CARD_TYPE = 'application/mcp-server-card+json'
const TEXT = 'text/plain; charset=utf-8'

/** A value made at the first call: settings and tools do not change while a process runs. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const site = once(() => siteOf(env()))
const updatedAt = once(buildTime)

const still = (path: string, make: () => ReturnType<typeof rendered>): Document => ({ path, render: once(make) })
const json = (path: string, make: (site: Site) => unknown, type?: string): Document =>
  still(path, () => renderedJson(make(site()), type))

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
  info: documentEndpoint(json(PUBLIC_PLACES.info.path, (site) => mcpInfo(site, tools))),
  tools: documentEndpoint(json(PUBLIC_PLACES.tools.path, (site) => toolsCatalog(site, tools, updatedAt()))),
  discovery: documentEndpoint(json(PUBLIC_PLACES.discovery.path, (site) => serverDiscovery(site, tools, updatedAt()))),
  openapi: documentEndpoint(json(PUBLIC_PLACES.openapi.path, (site) => mcpOpenApi(site, tools))),
  registry: documentEndpoint(json(PUBLIC_PLACES.registry.path, registryEntry)),
  card: documentEndpoint(json(PUBLIC_PLACES.card.path, serverCard, CARD_TYPE)),
  wellKnownCard: documentEndpoint(json(PUBLIC_PLACES.wellKnownCard.path, serverCard, CARD_TYPE)),
  llms: documentEndpoint(still(PUBLIC_PLACES.llms.path, () => rendered(TEXT, llmsText(site(), tools)))),
  sitemap: documentEndpoint(
    still(PUBLIC_PLACES.sitemap.path, () => rendered('application/xml; charset=utf-8', sitemap(site(), updatedAt()))),
  ),
  robots: documentEndpoint(still(PUBLIC_PLACES.robots.path, () => rendered(TEXT, robots(site())))),
  security: documentEndpoint({
    path: PUBLIC_PLACES.security.path,
    render: () => rendered(TEXT, securityTxt(site(), new Date())),
  }),
} satisfies Partial<Record<keyof typeof PUBLIC_PLACES, Endpoint>>

/** What both entries serve of them. */
export const documentEndpoints: Endpoint[] = Object.values(documents)
