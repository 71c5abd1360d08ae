import type { KeyActor } from '@/lib/auth/actor'
import { authenticate, cachedActor } from '@/lib/auth/authenticate'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { INGEST } from '@/lib/core/uploads'
import { type Deprecation, isForPeople, isServed, type Operation, type Served } from '@/lib/operations/define'
import { type Caller, type Executed, execute } from '@/lib/operations/execute'
import { clientAddress } from '../address'
import type { Answer, Reply } from '../answer'
import { compressed, VARIES } from '../compress'
import { type Answerer, type Methods, routeOf } from '../endpoint'
import { isHeld } from '../etag'
import {
  countAddress,
  limitAddress,
  limitDocument,
  mayCheckKey,
  reportOwnLimit,
  requireAllowed,
  unlimit,
} from '../limit'
import { logged, observed, type Steps } from '../logged'
import { GET_METHODS, PUBLIC_CORS } from '../public'
import { requireMethod, type ServiceRequest } from '../request'
import { inputReader } from './input'
import { isPost, POST_METHODS, poster } from './post'
import { isPut, putter, requireHost } from './put'
import { isStreamed, streamer } from './stream'

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

/** Returns the caller that a key names. */
function callerOf(operation: Operation, request: ServiceRequest, answer: Answer, actor: KeyActor): Caller {
  answer.actor = actor
  // The first request of a key in this process was counted by address, which does not hold for this key.
  if (actor.insteadOfAddress) unlimit(operation, answer)
  const address = clientAddress(request.headers, env().proxyHops)
  return { actor, now: new Date(), address, gone: () => request.gone(), reportOwnLimit: reportOwnLimit(answer) }
}

/**
 * Counts a GET before its key is looked up, so that guessing keys is limited too, and refuses what is over the limit by address, except
 * a key whose own limit takes its place.
 */
async function count(
  operation: Operation,
  request: ServiceRequest,
  answer: Answer,
  known: KeyActor | undefined,
): Promise<void> {
  const verdict = await countAddress(operation, request, answer)
  if (verdict?.allowed !== false) return
  const mayBeOther = operation.access !== 'public' && !known && mayCheckKey(request)
  const actor = mayBeOther ? await authenticate(request.headers).catch(() => undefined) : undefined
  if (!actor?.insteadOfAddress) requireAllowed(verdict)
}

/** The link to the next page (RFC 8288), which repeats the request with the other token. */
function nextLink({ http }: Served<Operation>, { search }: URL, token: string): string {
  const { api, apiPrefix } = baseUrls(env())
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('pageToken='))
  return `<${api}${apiPrefix}${http.path}?${[...kept, `pageToken=${token}`].join('&')}>; rel="next"`
}

/** `List-Complete` of a list that ends before its last record (a boolean of RFC 9651, as `Upload-Complete` is): it names what is missing. */
const CUT = '?0;missing="EXTERNAL_API_TOKEN_SECRET"'

/** The answer to a GET: 304 where the client has this version already. */
function answerTo(
  operation: Served<Operation>,
  url: URL,
  request: ServiceRequest,
  answer: Answer,
  { text, status, about }: Executed,
): Reply {
  answer.headers.vary = VARIES
  if (about.next !== undefined) answer.link(nextLink(operation, url, about.next))
  if (about.isCut) answer.headers['list-complete'] = CUT
  if (about.version === undefined) return answer.json(text, status)
  const etag = `W/"${about.version}"`
  answer.headers.etag = etag
  return isHeld(request.headers.get('if-none-match'), etag) ? answer.empty(304) : answer.json(text, status)
}

/** The steps of what is limited by address before its key is looked up: a GET, or a PUT. */
function getter(operation: Served<Operation>, methods: string[], allow: string): Steps {
  const readInput = inputReader(operation)
  const stream = isPut(operation) ? putter(operation) : isStreamed(operation) ? streamer(operation) : undefined
  const bypasses = `/api/v1${operation.http.path}`.startsWith(INGEST.path)
  const isPublic = operation.access === 'public'
  return async (request, answer) => {
    const known = isPublic ? undefined : cachedActor(request.headers)
    if (!known?.insteadOfAddress) await count(operation, request, answer, known)
    const url = new URL(request.url)
    if (bypasses) requireHost(request, url.pathname)
    requireMethod(request, methods, allow)
    const caller = isPublic
      ? { now: new Date() }
      : callerOf(operation, request, answer, known ?? (await authenticate(request.headers)))
    if (stream) return await stream(request, answer, caller, url)
    const executed = await execute(operation, caller, () => readInput(url), 'text')
    return await compressed(request, answerTo(operation, url, request, answer, executed))
  }
}

/** Answers OPTIONS, which counts like any request, so that its answer shows the limit too. */
async function answerOptions(operation: Operation, request: ServiceRequest, answer: Answer, allow: string) {
  await limitAddress(operation, request, answer)
  answer.add({ allow })
  return answer.empty(204)
}

/** The methods that call an operation, and what `Allow` says for a path that has only it. */
export function methodsOf(operation: Operation): { methods: string[]; allowed: string } {
  const { method } = operation.http ?? {}
  if (method === 'PUT') return { methods: ['PUT'], allowed: 'PUT, OPTIONS' }
  return method === 'POST'
    ? { methods: ['POST'], allowed: POST_METHODS }
    : { methods: ['GET', 'HEAD'], allowed: GET_METHODS }
}

function answererOf(operation: Operation, allow: string): Answerer {
  if (!isServed(operation) || isForPeople(operation)) throw new Error(`${operation.name} has no route`)
  const answerWith = isPost(operation) ? poster(operation) : getter(operation, methodsOf(operation).methods, allow)
  const always = {
    ...(operation.deprecation ? deprecationHeaders(operation.deprecation) : {}),
    ...(operation.access === 'public' ? PUBLIC_CORS : {}),
  }
  const policy = operation.name === 'get_health' ? 'health' : 'documents'
  const work: Steps = async (request, answer) => {
    answer.add(always)
    try {
      // What is public has a limit of this process where it promises none.
      if (operation.access === 'public' && !operation.limit) limitDocument(operation.name, request, policy)
      if (request.method === 'OPTIONS') return await answerOptions(operation, request, answer, allow)
      return await answerWith(request, answer)
    } catch (error) {
      return answer.error(error)
    }
  }
  return operation.access === 'public' ? observed(operation.name, work) : logged(operation.name, work)
}

/**
 * Returns the handler of a path, the same function under both entries: request id, limit, method, key, then what `execute` does.
 * It handles every method, so a wrong one gets its 405 with `Allow` wherever it is mounted.
 * @param operations those of the path, each with other methods
 */
export function answerer(...operations: [Operation, ...Operation[]]): Answerer {
  const allow = [...new Set(operations.flatMap((each) => methodsOf(each).allowed.split(', ')))]
  const inOrder = [...allow.filter((method) => method !== 'OPTIONS'), 'OPTIONS'].join(', ')
  const [first, ...others] = operations
  const main = answererOf(first, inOrder)
  if (others.length === 0) return main
  const byMethod = new Map(
    others.flatMap((each) => {
      const answer = answererOf(each, inOrder)
      return methodsOf(each).methods.map((method) => [method, answer] as const)
    }),
  )
  return (request) => (byMethod.get(request.method) ?? main)(request)
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

/** Returns what the route file of one or several operations exports. */
export const route = (...operations: [Operation, ...Operation[]]): Methods => routeOf(answerer(...operations))
