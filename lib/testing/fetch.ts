import { ADDRESS_HEADER } from '@/lib/http/address'
import { endWithRequest, toResponse } from '@/lib/http/answer'
import { serviceRequest } from '@/lib/http/request'
import { findRoute } from './routes'

/** The service itself behind `fetch`, streams included: the handlers the server mounts, without a port. */
export function fetchInProcess(): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const answer = await findRoute(new URL(url).pathname)
    if (!answer) throw new Error(`no endpoint at ${url}`)
    const headers = new Headers(init?.headers)
    headers.set(ADDRESS_HEADER, '127.0.0.1')
    const request = new Request(url, { ...init, headers })
    const reply = await answer(serviceRequest(request))
    if (reply.stream) endWithRequest(request, reply.stream)
    return toResponse(reply)
  }
}
