import type { IncomingMessage } from 'node:http'
import type { HostSettings } from '@/lib/http/hosts'
import { type Routed, routeRequest, UNKNOWN_PATH } from '@/lib/http/route-request'

/** The path of a request's target, without its query. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const queryAt = url.indexOf('?')
  return queryAt < 0 ? url : url.slice(0, queryAt)
}

/** Routes Node's request. */
export function routeIncoming(request: IncomingMessage, settings: HostSettings): Routed {
  const { method = 'GET', headers } = request
  return routeRequest({ host: headers.host, path: pathOf(request), method, accept: headers.accept }, settings)
}

/**
 * Routes a request before Next sees it, because Next decodes unusual paths and answers its own protocol headers before our code runs.
 * The middleware routes it again, because on Vercel nothing else runs before Next.
 */
export function prepareForNext(request: IncomingMessage, settings: HostSettings): Routed {
  const routed = routeIncoming(request, settings)
  if (!('path' in routed)) return routed
  if (routed.path === UNKNOWN_PATH) request.url = UNKNOWN_PATH
  if (routed.path.startsWith('/api/')) delete request.headers.rsc
  return routed
}
