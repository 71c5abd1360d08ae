import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { ServiceError } from '@/lib/core/errors'
import { asksForHtml } from '@/lib/http/accept'
import { Answer, type Reply } from '@/lib/http/answer'
import { headerOf } from './address'
import { pathOf } from './route'
import { dropBody, endGently } from './unread-body'

/** Writes a reply without changing it. A reader that goes away ends a stream; what it tells of goes on. */
export function send(response: ServerResponse, { status, headers, body, stream }: Reply): void {
  response.writeHead(status, headers)
  if (!stream) {
    response.end(body)
    return
  }
  // The pipeline ends a stream that waits only with its next part.
  const end = () => void stream.chunks.return(undefined).catch(() => {})
  if (response.closed) end()
  else response.once('close', end)
  pipeline(stream.chunks, response).catch(() => response.destroy())
}

/** Refuses a request that nothing has answered yet; the rest of its body is discarded. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  dropBody(request, response)
  const method = request.method ?? 'GET'
  const answer = new Answer(method)
  const asked = { method, headers: { get: (name: string) => headerOf(request, name) } }
  // What counts a request knows every operation, and is loaded by the first request that is refused.
  import('./key-gate')
    .then(({ countRefused }) => countRefused(asked, pathOf(request), answer))
    .then(() => send(response, answer.error(error)))
    .catch(() => response.destroy())
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Refuses a page: a browser gets the message as HTML. No Next template is rendered, because a refusal must be cheap. */
export function refusePage(request: IncomingMessage, response: ServerResponse, error: ServiceError): void {
  if (!asksForHtml(headerOf(request, 'accept'))) {
    refuse(request, response, error)
    return
  }
  dropBody(request, response)
  const answer = new Answer(request.method ?? 'GET')
  if (error.headers) answer.add(error.headers)
  const reply = answer.json(
    `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
      `<meta name="color-scheme" content="light dark"><title>${STATUS_CODES[error.status]}</title>` +
      `<h1>${STATUS_CODES[error.status]}</h1><p>${escapeHtml(error.message)}</p><p>Request id: ${answer.requestId}</p>\n`,
    error.status,
  )
  send(response, { ...reply, headers: { ...reply.headers, 'content-type': 'text/html; charset=utf-8' } })
}

/** Refuses on a bare socket, where the bytes received are not a valid request. */
export function refuseSocket(socket: Socket, error: ServiceError): void {
  // The socket was already refused, and its data is being discarded.
  if (!socket.writable) return
  const { status, headers, body } = new Answer('GET').error(error)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
  socket.write(head + body)
  endGently(socket)
}
