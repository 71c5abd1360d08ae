import { subscribe } from 'node:diagnostics_channel'
import { IncomingMessage, Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: 'next',
  version: '16.4.6',
  what: 'The HTTP server of `next start`: its listeners of requests. Next offers no access to it, so its timeouts, odd requests and bodies could not be held to what server.ts promises.',
  upstream: 'https://github.com/vercel/next.js/issues/28633',
  removeWhen: 'Next hands the server to the instrumentation hook, or takes its settings and a handler in front.',
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Calls `found` with each server that listens on a port, as it gets its first connection or request: Node reports both before the server hears of them. */
export function onServer(port: number, found: (server: Server, opened?: Socket) => void): void {
  const isOurs = (server: unknown): server is Server => {
    const address = server instanceof Server ? server.address() : null
    return typeof address === 'object' && address?.port === port
  }
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
