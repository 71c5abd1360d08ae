import { authenticate } from '@/lib/auth/authenticate'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { type Deprecation, isForPeople, isServed, type Operation, type Served } from '@/lib/operations/define'
import { type Caller, execute } from '@/lib/operations/execute'
import { clientAddress } from '../address'
import type { Answer } from '../answer'
import { type Answerer, type Methods, routeOf } from '../endpoint'
import { countAddress, limitAddress, requireAllowed } from '../limit'
import { logged, observed, type Steps } from '../logged'
import { GET_METHODS, PUBLIC_CORS } from '../public'
import { requireMethod, type ServiceRequest } from '../request'
import { inputReader } from './input'
import { isPost, POST_METHODS, poster } from './post'

/**
 * Headers of an announced removal: Deprecation (RFC 9745, a structured date), Sunset (RFC 8594, an HTTP date), and a link to the
 * explanation.
 */
function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    deprecation: `@${Math.floor(since.getTime() / 1000)}`,
    ...(sunset ? { sunset: sunset.toUTCString() } : {}),
    ...(link ? { link: `<${link}>; rel="deprecation"; type="text/html"` } : {}),
  }
}

/** Returns the actor from the request's key; none when the operation is public. */
async function callerOf({ access }: Operation, { headers }: ServiceRequest, answer: Answer): Promise<Caller> {
  const now = new Date()
  if (access === 'public') return { now }
  const actor = await authenticate(headers)
  answer.actor = actor
  return { actor, now, address: clientAddress(headers, env().proxyHops) }
}

/** Waits for the shared store's decision while the key is looked up in parallel; a refused request never uses the key. */
function besideKey<T>({ access }: Operation, { headers }: ServiceRequest, verdict: Promise<T>): Promise<T> {
  if (access !== 'public') authenticate(headers).catch(() => {})
  return verdict
}

function getter(operation: Served<Operation>): Steps {
  const readInput = inputReader(operation)
  return async (request, answer) => {
    const counted = countAddress(operation, request, answer) // Before the key, so that guessing keys is limited too.
    requireAllowed(counted instanceof Promise ? await besideKey(operation, request, counted) : counted)
    requireMethod(request, ['GET', 'HEAD'], GET_METHODS)
    const caller = await callerOf(operation, request, answer)
    const { text, status } = await execute(operation, caller, () => readInput(new URL(request.url)), 'text')
    return answer.json(text, status)
  }
}

/**
 * Returns an operation's handler, the same function under both entries: request id, limit, method, key, then what `execute` does.
 * It handles every method, so a wrong one gets its 405 with `Allow` wherever it is mounted.
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

/**
 * The response for an API path that does not exist: JSON for every method. It is counted, because probing for paths should be
 * limited too.
 */
export const unknownPath: Answerer = logged('unknown', async (request, answer) => {
  try {
    await limitAddress({ limit: 'dataApi', name: 'unknown' }, request, answer)
    throw new ServiceError(
      'not_found',
      'There is no such path in this API. See /api/v1/openapi for all there are, or /api/v1/metadata for the resources.',
    )
  } catch (error) {
    return answer.error(error)
  }
})

/** Returns what an operation's route file exports. */
export const route = (operation: Operation): Methods => routeOf(answerer(operation))
