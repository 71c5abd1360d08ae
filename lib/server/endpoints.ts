import { later, once } from '@/lib/core/later'
import { quickbooksWebhook } from '@/lib/http/connectors'
import { type Answerer, type Endpoint, FEED_PATH, GUIDE_SOURCE_PATH, SERVER_INFO_PATH } from '@/lib/http/endpoint'
import { internal } from '@/lib/http/internal'
import { logged } from '@/lib/http/logged'
import { metricsEndpoint } from '@/lib/http/metrics'
import { oauthEndpoints } from '@/lib/http/oauth/endpoints'
import { mailEndpoint } from '@/lib/http/rest/mail'
import { answerer } from '@/lib/http/rest/route'
import { endpointsOf } from '@/lib/http/rest/served'
import { PUBLIC_PLACES } from '@/lib/mcp/documents/site'
import { mcpEndpoints } from '@/lib/mcp/endpoints'
import { getHealth } from '@/lib/operations/health'
import { RECORD_PATHS } from '@/lib/operations/records'
import { KEYED_PATHS } from './keyed-paths'
import { OPEN_LIMITED_PATHS } from './limited-paths'

const { home: _home, health: _health, console: _console, ...places } = PUBLIC_PLACES

/** Public documents describe every tool; the code that builds them is loaded on the first request for one. */
const DOCUMENTS = [
  SERVER_INFO_PATH,
  ...Object.values(places).map(({ path }) => path),
  `${GUIDE_SOURCE_PATH}/{slug}`,
  FEED_PATH,
]

async function documentEndpoints(): Promise<Endpoint[]> {
  const [documents, site] = await Promise.all([import('@/lib/mcp/documents/endpoints'), import('@/lib/site/endpoints')])
  return [...documents.documentEndpoints, ...site.siteEndpoints]
}

/** Tells a fault of ours, as every endpoint does. */
const failedWith = (fault: unknown): Answerer => logged('unknown', async (_request, answer) => answer.error(fault))

/** An endpoint of which only the path is known until the first request for it. While its code cannot be loaded, it answers 500. */
export function loadedEndpoint(path: string, takesBody: boolean, load: () => Promise<Endpoint[]>): Endpoint {
  const find = later(async () => {
    const found = (await load()).find((endpoint) => endpoint.path === path)
    if (!found) throw new Error(`nothing is served at ${path}`)
    return found.answer
  })
  return { path, answer: async (request) => (await find().catch(failedWith))(request), takesBody }
}

const publicDocuments = DOCUMENTS.map((path) => loadedEndpoint(path, false, documentEndpoints))

/** The path of a record's operation, which is made by the first request for it. */
function recordEndpoint({ path, operation }: (typeof RECORD_PATHS)[number]): Endpoint {
  const answer = once(() => answerer(operation()))
  return { path: `/api/v1${path}`, answer: (request) => answer()(request), takesBody: false }
}

/** Lists, single records and the health check: what most requests are for. They answer as soon as the server listens. */
const recordEndpoints = [...RECORD_PATHS.map(recordEndpoint), ...endpointsOf([getHealth])]

/** The rest of the API. Its operations take longer to load than all that runs at the start. */
function restEndpoints(): Endpoint[] {
  const known = new Set(recordEndpoints.map(({ path }) => path))
  const keyed = KEYED_PATHS.filter(({ protocol, path }) => protocol === 'rest' && !known.has(path))
  const posted = new Set(keyed.filter(({ methods }) => methods.includes('POST')).map(({ path }) => path))
  const paths = new Set([...keyed, ...OPEN_LIMITED_PATHS].map(({ path }) => path))
  const load = async () => (await import('@/lib/http/rest/endpoints')).httpEndpoints
  return [...paths].map((path) => loadedEndpoint(path, posted.has(path), load))
}

/** All endpoints that `server.ts` answers itself; a test compares the route files of `app/` with this list. */
export const endpoints: Endpoint[] = [
  ...recordEndpoints,
  ...restEndpoints(),
  mailEndpoint,
  metricsEndpoint,
  quickbooksWebhook,
  ...mcpEndpoints,
  ...oauthEndpoints,
  ...publicDocuments,
  ...Object.values(internal),
]
