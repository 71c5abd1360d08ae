import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { shared } from '@/lib/core/shared'

/** The time a sender may keep sending after its response, so that it can read the response. */
const READ_MS = 3_000

/**
 * Ends a connection after its answer: nothing more is sent, and what still arrives is discarded for a moment. A reset would destroy the
 * answer before the sender reads it (RFC 9112, 9.6).
 */
export function endGently(socket: Socket): void {
  socket.end()
  socket.resume()
  const end = setTimeout(() => socket.destroy(), READ_MS)
  socket.once('close', () => clearTimeout(end))
}

const closing = shared('closingSockets', () => new WeakSet<Socket>())

/** Reports whether a connection ends with an answer that it was given: what is sent on it after that is not read (RFC 9112, 9.6). */
export const isClosing = (socket: Socket): boolean => closing().has(socket)

/**
 * Discards the rest of a body that nobody reads, then ends the connection. Node would end it together with the answer, while the sender
 * is still sending.
 */
export function dropBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  closing().add(socket)
  response.setHeader('connection', 'close')
  socket.destroySoon = () => endGently(socket)
  response.once('finish', () => request.resume())
}

/** Closes the connection with the response when the body was not read to its end, whichever handler answers. */
export function closeUnread(request: IncomingMessage, response: ServerResponse): void {
  const write = response.writeHead.bind(response)
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) dropBody(request, response)
    return Reflect.apply(write, response, head)
  }
}
