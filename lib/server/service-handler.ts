import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { incomingChunks, type RawBody, readIncoming } from '@/lib/http/body'
import { type Endpoint, endpointFinder } from '@/lib/http/endpoint'
import type { ServiceRequest } from '@/lib/http/request'
import { unknownPath } from '@/lib/http/rest/route'
import { UNKNOWN_PATH } from '@/lib/http/route-request'
import { headerOf } from './address'
import { checkLength, declaresBody, withBody } from './bodies'
import type { NodeHandler } from './front'
import { refuseWithoutKey } from './key-gate'
import { openPage } from './open-page'
import { send } from './refuse'
import { renderGate } from './render-gate'
import { pathOf, routeIncoming } from './route'
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

const UNKNOWN: Endpoint = { path: '/api/', answer: unknownPath, takesBody: false }

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

/**
 * Answers the service's endpoints, and passes everything else to `pages`. It stands behind the front under both entries.
 */
export function serviceHandler(all: Endpoint[], pages: NodeHandler, settings: Env): NodeHandler {
  const find = endpointFinder(all)
  return (request, response) => {
    const path = prepare(request, settings)
    const endpoint = find(path) ?? (path.startsWith('/api/') ? UNKNOWN : undefined)
    if (!endpoint) {
      openPage(request, response, pages, settings)
      return
    }
    renderGate().noteApiRequest()
    // Endpoints answer their own errors, so only a socket that cannot be written to gets here.
    const answer = () => {
      const asked = new NodeRequest(request, response)
      const answering = refuseWithoutKey(asked, path) ?? endpoint.answer(asked)
      void answering
        .then((reply) => {
          if (declaresBody(request) && !request.complete) dropBody(request, response)
          send(response, reply)
        })
        .catch(() => response.destroy())
    }
    const caps = streamedCaps(request, path)
    if (caps) {
      if (allowTime(request, response, caps)) answer()
      return
    }
    if (endpoint.takesBody) return withBody(request, response, 'cut', answer)
    checkLength(request)
    answer()
  }
}
