import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { type RawBody, readIncoming } from '@/lib/http/body'
import { type Endpoint, endpointFinder } from '@/lib/http/endpoint'
import type { ServiceRequest } from '@/lib/http/request'
import { unknownPath } from '@/lib/http/rest/route'
import { UNKNOWN_PATH } from '@/lib/http/route-request'
import { headerOf } from './address'
import { checkLength, declaresBody, withBody } from './bodies'
import { CONNECTIONS, guardConnections } from './connections'
import { front, type NodeHandler } from './front'
import { openPage } from './open-page'
import { send } from './refuse'
import { renderGate } from './render-gate'
import { pathOf, routeIncoming } from './route'
import { dropBody } from './unread-body'

/** Node's request as the answerers see it, without building a web `Request` with its headers for each. */
class NodeRequest implements ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: ServiceRequest['headers']

  constructor(private readonly incoming: IncomingMessage) {
    const { method = 'GET', url = '/' } = incoming
    this.method = method
    this.url = `http://localhost${url}`
    this.headers = { get: (name) => headerOf(incoming, name) }
  }

  body(cap: number): Promise<RawBody> {
    return readIncoming(this.incoming, cap)
  }
}

const UNKNOWN: Endpoint = { path: '/api/', answer: unknownPath, takesBody: false }

function findEndpoint(
  request: IncomingMessage,
  find: (path: string) => Endpoint | undefined,
  settings: Env,
): Endpoint | 'page' {
  const routed = routeIncoming(request, settings)
  if ('misdirected' in routed) throw new ServiceError('misdirected', routed.misdirected)
  if (routed.path === UNKNOWN_PATH) return UNKNOWN
  const path = pathOf(request)
  if (routed.path !== path) request.url = routed.path + (request.url ?? '').slice(path.length)
  const found = find(routed.path)
  if (found) return found
  return routed.path.startsWith('/api/') ? UNKNOWN : 'page'
}

/**
 * The one-machine server: answers the API from the registry's own handlers and hands everything else to `pages`, behind the same
 * front as `next start`.
 */
export function createPlumblineServer(all: Endpoint[], pages: NodeHandler, settings: Env): Server {
  const find = endpointFinder(all)
  const handle: NodeHandler = (request, response) => {
    const endpoint = findEndpoint(request, find, settings)
    if (endpoint === 'page') {
      openPage(request, response, pages, settings)
      return
    }
    renderGate().apiAsked()
    // An answerer answers its own faults; what is left is a socket that cannot be written to.
    const answer = () =>
      void endpoint
        .answer(new NodeRequest(request))
        .then((reply) => {
          if (declaresBody(request) && !request.complete) dropBody(request, response)
          send(response, reply)
        })
        .catch(() => response.destroy())
    if (endpoint.takesBody) return withBody(request, response, 'cut', answer)
    checkLength(request)
    answer()
  }
  const server = createServer(CONNECTIONS, front(handle))
  guardConnections(server)
  return server
}
