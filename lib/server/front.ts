import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Env } from '@/lib/core/env'
import { type ErrorCode, ServiceError } from '@/lib/core/errors'
import { stampAddress } from '@/lib/http/address'
import { Answer } from '@/lib/http/answer'
import { isMisspelledApiPath, routeHost } from '@/lib/http/hosts'
import { isOwnOrigin } from '@/lib/http/origin'
import { isPage } from '@/lib/http/page-policy'
import { headerOf } from './address'
import { BODIES, declaresBody, withBody } from './bodies'
import { dropBody } from './linger'
import { servePage } from './pages'
import { refuse, refuseSocket, send } from './refuse'
import { renderGate } from './render-gate'
import { allowTime, isUpload } from './uploads'

/** What answers Node's own requests. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** How connections are treated. Bodies have a patience of their own (bodies.ts, uploads.ts), which knows what is on its way. */
export const CONNECTIONS = {
  headersTimeout: 10_000,
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  // Checked by ourselves, so that the answer is JSON like every other.
  requireHostHeader: false,
} as const

/** The request's target as a path with its query; the absolute form (RFC 9112, 3.2.2) also names the host. */
function normaliseTarget(request: IncomingMessage): void {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return
  if (!URL.canParse(target)) throw new ServiceError('bad_request', 'The request target is neither a path nor a URL.')
  const url = new URL(target)
  request.headers.host = url.host
  request.url = url.pathname + url.search
}

function checkRequest(request: IncomingMessage): void {
  const hosts = request.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host')
  if (hosts.length > 1) throw new ServiceError('bad_request', 'The request names its host twice. Send one Host header.')
  if (!/^[\w.:[\]-]+$/.test(request.headers.host ?? '')) {
    throw new ServiceError('bad_request', 'The request names no valid host. Send a Host header.')
  }
  if (!METHODS.includes(request.method ?? '')) {
    throw new ServiceError('method_not_allowed', `${request.method} is not allowed here.`, {
      headers: { allow: METHODS.join(', ') },
    })
  }
  normaliseTarget(request)
}

/** Next answers 500 to a form of another site; here it is told why, before anything of it is read. */
function checkOrigin(request: IncomingMessage, settings: Env): void {
  const origin = headerOf(request, 'origin')
  if (origin === null || ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '')) return
  if (!isOwnOrigin(origin, headerOf(request, 'host'), settings))
    throw new ServiceError('forbidden', 'This was sent from another site. Open the portal and try again from there.')
}

const pathOf = ({ url = '/' }: IncomingMessage) => url.split('?')[0] ?? '/'

/**
 * Where nobody reads a body, one that is too large is refused by what it declares.
 * @throws ServiceError `payload_too_large`
 */
export function checkLength(request: IncomingMessage): void {
  if (Number(request.headers['content-length'] ?? 0) > BODIES.maxBytes)
    throw new ServiceError('payload_too_large', `The body is larger than ${BODIES.maxBytes} bytes. Send less.`)
}

/** A connection whose body was not read to its end is closed with the answer, whoever answers. */
function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  const write = response.writeHead.bind(response)
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) dropBody(request, response)
    return Reflect.apply(write, response, head)
  }
}

/** Hands a request on to a page once its body is here; an upload is streamed. */
export function openPage(request: IncomingMessage, response: ServerResponse, pages: NodeHandler, settings: Env): void {
  checkOrigin(request, settings)
  if (declaresBody(request)) closeUnread(request, response)
  if (isUpload(request)) {
    if (allowTime(request, response)) pages(request, response)
    return
  }
  const serve = () => (isPage(pathOf(request)) ? servePage(request, response, pages) : pages(request, response))
  withBody(request, response, 'whole', serve)
}

/** `OPTIONS *` asks what the server as a whole takes (RFC 9110, 9.3.7). */
function answerOptions(response: ServerResponse): void {
  const answer = new Answer('OPTIONS')
  answer.add({ allow: METHODS.join(', ') })
  send(response, answer.empty(204))
}

/** The first look at every request, under both entries: whose it is, and whether it is HTTP we speak. */
export const front =
  (handle: NodeHandler): NodeHandler =>
  (request, response) => {
    stampAddress(request)
    try {
      if (request.url === '*' && request.method === 'OPTIONS') return answerOptions(response)
      checkRequest(request)
      handle(request, response)
    } catch (error) {
      refuse(request, response, error)
    }
  }

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
    // A process that was held up reads first what has come meanwhile.
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

/** Next would decode an odd path, or answer its own protocol's headers, before any code of ours could look at them. */
export function prepareForNext(request: IncomingMessage): void {
  stampAddress(request)
  const path = pathOf(request)
  if (isMisspelledApiPath(path)) request.url = '/api/unknown'
  if (request.url?.startsWith('/api/')) delete request.headers.rsc
}

/** Endpoints that read a body, and answer one that is too large in their own words. */
const TAKES_BODY = /^\/(mcp|api\/webhooks)(\/|$)/

/** Whether Next answers a request with a page. The middleware routes it again, and says so where it leads nowhere. */
function leadsToPage(request: IncomingMessage, settings: Env): boolean {
  const path = pathOf(request)
  const asked = { method: request.method ?? 'GET', accept: request.headers.accept }
  const routed = routeHost(request.headers.host, path, settings, asked)
  return 'misdirected' in routed || isPage(routed.path)
}

const known = new WeakSet<Server>()

/** Puts the front before Next's own server, which plain `next start` made without asking us; once for each. */
export function frontNext(server: Server, settings: Env, opened?: Socket): void {
  if (known.has(server)) return
  known.add(server)
  const answerers = server.listeners('request')
  const next: NodeHandler = (request, response) => {
    for (const answer of answerers) Reflect.apply(answer, server, [request, response])
  }
  server.removeAllListeners('request')
  server.on(
    'request',
    front((request, response) => {
      prepareForNext(request)
      if (leadsToPage(request, settings)) return openPage(request, response, next, settings)
      renderGate().apiAsked()
      if (!TAKES_BODY.test(request.url ?? '/')) checkLength(request)
      if (declaresBody(request)) closeUnread(request, response)
      withBody(request, response, 'cut', () => next(request, response))
    }),
  )
  const show = guardConnections(server)
  if (opened) show(opened)
  refuseUpgrades(server)
}
