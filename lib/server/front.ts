import type { IncomingMessage, ServerResponse } from 'node:http'
import { ServiceError } from '@/lib/core/errors'
import { stampAddress } from '@/lib/http/address'
import { Answer } from '@/lib/http/answer'
import { METHODS } from './connections'
import { countOpenAnswer } from './open-answers'
import { refuse, send } from './refuse'
import { isClosing } from './unread-body'

/** A handler of Node's own requests. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

/** Rewrites the request target as a path with its query; the absolute form (RFC 9112, 3.2.2) also names the host. */
function normalizeTarget(request: IncomingMessage): void {
  const target = request.url ?? '/'
  if (target.startsWith('/')) return
  if (!URL.canParse(target)) throw new ServiceError('bad_request', 'The request target is neither a path nor a URL.')
  const url = new URL(target)
  request.headers.host = url.host
  request.url = url.pathname + url.search
}

function checkRequest(request: IncomingMessage): void {
  const hosts = request.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host')
  if (hosts.length > 1) throw new ServiceError('bad_request', 'The request has two Host headers. Send one.')
  if (!/^[\w.:[\]-]+$/.test(request.headers.host ?? '')) {
    throw new ServiceError('bad_request', 'The Host header is missing or invalid. Send a valid one.')
  }
  if (!METHODS.includes(request.method ?? '')) {
    throw new ServiceError('method_not_allowed', `${request.method} is not allowed here.`, {
      headers: { allow: METHODS.join(', ') },
    })
  }
  normalizeTarget(request)
}

/** Answers `OPTIONS *`, which asks for the methods of the whole server (RFC 9110, 9.3.7). */
function answerOptions(response: ServerResponse): void {
  const answer = new Answer('OPTIONS')
  answer.add({ allow: METHODS.join(', ') })
  send(response, answer.empty(204))
}

/** The first check of every request, under both entries: its address, how much it has open, and whether it is HTTP we support. */
export const front =
  (handle: NodeHandler): NodeHandler =>
  (request, response) => {
    if (isClosing(request.socket)) {
      request.resume()
      return
    }
    stampAddress(request)
    try {
      if (request.url === '*' && request.method === 'OPTIONS') return answerOptions(response)
      checkRequest(request)
      countOpenAnswer(request, response)
      handle(request, response)
    } catch (error) {
      refuse(request, response, error)
    }
  }
