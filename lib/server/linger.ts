import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How long a sender may go on after its answer, so that it gets to read it instead of finding the connection gone. */
const LINGER_MS = 3_000

/** Says that nothing more is sent, and throws away what still comes in, for a moment: a reset would take the answer with it (RFC 9112, 9.6). */
export function linger(socket: Socket): void {
  socket.end()
  socket.resume()
  const end = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(end))
}

/**
 * What is left of a body nobody reads is thrown away for a moment; then the connection ends, so that it cannot be fed without end.
 * Node would end it with the answer, while the sender still sends.
 */
export function dropBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  response.setHeader('connection', 'close')
  socket.destroySoon = () => linger(socket)
  response.once('finish', () => request.resume())
}
