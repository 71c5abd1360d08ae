import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ServiceError } from '@/lib/core/errors'
import { asksForHtml } from '@/lib/http/accept'
import { Answer, type Reply } from '@/lib/http/answer'
import { headerOf } from './address'
import { dropBody, endGently } from './unread-body'

/** Writes a reply as it is. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers).end(body)
}

/** Refuses a request before anything of ours has answered it; what still comes of its body is thrown away. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  dropBody(request, response)
  send(response, new Answer(request.method ?? 'GET').error(error))
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** The same for a page: a browser is shown the words. No template of Next's is asked, as a refusal must cost nothing. */
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

/** A refusal on a bare socket, where no request could be made of what came in. */
export function refuseSocket(socket: Socket, error: ServiceError): void {
  // More of what was refused already: it is being thrown away.
  if (!socket.writable) return
  const { status, headers, body } = new Answer('GET').error(error)
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`
  socket.write(head + body)
  endGently(socket)
}
