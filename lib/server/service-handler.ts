import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { incomingChunks, type RawBody, readIncoming } from '@/lib/http/body'
import type { Answerer } from '@/lib/http/endpoint'
import type { ServiceRequest } from '@/lib/http/request'
import { UNKNOWN_PATH } from '@/lib/http/route-request'
import { headerOf } from './address'
import { checkLength, declaresBody, withBody } from './bodies'
import { CONNECTIONS, guardConnections } from './connections'
import { front, type NodeHandler } from './front'
import { countPublicAnswer } from './open-answers'
import { openPage } from './open-page'
import { send } from './refuse'
import { renderGate } from './render-gate'
import { pathOf, routeIncoming } from './route'
import type { routeTable } from './route-table'
import { dropBody } from './unread-body'
import { allowTime, streamedCaps } from './uploads'

/** Gives endpoints a view of Node's request, which is cheaper than building a web `Request` each time. */
class NodeRequest implements ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: ServiceRequest['headers']

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    const { method = 'GET', url = '/' } = incoming
    this.method = method
    this.url = `http://localhost${url}`
    this.headers = { get: (name) => headerOf(incoming, name) }
  }

  body(cap: number): Promise<RawBody> {
    return readIncoming(this.incoming, cap)
  }

  chunks(): AsyncIterable<Uint8Array> {
    return incomingChunks(this.incoming)
  }

  gone(): AbortSignal {
    const { response } = this
    const controller = new AbortController()
    const check = () => void (response.writableFinished || controller.abort())
    if (response.closed) check()
    else response.once('close', check)
    return controller.signal
  }
}

/** Rewrites a request's path and returns the routed one. @throws ServiceError `misdirected` */
function prepare(request: IncomingMessage, settings: Env): string {
  const routed = routeIncoming(request, settings)
  if ('misdirected' in routed) throw new ServiceError('misdirected', routed.misdirected)
  const path = pathOf(request)
  // The request log shows an unusual path as it was sent.
  const isOdd = routed.path === UNKNOWN_PATH
  if (!isOdd && routed.path !== path) request.url = routed.path + (request.url ?? '').slice(path.length)
  return routed.path
}

/** Endpoints that refuse a body that is too large in words of their own, and keep what came of it. */
const SAYS_ITSELF = /^\/(mcp|oauth2|api\/webhooks)(\/|$)/

/** Answers a request by its endpoint, once its body has arrived. @throws ServiceError `payload_too_large` */
function answerBy(found: Promise<Answerer>, path: string, request: IncomingMessage, response: ServerResponse): void {
  renderGate().noteApiRequest()
  // Endpoints answer their own errors, so only a socket that cannot be written to gets to the end.
  const answer = () =>
    void found
      .then((answerer) => answerer(new NodeRequest(request, response)))
      .then((reply) => {
        if (declaresBody(request) && !request.complete) dropBody(request, response)
        send(response, reply)
      })
      .catch(() => response.destroy())
  const caps = streamedCaps(request, path)
  // What counts a body as it arrives begins at once, whatever the endpoint's code takes to load.
  if (caps) {
    if (allowTime(request, response, caps)) answer()
    return
  }
  if (!SAYS_ITSELF.test(path)) checkLength(request)
  if (request.method === 'POST') withBody(request, response, 'cut', answer)
  else answer()
}

/** Answers what the route files answer, and passes everything else to `pages`. */
export function serviceHandler(find: ReturnType<typeof routeTable>, pages: NodeHandler, settings: Env): NodeHandler {
  return (request, response) => {
    const path = prepare(request, settings)
    countPublicAnswer(path, request, response)
    const found = find(path)
    if (found) answerBy(found, path, request, response)
    else openPage(request, response, pages, settings)
  }
}

/** Creates the one-machine server: the front, then the endpoints, then `pages`. */
export function createPlumblineServer(find: ReturnType<typeof routeTable>, pages: NodeHandler, settings: Env): Server {
  const server = createServer(CONNECTIONS, front(serviceHandler(find, pages, settings)))
  guardConnections(server)
  return server
}
