import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceError } from '@/lib/core/errors'
import { Answer, type Reply } from '@/lib/wire/answer'
import { dropBody, linger } from './linger'

/** Writes a reply as it is. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body)
}

/** Refuses a request before anything of ours has answered it; what still comes of its body is thrown away. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  dropBody(request, response)
  send(response, new Answer(request.method ?? 'GET').error(error))
}

/** A refusal on a bare socket, where no request could be made of what came in. */
export function refuseSocket(socket: Socket, error: ServiceError): void {
  // More of what was refused already: it is being thrown away.
  if (!socket.writable) return
  const { status, headers, body } = new Answer('GET').error(error)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
  socket.write(head + body)
  linger(socket)
}
