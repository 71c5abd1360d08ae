import { type Endpoint, FEED_PATH, GUIDE_SOURCE_PATH, SERVER_INFO_PATH } from '@/lib/http/endpoint'
import { internal } from '@/lib/http/internal'
import { metricsEndpoint } from '@/lib/http/metrics'
import { oauthEndpoints } from '@/lib/http/oauth/endpoints'
import { httpEndpoints } from '@/lib/http/rest/endpoints'
import { PUBLIC_PLACES } from '@/lib/mcp/documents/site'
import { mcpEndpoints } from '@/lib/mcp/endpoints'

const { home: _home, health: _health, console: _console, ...places } = PUBLIC_PLACES

/** Public documents describe every tool; the code that builds them is loaded on the first request for one. */
const DOCUMENTS = [
  SERVER_INFO_PATH,
  ...Object.values(places).map(({ path }) => path),
  `${GUIDE_SOURCE_PATH}/{slug}`,
  FEED_PATH,
]

async function documentAt(path: string): Promise<Endpoint> {
  const [{ documentEndpoints }, { siteEndpoints }] = await Promise.all([
    import('@/lib/mcp/documents/endpoints'),
    import('@/lib/site/endpoints'),
  ])
  const found = [...documentEndpoints, ...siteEndpoints].find((endpoint) => endpoint.path === path)
  if (!found) throw new Error(`no document is served at ${path}`)
  return found
}

const publicDocuments: Endpoint[] = DOCUMENTS.map((path) => ({
  path,
  answer: async (request) => (await documentAt(path)).answer(request),
  takesBody: false,
}))

/** All endpoints that `server.ts` answers itself; a test compares the route files of `app/` with this list. */
export const endpoints: Endpoint[] = [
  ...httpEndpoints,
  metricsEndpoint,
  ...mcpEndpoints,
  ...oauthEndpoints,
  ...publicDocuments,
  ...Object.values(internal),
]
