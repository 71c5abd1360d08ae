import { authenticate } from '@/lib/auth/authenticate'
import { requireScope } from '@/lib/auth/require-scope'
import { ServiceError } from '@/lib/core/errors'
import {
  type Deprecation,
  isForPeople,
  isServed,
  JsonText,
  type Operation,
  type Served,
  scopesOf,
} from '@/lib/operations/define'
import type { Answer } from '@/lib/wire/answer'
import { type Answerer, webHandler } from '@/lib/wire/endpoint'
import { countAddress, requireAllowed, requireTerms } from '@/lib/wire/limit'
import { logged, observed, type Steps } from '@/lib/wire/logged'
import { GET_METHODS, PUBLIC_CORS } from '@/lib/wire/public'
import { requireMethod, type ServiceRequest } from '@/lib/wire/request'
import { inputReader } from './input'
import { isPost, POST_METHODS, poster } from './post'

export type Handler = (request: Request) => Promise<Response>

/** Deprecation as RFC 9745 has it (a structured date), Sunset as RFC 8594 (an HTTP date), and where it is explained. */
function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset ? { sunset: sunset.toUTCString() } : {}),
    ...(link ? { link: `<${link}>; rel="deprecation"; type="text/html"` } : {}),
  }
}

/** What runs a GET operation for a request: method, key, scope, input. */
async function runFor(
  operation: Operation,
  request: ServiceRequest,
  answer: Answer,
  readInput: (url: URL) => Record<string, unknown>,
): Promise<unknown> {
  requireMethod(request, ['GET', 'HEAD'], GET_METHODS)
  const now = new Date()
  if (operation.access === 'public') return operation.run({ now }, readInput(new URL(request.url)))
  const actor = await authenticate(request.headers)
  answer.actor = actor
  const terms = requireTerms(actor, request)
  if (terms) await terms
  for (const scope of scopesOf(operation)) requireScope(actor, scope)
  return operation.run({ actor, now }, readInput(new URL(request.url)))
}

/** Waits for a verdict from elsewhere while the key is looked up, which then is known; a request that is refused never uses it. */
function besideKey<T>({ access }: Operation, { headers }: ServiceRequest, verdict: Promise<T>): Promise<T> {
  if (access !== 'public') authenticate(headers).catch(() => {})
  return verdict
}

function getter(operation: Served<Operation>): Steps {
  const readInput = inputReader(operation)
  const statusOf = operation.http.method === 'GET' ? operation.http.statusOf : undefined
  return async (request, answer) => {
    const counted = countAddress(operation, request, answer) // before the key: guessing keys is limited too
    requireAllowed(counted instanceof Promise ? await besideKey(operation, request, counted) : counted)
    const result = await runFor(operation, request, answer, readInput)
    const text = result instanceof JsonText ? result.text : JSON.stringify(operation.output.parse(result))
    return answer.json(text, statusOf?.(result))
  }
}

/**
 * What answers an operation, the same function under both entries: request id, limit, method, key, scope, input, run, output.
 * It answers every method, so a wrong one gets its 405 with `Allow` wherever it is mounted.
 */
export function answerer(operation: Operation): Answerer {
  if (!isServed(operation) || isForPeople(operation)) throw new Error(`${operation.name} has no route`)
  const answerWith = isPost(operation) ? poster(operation) : getter(operation)
  const allow = isPost(operation) ? POST_METHODS : GET_METHODS
  const always = {
    ...(operation.deprecation ? deprecationHeaders(operation.deprecation) : {}),
    ...(operation.access === 'public' ? PUBLIC_CORS : {}),
  }
  const work: Steps = async (request, answer) => {
    answer.add(always)
    if (request.method === 'OPTIONS') {
      answer.add({ allow })
      return answer.empty(204)
    }
    return answerWith(request, answer).catch((error) => answer.error(error))
  }
  return operation.access === 'public' ? observed(operation.name, work) : logged(operation.name, work)
}

/** The answer for an API path that does not exist: JSON, whatever the method. */
export const unknownPath: Answerer = logged('unknown', async (_, answer) =>
  answer.error(
    new ServiceError(
      'not_found',
      'There is no such path in this API. See /api/v1/openapi for all there are, or /api/v1/metadata for the resources.',
    ),
  ),
)

/** What a route file exports for every method of a path: the operation's answer as a web handler. */
export const httpRoute = (operation: Operation): Handler => webHandler(answerer(operation))
