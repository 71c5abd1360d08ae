import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import type { Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { INGEST, MAIL } from '@/lib/core/uploads'
import { type Endpoint, endpointFinder } from '@/lib/http/endpoint'
import { isPage } from '@/lib/http/page-policy'
import type { Routed } from '@/lib/http/route-request'
import { part } from '@/lib/runtime/runtime'
import { owesAnswer, serverOn, takeListeners, takeWaiting } from '@/patches/next-server'
import { checkLength, declaresBody, withBody } from './bodies'
import { guardConnections, refuseUpgrades } from './connections'
import { front, type NodeHandler } from './front'
import { openPage } from './open-page'
import { renderGate } from './render-gate'
import { pathOf, prepareForNext } from './route'
import { serviceHandler } from './service-handler'
import { cutStalled } from './stalled'
import { closeUnread } from './unread-body'
import { allowTime, streamedCaps } from './uploads'

/** Endpoints that read a body and refuse a too large one themselves. */
const TAKES_BODY = /^\/(mcp|oauth2|api\/webhooks)(\/|$)/

/** What bypasses the middleware is refused here when its host is wrong. @throws ServiceError `misdirected` */
function requireHost(request: IncomingMessage, routed: Routed): void {
  if ('misdirected' in routed && [INGEST.path, MAIL.path].some((each) => pathOf(request).startsWith(each)))
    throw new ServiceError('misdirected', routed.misdirected)
}

/** Lets Next's middleware and route files answer the API, as they do on Vercel, within our limits of bodies and time. */
function routesHandler(next: NodeHandler, settings: Env): NodeHandler {
  return (request, response) => {
    const routed = prepareForNext(request, settings)
    requireHost(request, routed)
    // The middleware refuses every other misdirected request; it counts as a page.
    if (!('path' in routed) || isPage(routed.path)) return openPage(request, response, next, settings)
    renderGate().noteApiRequest()
    cutStalled(response)
    const caps = streamedCaps(request, routed.path)
    if (caps) {
      // The middleware, which routes every other request, would hold the body in memory.
      request.url = routed.path + (request.url ?? '').slice(pathOf(request).length)
      closeUnread(request, response)
      if (allowTime(request, response, caps)) next(request, response)
      return
    }
    if (!TAKES_BODY.test(routed.path)) checkLength(request)
    if (declaresBody(request)) closeUnread(request, response)
    withBody(request, response, 'cut', () => next(request, response))
  }
}

/** Whether our endpoints answer a request under `next start`. */
function oursAmong(all: Endpoint[]): (request: IncomingMessage) => boolean {
  const find = endpointFinder(all)
  return (request) => pathOf(request).startsWith('/api/v') || Boolean(find(pathOf(request)))
}

/** How long Next may wait at a start for what was asked before it. */
const EARLY_MS = 250

/**
 * Resolves once the requests that came during a start are answered. What Next then loads keeps the process from every answer for a tenth of
 * a second and more.
 */
export async function earlyAnswered(all: Endpoint[], { port, nextRoutes }: Env): Promise<void> {
  const server = serverOn(port)
  if (!server || nextRoutes) return
  const isOurs = oursAmong(all)
  const end = performance.now() + EARLY_MS
  while (owesAnswer(server, isOurs) && performance.now() < end) await turn()
}

const fronted = part('fronted', () => new WeakSet())

/**
 * Puts our front and our endpoints before the server that plain `next start` created; only once per server. Next then has only pages to
 * answer, unless its routes are to be tried.
 */
export function frontNext(server: Server, all: Endpoint[], settings: Env, opened?: Socket): void {
  if (fronted().has(server)) return
  fronted().add(server)
  const next = takeListeners(server)
  const handle = front(settings.nextRoutes ? routesHandler(next, settings) : serviceHandler(all, next, settings))
  server.on('request', handle)
  const show = guardConnections(server)
  if (opened) show(opened)
  refuseUpgrades(server)
  if (settings.nextRoutes) return
  takeWaiting(server, oursAmong(all), handle)
}
