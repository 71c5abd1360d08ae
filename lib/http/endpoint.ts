import { holdForLog } from '@/lib/telemetry/request-log'
import { endWithRequest, type Reply, toResponse } from './answer'
import { type ServiceRequest, serviceRequest } from './request'

/** Handles all methods of a path. */
export type Answerer = (request: ServiceRequest) => Promise<Reply>

/** The function that Next calls for a method. `answer` is what the one-machine server calls, without objects of the web in between. */
export type Handler = ((request: Request) => Promise<Response>) & { answer: Answerer }

/** A handler for each method that Next routes. */
export type Methods = Record<'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT', Handler>

/** A request that is answered without compression: Next compresses itself, or its platform does, and drops a Content-Encoding of ours. */
const uncompressed = (request: ServiceRequest): ServiceRequest => ({
  ...request,
  headers: { get: (name) => (name === 'accept-encoding' ? null : request.headers.get(name)) },
})

/** Returns what a route file exports: the handler for every method. */
export function routeOf(answer: Answerer): Methods {
  const respond = async (request: Request) => {
    const reply = await answer(uncompressed(serviceRequest(request)))
    holdForLog()
    if (reply.stream) endWithRequest(request, reply.stream)
    return toResponse(reply)
  }
  const handle: Handler = Object.assign(respond, { answer })
  return { DELETE: handle, GET: handle, HEAD: handle, OPTIONS: handle, PATCH: handle, POST: handle, PUT: handle }
}

/** A path of the service and what answers it; `{name}` stands for one segment. */
export type Endpoint = { path: string; answer: Answerer }

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

/** The path of the feed of the API changelog. */
export const FEED_PATH = '/changelog.xml'
