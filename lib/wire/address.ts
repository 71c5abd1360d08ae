import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/** Carries the socket's address from the server to the handlers. Whatever a client sends under this name is removed. */
export const ADDRESS_HEADER = 'x-plumbline-address'

/** Puts the socket's address on a request before anything reads its headers; both entries do this first. */
export function stampAddress(request: IncomingMessage): void {
  const { rawHeaders } = request
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    const name = rawHeaders[i]
    if (name?.length === ADDRESS_HEADER.length && name.toLowerCase() === ADDRESS_HEADER) rawHeaders.splice(i, 2)
  }
  const address = request.socket.remoteAddress ?? 'unknown'
  rawHeaders.push(ADDRESS_HEADER, address)
  request.headers[ADDRESS_HEADER] = address
}

/**
 * Who is counted for an address: IPv4 as it is, also when mapped into IPv6; IPv6 by its /64, which one subscriber holds
 * whole (RFC 6177). What is no address counts as one subject, so it cannot be used to escape the limit.
 */
export function addressSubject(address: string): string {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address
  if (!ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address.split('%')[0] ?? address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}

/**
 * The address a request comes from: the socket's, or, behind `hops` trusted proxies, the one that the outermost of them saw
 * (each proxy appends to X-Forwarded-For, so what a client wrote itself stands further left and is not believed).
 */
export function clientAddress(headers: Pick<Headers, 'get'>, hops: number): string {
  const socket = headers.get(ADDRESS_HEADER) ?? 'unknown'
  if (hops === 0) return socket
  const chain = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return chain.at(-hops) ?? chain[0] ?? socket
}
