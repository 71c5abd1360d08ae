import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, ServiceError } from '@/lib/core/errors'
import { refuse, refuseSocket } from './refuse'

/** The methods that are answered at all. */
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

const slowOrSilent = () => new ServiceError('too_slow', 'No request came in time. Send it in one go.')

/** Closes a connection on which no request comes. */
function closeSilent(server: Server): (socket: Socket) => void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>()
  server.prependListener('request', ({ socket }: IncomingMessage) => {
    clearTimeout(waiting.get(socket))
    waiting.delete(socket)
  })
  return (socket) => {
    // A process that was busy first reads what has arrived in the meantime.
    const refuseIfSilent = () => void (waiting.has(socket) && refuseSocket(socket, slowOrSilent()))
    const timer = setTimeout(() => setImmediate(refuseIfSilent), CONNECTIONS.headersTimeout)
    waiting.set(socket, timer)
    socket.once('close', () => clearTimeout(timer))
  }
}

/** What holds for every connection of a server: patience, broken requests, other protocols. Returns what new sockets are shown to. */
export function guardConnections(server: Server): (socket: Socket) => void {
  Object.assign(server, CONNECTIONS)
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
    refuseSocket(
      socket,
      new ServiceError(
        CLIENT_ERRORS[error.code ?? ''] ?? 'bad_request',
        'The request is not valid HTTP, too large in its headers, or came too slowly.',
      ),
    )
  })
  const seen = closeSilent(server)
  server.on('connection', seen)
  return seen
}

/** Answers requests to change the protocol; ours has no use for it. Development hands them to Next's hot reload instead. */
export function refuseUpgrades(server: Server): void {
  server.removeAllListeners('upgrade')
  server.on('upgrade', (_, socket: Socket) =>
    refuseSocket(
      socket,
      new ServiceError('bad_request', 'No other protocol is spoken here. Send the request without Upgrade.'),
    ),
  )
}
