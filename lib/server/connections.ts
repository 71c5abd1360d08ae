import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, ServiceError } from '@/lib/core/errors'
import { refuse, refuseSocket } from './refuse'
import { pathOf } from './route'
import { cutStalled } from './stalled'

/** The HTTP methods that the server accepts. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Limits of connections. Bodies have their own timeouts (bodies.ts, uploads.ts), because those know what is arriving. */
export const CONNECTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  // Checked by ourselves, so that the answer is JSON like every other.
  requireHostHeader: false,
} as const

const CLIENT_ERRORS: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
}

const noRequest = () => new ServiceError('too_slow', 'No request arrived in time. Send it without pauses.')

/** Returns a function that closes a new connection when no request arrives on it in time. */
function closeIdle(server: Server): (socket: Socket) => void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>()
  server.prependListener('request', ({ socket }: IncomingMessage) => {
    clearTimeout(waiting.get(socket))
    waiting.delete(socket)
  })
  return (socket) => {
    // A process that was busy first reads what arrived in the meantime.
    const refuseIfIdle = () => void (waiting.has(socket) && refuseSocket(socket, noRequest()))
    const timer = setTimeout(() => setImmediate(refuseIfIdle), CONNECTIONS.headersTimeout)
    waiting.set(socket, timer)
    socket.once('close', () => clearTimeout(timer))
  }
}

/**
 * Asks for the body of a request with `Expect: 100-continue` once somebody reads it, so that whoever is refused before has not sent a
 * large file for nothing.
 */
function continueOnRead(request: IncomingMessage, response: ServerResponse): void {
  const read = request._read.bind(request)
  request._read = (size) => {
    request._read = read
    if (!response.headersSent) response.writeContinue()
    read(size)
  }
}

/** The paths where files are put, on any of our hosts; other bodies are small and read before they are refused. */
const PUTS_FILE = /^(\/api\/v1)?\/loads\//

/** Applies timeouts and refuses invalid requests and other protocols on every connection. Returns the handler for new sockets. */
export function guardConnections(server: Server): (socket: Socket) => void {
  Object.assign(server, CONNECTIONS)
  server.on('connect', (_, socket: Socket) =>
    refuseSocket(
      socket,
      new ServiceError('method_not_allowed', 'This server is not a proxy.', { headers: { allow: METHODS.join(', ') } }),
    ),
  )
  server.on('checkExpectation', (request, response) =>
    refuse(request, response, new ServiceError('expectation_failed', 'Only `Expect: 100-continue` is supported.')),
  )
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'PUT' && PUTS_FILE.test(pathOf(request))) continueOnRead(request, response)
    else response.writeContinue()
    server.emit('request', request, response)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy()
    refuseSocket(
      socket,
      new ServiceError(
        CLIENT_ERRORS[error.code ?? ''] ?? 'bad_request',
        'The request is not valid HTTP, its headers are too large, or it arrived too slowly.',
      ),
    )
  })
  const seen = closeIdle(server)
  server.on('connection', seen)
  const watch = cutStalled(server)
  return (socket) => {
    seen(socket)
    watch(socket)
  }
}

/** Refuses protocol upgrades, which the service does not use. In development they go to Next's hot reload instead. */
export function refuseUpgrades(server: Server): void {
  server.removeAllListeners('upgrade')
  server.on('upgrade', (_, socket: Socket) =>
    refuseSocket(
      socket,
      new ServiceError(
        'bad_request',
        'Protocol upgrades are not supported. Send the request without the Upgrade header.',
      ),
    ),
  )
}
