import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { INGEST, MAIL } from '@/lib/core/uploads'
import { isPage } from '@/lib/http/page-policy'
import { type Routed, UNKNOWN_PATH } from '@/lib/http/route-request'
import { part } from '@/lib/runtime/runtime'
import { takeListeners } from '@/patches/next-server'
import { checkLength, declaresBody, withBody } from './bodies'
import { guardConnections, refuseUpgrades } from './connections'
import { front } from './front'
import { openPage } from './open-page'
import { renderGate } from './render-gate'
import { pathOf, routeIncoming } from './route'
import { cutStalled } from './stalled'
import { closeUnread } from './unread-body'
import { allowTime, streamedCaps } from './uploads'

/**
 * Routes a request before Next sees it, because Next decodes unusual paths and answers its own protocol headers before our code runs.
 * The middleware routes it again, because on Vercel nothing else runs before Next.
 */
export function prepareForNext(request: IncomingMessage, settings: Env): Routed {
  const routed = routeIncoming(request, settings)
  if (!('path' in routed)) return routed
  if (routed.path === UNKNOWN_PATH) request.url = UNKNOWN_PATH
  if (routed.path.startsWith('/api/')) delete request.headers.rsc
  return routed
}

/** Endpoints that read a body and refuse a too large one themselves. */
const TAKES_BODY = /^\/(mcp|oauth2|api\/webhooks)(\/|$)/

/** What bypasses the middleware is refused here when its host is wrong. @throws ServiceError `misdirected` */
function requireHost(request: IncomingMessage, routed: Routed): void {
  if ('misdirected' in routed && [INGEST.path, MAIL.path].some((each) => pathOf(request).startsWith(each)))
    throw new ServiceError('misdirected', routed.misdirected)
}

const fronted = part('fronted', () => new WeakSet())

/** Puts our front before the server that plain `next start` created; only once per server. */
export function frontNext(server: Server, settings: Env, opened?: Socket): void {
  if (fronted().has(server)) return
  fronted().add(server)
  const next = takeListeners(server)
  server.on(
    'request',
    front((request, response) => {
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
    }),
  )
  const show = guardConnections(server)
  if (opened) show(opened)
  refuseUpgrades(server)
}
