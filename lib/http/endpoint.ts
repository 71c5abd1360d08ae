import { holdForLog } from '@/lib/telemetry/request-log'
import { endWithRequest, type Reply, toResponse } from './answer'
import { type ServiceRequest, serviceRequest } from './request'

/** Handles all methods of a path, under both entries. */
export type Answerer = (request: ServiceRequest) => Promise<Reply>

/** A web handler for each method that Next routes. */
export type Methods = Record<
  'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT',
  (request: Request) => Promise<Response>
>

/** A request that is answered without compression: Next compresses itself, or its platform does, and drops a Content-Encoding of ours. */
const uncompressed = (request: ServiceRequest): ServiceRequest => ({
  ...request,
  headers: { get: (name) => (name === 'accept-encoding' ? null : request.headers.get(name)) },
})

/** Returns what a route file exports: the handler for every method. */
export function routeOf(answer: Answerer): Methods {
  const handle = async (request: Request) => {
    const reply = await answer(uncompressed(serviceRequest(request)))
    holdForLog()
    if (reply.stream) endWithRequest(request, reply.stream)
    return toResponse(reply)
  }
  return { DELETE: handle, GET: handle, HEAD: handle, OPTIONS: handle, PATCH: handle, POST: handle, PUT: handle }
}

/** A path of the service; `{name}` stands for one segment. An endpoint that accepts a body reads it up to its own cap. */
export type Endpoint = { path: string; answer: Answerer; takesBody: boolean }

/**
 * The path where `/` of the MCP server is mounted, because `/` itself is the portal's page and Next has only one of them per path.
 * Host routing leads there; the path is not published.
 */
export const SERVER_INFO_PATH = '/mcp/server-info'

/**
 * The path where `/developers/guides/<slug>.md` is mounted, because Next matches whole segments and `<slug>` is the page's. Not
 * published.
 */
export const GUIDE_SOURCE_PATH = '/developers/guides/source'

/** The path where addresses of an authorization server lead that are not here; each answers alike. Not published. */
export const OAUTH_PATH = '/mcp/oauth'

/** The paths where the documents under `/.well-known` are mounted that clients discover the authorization server by. Not published. */
export const SERVER_METADATA_PATH = '/oauth2/metadata'
export const RESOURCE_METADATA_PATHS = { mcp: '/oauth2/resource/mcp', api: '/oauth2/resource/api' } as const

/** Where the feed of the API changelog is. */
export const FEED_PATH = '/changelog.xml'

/** Finds the handler of a path; `{name}` matches exactly one non-empty segment. */
export function endpointFinder<T extends { path: string }>(all: readonly T[]): (path: string) => T | undefined {
  const exact = new Map(all.filter(({ path }) => !path.includes('{')).map((endpoint) => [endpoint.path, endpoint]))
  const templated = new Map(
    all
      .filter(({ path }) => path.endsWith('}'))
      .map((endpoint) => [endpoint.path.slice(0, endpoint.path.lastIndexOf('/') + 1), endpoint]),
  )
  return (path) => {
    const found = exact.get(path)
    if (found) return found
    const cut = path.lastIndexOf('/') + 1
    return cut < path.length ? templated.get(path.slice(0, cut)) : undefined
  }
}
