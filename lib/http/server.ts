import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Env } from '@/lib/core/env'
import { type ErrorCode, ServiceError } from '@/lib/core/errors'
import { UPLOAD } from '@/lib/core/uploads'
import { stampAddress } from '@/lib/wire/address'
import { Answer, type Reply } from '@/lib/wire/answer'
import { type RawBody, readIncoming } from '@/lib/wire/body'
import { type Endpoint, endpointFinder } from '@/lib/wire/endpoint'
import type { ServiceRequest } from '@/lib/wire/request'
import { isMisspelledApiPath, routeHost } from './hosts'
import { dropBody, linger } from './linger'
import { unknownPath } from './route'
import { allowTime, isUpload, mayTakeLong } from './uploads'

type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

const BODY_CAP = 1024 * 1024
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const OPTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  // Checked by ourselves, so that the answer is JSON like every other.
  requireHostHeader: false,
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body)
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  dropBody(request, response)
  send(response, new Answer(request.method ?? 'GET').error(error))
}

/** A refusal on a bare socket, where no request could be made of what came in. */
function refuseSocket(socket: Socket, error: ServiceError): void {
  // More of what was refused already: it is being thrown away.
  if (!socket.writable) return
  const { status, headers, body } = new Answer('GET').error(error)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
  socket.write(head + body)
  linger(socket)
}

/** Node's request as the answerers see it, without building a web `Request` with its headers for each. */
class NodeRequest implements ServiceRequest {
  readonly method: string
  readonly url: string
  readonly headers: ServiceRequest['headers']

  constructor(private readonly incoming: IncomingMessage) {
    const { method = 'GET', url = '/', headers } = incoming
    this.method = method
    this.url = `http://localhost${url}`
    this.headers = {
      get: (name) => {
        // Names of headers have no case; Node keeps them in lower case.
        const value = headers[name.toLowerCase()]
        return value === undefined ? null : typeof value === 'string' ? value : value.join(', ')
      },
    }
  }

  body(cap: number): Promise<RawBody> {
    return readIncoming(this.incoming, cap)
  }
}

/** The request's target as a path with its query; the absolute form (RFC 9112, 3.2.2) also names the host. */
function normaliseTarget(request: IncomingMessage): void {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return
  if (!URL.canParse(target)) throw new ServiceError('bad_request', 'The request target is neither a path nor a URL.')
  const url = new URL(target)
  request.headers.host = url.host
  request.url = url.pathname + url.search
}

const declaresBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const UNKNOWN: Endpoint = { path: '/api/', answer: unknownPath, takesBody: false }

function findEndpoint(
  request: IncomingMessage,
  find: (path: string) => Endpoint | undefined,
  settings: Env,
): Endpoint | 'page' {
  normaliseTarget(request)
  const target = request.url ?? '/'
  const queryAt = target.indexOf('?')
  const path = queryAt < 0 ? target : target.slice(0, queryAt)
  if (isMisspelledApiPath(path)) return UNKNOWN
  const asked = { method: request.method ?? 'GET', accept: request.headers.accept }
  const routed = routeHost(request.headers.host, path, settings, asked)
  if ('misdirected' in routed) throw new ServiceError('misdirected', routed.misdirected)
  if (routed.path !== path) request.url = routed.path + target.slice(path.length)
  const found = find(routed.path)
  if (found) return found
  return routed.path.startsWith('/api/') ? UNKNOWN : 'page'
}

function checkRequest(request: IncomingMessage): void {
  if (!/^[\w.:[\]-]+$/.test(request.headers.host ?? '')) {
    throw new ServiceError('bad_request', 'The request names no valid host. Send a Host header.')
  }
  if (!METHODS.includes(request.method ?? '')) {
    throw new ServiceError('method_not_allowed', `${request.method} is not allowed here.`, {
      headers: { allow: METHODS.join(', ') },
    })
  }
}

/** What takes a body reads it to its own cap; elsewhere nobody does, so one that is too large is refused by what it declares. */
function checkLength(request: IncomingMessage, cap: number): void {
  if (Number(request.headers['content-length'] ?? 0) > cap) {
    throw new ServiceError('payload_too_large', `The body is larger than ${cap} bytes. Send less.`)
  }
}

/** A page takes a form at most, and one of them a file. */
function openPage(request: IncomingMessage, response: ServerResponse): void {
  const upload = isUpload(request)
  checkLength(request, upload ? UPLOAD.maxBytes : BODY_CAP)
  if (upload) allowTime(request, response)
}

const CLIENT_ERRORS: Record<string, ErrorCode> = { HPE_HEADER_OVERFLOW: 'headers_too_large' }

/**
 * The one-machine server: answers the API from the registry's own handlers and hands everything else to `pages`. What the
 * platform's edge does elsewhere is done here: the client's address, hosts, size and time limits, methods, broken requests.
 */
export function createPlumblineServer(all: Endpoint[], pages: NodeHandler, settings: Env): Server {
  const find = endpointFinder(all)
  const server = createServer(OPTIONS, (request, response) => {
    stampAddress(request)
    try {
      checkRequest(request)
      const endpoint = findEndpoint(request, find, settings)
      if (endpoint === 'page') {
        openPage(request, response)
        return pages(request, response)
      }
      if (!endpoint.takesBody) checkLength(request, BODY_CAP)
      // An answerer answers its own faults; what is left is a socket that cannot be written to.
      endpoint
        .answer(new NodeRequest(request))
        .then((reply) => {
          if (declaresBody(request) && !request.complete) dropBody(request, response)
          send(response, reply)
        })
        .catch(() => response.destroy())
    } catch (error) {
      refuse(request, response, error)
    }
  })
  server.on('connect', (_, socket: Socket) =>
    refuseSocket(
      socket,
      new ServiceError('method_not_allowed', 'This server is not a proxy.', { headers: { allow: METHODS.join(', ') } }),
    ),
  )
  server.on('checkExpectation', (request, response) =>
    refuse(request, response, new ServiceError('expectation_failed', 'Only `Expect: 100-continue` is understood.')),
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    // Node asks once whether a request that takes long may go on.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayTakeLong(socket)) return
    refuseSocket(
      socket,
      new ServiceError(
        CLIENT_ERRORS[error.code ?? ''] ?? 'bad_request',
        'The request is not valid HTTP, too large in its headers, or came too slowly.',
      ),
    )
  })
  return server
}

/** Answers requests to change the protocol; ours has no use for it. Development hands them to Next's hot reload instead. */
export function refuseUpgrades(server: Server): void {
  server.on('upgrade', (_, socket: Socket) =>
    refuseSocket(
      socket,
      new ServiceError('bad_request', 'No other protocol is spoken here. Send the request without Upgrade.'),
    ),
  )
}
