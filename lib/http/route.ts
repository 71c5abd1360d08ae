import { authenticate } from '@/lib/auth/authenticate'
import { requireScope } from '@/lib/auth/require-scope'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { takeLimit } from '@/lib/limits/limiter'
import { type Deprecation, JsonText, type Operation } from '@/lib/operations/define'
import { addressSubject, clientAddress } from './address'
import { Answer, type Reply, toResponse } from './answer'
import { inputReader } from './input'

/** What an answer is made from: the part of a web `Request` that is needed, so that `server.ts` need not build whole ones. */
export type ServiceRequest = { method: string; url: string; headers: { get(name: string): string | null } }
export type Answerer = (request: ServiceRequest) => Promise<Reply>
export type Handler = (request: Request) => Promise<Response>

const ALLOWED = 'GET, HEAD, OPTIONS'

/** Deprecation as RFC 9745 has it (a structured date), Sunset as RFC 8594 (an HTTP date), and where it is explained. */
function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset ? { sunset: sunset.toUTCString() } : {}),
    ...(link ? { link: `<${link}>; rel="deprecation"; type="text/html"` } : {}),
  }
}

/** Cross-origin reading is for public documents only; everything else stays closed to other sites' pages. */
const PUBLIC_CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': '*',
}

function countRequest(operation: Operation, request: ServiceRequest, answer: Answer): void {
  if (!operation.limit) return
  const verdict = takeLimit(
    operation.limit,
    operation.name,
    addressSubject(clientAddress(request.headers, env().proxyHops)),
  )
  answer.limit(verdict)
  if (verdict.allowed) return
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000))
  throw new ServiceError(
    'rate_limited',
    `More than ${verdict.limit} requests in a minute to this endpoint. Wait ${seconds} s, then go on.`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  )
}

function requireMethod(request: ServiceRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  throw new ServiceError('method_not_allowed', `${request.method} is not allowed here. Use ${ALLOWED}.`, {
    headers: { allow: ALLOWED },
  })
}

async function runFor(
  operation: Operation,
  request: ServiceRequest,
  readInput: (url: URL) => Record<string, unknown>,
): Promise<unknown> {
  const now = new Date()
  if (operation.access === 'public') return operation.run({ now }, readInput(new URL(request.url)))
  const actor = await authenticate(request.headers)
  if (operation.access !== 'any_key') requireScope(actor, operation.access)
  return operation.run({ actor, now }, readInput(new URL(request.url)))
}

/**
 * What answers an operation, the same function under both entries: request id, limit, method, key, scope, input, run, output.
 * It answers every method, so a wrong one gets its 405 with `Allow` wherever it is mounted.
 */
export function answerer(operation: Operation): Answerer {
  const readInput = inputReader(operation)
  const always = {
    ...(operation.deprecation ? deprecationHeaders(operation.deprecation) : {}),
    ...(operation.access === 'public' ? PUBLIC_CORS : {}),
  }
  return async (request) => {
    const answer = new Answer(request.method)
    answer.add(always)
    if (request.method === 'OPTIONS') {
      answer.add({ allow: ALLOWED })
      return answer.empty(204)
    }
    try {
      countRequest(operation, request, answer) // before the key: guessing keys is limited too
      requireMethod(request)
      const result = await runFor(operation, request, readInput)
      return answer.json(result instanceof JsonText ? result.text : JSON.stringify(operation.output.parse(result)))
    } catch (error) {
      return answer.error(error)
    }
  }
}

/** The answer for an API path that does not exist: JSON, whatever the method. */
export const unknownPath: Answerer = async ({ method }) =>
  new Answer(method).error(
    new ServiceError(
      'not_found',
      'There is no such path in this API. See /api/v1/openapi for all there are, or /api/v1/metadata for the resources.',
    ),
  )

/** What a route file exports for every method of a path: the operation's answer as a web handler. */
export function httpRoute(operation: Operation): Handler {
  const answer = answerer(operation)
  return async (request) => toResponse(await answer(request))
}
