import type { IncomingMessage } from 'node:http'
import { entryName } from '@/lib/core/entry'

/** The header that carries the socket's address from the server to the handlers. A client's own header of this name is removed. */
export const ADDRESS_HEADER = 'x-plumbline-address'

/** Puts the socket's address on a request before anything reads its headers; the server does this first. */
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
 * Returns the address a request comes from: the socket's, or, behind `hops` trusted proxies, the one that the outermost proxy saw.
 * Each proxy appends to X-Forwarded-For, so a client's own entries are further left and ignored.
 */
export function clientAddress(headers: Pick<Headers, 'get'>, hops: number): string {
  // Next hands over no socket, and this header as its client sent it.
  const socket = entryName() === 'next' ? 'unknown' : (headers.get(ADDRESS_HEADER) ?? 'unknown')
  if (hops === 0) return socket
  const chain = (headers.get('x-forwarded-for') ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  return chain.at(-hops) ?? chain[0] ?? socket
}
