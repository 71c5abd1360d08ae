import type { IncomingMessage } from 'node:http'
import type { HostSettings } from '@/lib/http/hosts'
import { type Routed, routeRequest } from '@/lib/http/route-request'

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
