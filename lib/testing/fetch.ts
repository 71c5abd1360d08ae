import { ADDRESS_HEADER } from '@/lib/http/address'
import { endWithRequest, toResponse } from '@/lib/http/answer'
import { endpointFinder } from '@/lib/http/endpoint'
import { serviceRequest } from '@/lib/http/request'
import { endpoints } from '@/lib/server/endpoints'

/** The service itself behind `fetch`, streams included: the handlers the server mounts, without a port. */
export function fetchInProcess(): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const find = endpointFinder(endpoints)
  return async (url, init) => {
    const endpoint = find(new URL(url).pathname)
    if (!endpoint) throw new Error(`no endpoint at ${url}`)
    const headers = new Headers(init?.headers)
    headers.set(ADDRESS_HEADER, '127.0.0.1')
    const request = new Request(url, { ...init, headers })
    const reply = await endpoint.answer(serviceRequest(request))
    if (reply.stream) endWithRequest(request, reply.stream)
    return toResponse(reply)
  }
}
