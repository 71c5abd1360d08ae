import { LRUCache } from 'lru-cache'
import type { KeyActor } from '@/lib/auth/actor'
import { authenticate, knownActor } from '@/lib/auth/authenticate'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { INGEST } from '@/lib/core/uploads'
import { type Deprecation, isForPeople, isServed, type Operation, type Served } from '@/lib/operations/define'
import { type Caller, type Executed, execute, type Given } from '@/lib/operations/execute'
import { clientAddress } from '../address'
import type { Answer, Reply } from '../answer'
import { compressed, VARIES } from '../compress'
import { type Answerer, type Methods, routeOf } from '../endpoint'
import { isHeld } from '../etag'
import { countAddress, limitAddress, mayCheckKey, requireAllowed, tellOwnLimit, unlimit, type Verdict } from '../limit'
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

/** Returns the caller from the request's key; without an actor when the operation is public. */
async function callerOf(
  operation: Operation,
  request: ServiceRequest,
  answer: Answer,
  known: KeyActor | undefined,
): Promise<Caller> {
  const now = new Date()
  if (operation.access === 'public') return { now }
  const { headers } = request
  const actor = known ?? (await authenticate(headers))
  answer.actor = actor
  // The first request of a key in this process was counted by address, which does not hold for this key.
  if (actor.insteadOfAddress) unlimit(operation, answer)
  const address = clientAddress(headers, env().proxyHops)
  return { actor, now, address, gone: () => request.gone(), tellOwnLimit: tellOwnLimit(answer) }
}

/** Waits for the shared store's decision while the key is looked up in parallel; a refused request never uses the key. */
function besideKey<T>({ access }: Operation, { headers }: ServiceRequest, verdict: Promise<T>): Promise<T> {
  if (access !== 'public') authenticate(headers).catch(() => {})
  return verdict
}

/** Refuses what is over the limit by address, except a key whose own limit takes its place. */
function requireAllowedOrOwn(
  { access }: Operation,
  request: ServiceRequest,
  verdict: Verdict | undefined,
  known: KeyActor | undefined,
): Promise<void> | undefined {
  if (verdict?.allowed !== false) return undefined
  if (access === 'public' || known || !mayCheckKey(request)) {
    requireAllowed(verdict)
    return undefined
  }
  return authenticate(request.headers)
    .catch(() => undefined)
    .then((actor) => (actor?.insteadOfAddress ? undefined : requireAllowed(verdict)))
}

/** Counts a GET before its key is looked up, so that guessing keys is limited too; keys with a limit of their own instead are known. */
function count(
  operation: Operation,
  request: ServiceRequest,
  answer: Answer,
  known: KeyActor | undefined,
): Promise<void> | undefined {
  if (known?.insteadOfAddress) return undefined
  const counted = countAddress(operation, request, answer)
  const check = (verdict: Verdict | undefined) => requireAllowedOrOwn(operation, request, verdict, known)
  return counted instanceof Promise ? besideKey(operation, request, counted).then(check) : check(counted)
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
  if (about.version === undefined) return answer.json(text, status)
  const etag = `W/"${about.version}"`
  answer.headers.etag = etag
  return isHeld(request.headers.get('if-none-match'), etag) ? answer.empty(304) : answer.json(text, status)
}

/** A request's address, and what it gives an operation. */
type AskedAddress = { url: URL; given?: Given }

/** How many addresses of an operation are kept, and how long they may be. A client asks for the same first page again and again. */
const ADDRESSES = { max: 100, maxLength: 200 }

/** Returns a function that takes a request's address apart; once, where the same is asked for again. What it gives must not be changed. */
function addressReader({ http }: Served<Operation>): (address: string) => AskedAddress {
  // Addresses that name a record are rarely the same.
  if (http.path.includes('{')) return (address) => ({ url: new URL(address) })
  const known = new LRUCache<string, AskedAddress>({ max: ADDRESSES.max })
  return (address) => {
    const found = known.get(address)
    if (found) return found
    const asked = { url: new URL(address) }
    if (address.length <= ADDRESSES.maxLength) known.set(address, asked)
    return asked
  }
}

/** The steps of what is limited by address before its key is looked up: a GET, or a PUT. */
function getter(operation: Served<Operation>, methods: string[], allow: string): Steps {
  const readInput = inputReader(operation)
  const stream = isPut(operation) ? putter(operation) : isStreamed(operation) ? streamer(operation) : undefined
  const readAddress = addressReader(operation)
  const bypasses = `/api/v1${operation.http.path}`.startsWith(INGEST.path)
  return async (request, answer) => {
    const known = operation.access === 'public' ? undefined : knownActor(request.headers)
    const counted = count(operation, request, answer, known)
    if (counted) await counted
    const asked = readAddress(request.url)
    if (bypasses) requireHost(request, asked.url.pathname)
    requireMethod(request, methods, allow)
    const caller = await callerOf(operation, request, answer, known)
    if (stream) return stream(request, answer, caller, new URL(request.url))
    const read = () => {
      asked.given ??= readInput(asked.url)
      return asked.given
    }
    const executed = await execute(operation, caller, read, 'text')
    return compressed(request, answerTo(operation, asked.url, request, answer, executed))
  }
}

/** OPTIONS counts like any request, so that its answer shows the limit too. */
async function answerOptions(operation: Operation, request: ServiceRequest, answer: Answer, allow: string) {
  try {
    await limitAddress(operation, request, answer)
    answer.add({ allow })
    return answer.empty(204)
  } catch (error) {
    return answer.error(error)
  }
}

/** The methods that call an operation, and what `Allow` says for a path that has only it. */
function methodsOf(operation: Operation): { methods: string[]; allowed: string } {
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
  const work: Steps = async (request, answer) => {
    answer.add(always)
    if (request.method === 'OPTIONS') return answerOptions(operation, request, answer, allow)
    return answerWith(request, answer).catch((error) => answer.error(error))
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
