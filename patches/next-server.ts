import { subscribe } from 'node:diagnostics_channel'
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: 'next',
  version: '16.4.6',
  what: 'The HTTP server of `next start`: its listeners of requests, and the requests that it was given before. It listens before it reads its configuration, and offers no access to itself, so its timeouts, odd requests and bodies could not be held to what server.ts promises.',
  upstream: 'https://github.com/vercel/next.js/issues/28633',
  removeWhen: 'Next hands the server to the instrumentation hook, or takes its settings and a handler in front.',
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

function isOn(server: Server, port: number): boolean {
  const address = server.address()
  return typeof address === 'object' && address?.port === port
}

/** Calls `found` with each server that listens on a port, as it gets its first connection or request: Node reports both before the server hears of them. */
export function onServer(port: number, found: (server: Server, opened?: Socket) => void): void {
  const isOurs = (server: unknown): server is Server => server instanceof Server && isOn(server, port)
  subscribe('net.server.socket', (message) => {
    const { socket } = Object(message)
    if (isOurs(socket.server)) found(socket.server, socket)
  })
  subscribe('http.server.request.start', (message) => {
    const { server } = Object(message)
    if (isOurs(server)) found(server)
  })
}

/** Calls `seen` with every request of this process before its server hears of it. */
export function onRequest(seen: (request: IncomingMessage) => void): void {
  subscribe('http.server.request.start', (message) => {
    const { request } = Object(message)
    if (request instanceof IncomingMessage) seen(request)
  })
}

/** Takes the listeners of requests off a server. @returns what hands a request on to them */
export function takeListeners(server: Server): Handler {
  const listeners = server.listeners('request')
  server.removeAllListeners('request')
  return (request, response) => {
    for (const listener of listeners) Reflect.apply(listener, server, [request, response])
  }
}

/** What Node holds open; it offers no other way to the connections of a server that somebody else made. */
function handles(): unknown[] {
  const list: unknown = Reflect.get(process, '_getActiveHandles')
  return typeof list === 'function' ? Reflect.apply(list, process, []) : []
}

/** The server of this process that listens on a port. */
export const serverOn = (port: number): Server | undefined =>
  handles().find((handle): handle is Server => handle instanceof Server && isOn(handle, port))

/** The answers that a server has begun or owes, each with its connection. */
function* owed(server: Server): Generator<[Socket, ServerResponse]> {
  for (const socket of handles()) {
    if (!(socket instanceof Socket) || Reflect.get(socket, 'server') !== server) continue
    const held: unknown = Reflect.get(socket, '_httpMessage')
    if (held instanceof ServerResponse) yield [socket, held]
  }
}

const reads = ({ method = '' }: IncomingMessage) => method === 'GET' || method === 'HEAD'

/** Whether a server still owes an answer to a request of a kind that {@link takeWaiting} takes. */
export function owesAnswer(server: Server, isOurs: (request: IncomingMessage) => boolean): boolean {
  for (const [, { req }] of owed(server)) if (reads(req) && isOurs(req)) return true
  return false
}

/**
 * Answers requests that a server was given before its listeners were taken, and that wait until Next is ready. Only those that read,
 * as they have no body. Next finds their response ended and leaves them. Their connections close.
 */
export function takeWaiting(server: Server, isOurs: (request: IncomingMessage) => boolean, answer: Handler): void {
  for (const [socket, held] of owed(server)) {
    const request: IncomingMessage = held.req
    if (held.headersSent) continue
    if (!reads(request) || !isOurs(request)) continue
    held.detachSocket(socket)
    held.end()
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => {
      response.detachSocket(socket)
      socket.destroySoon()
    })
    answer(request, response)
  }
}
