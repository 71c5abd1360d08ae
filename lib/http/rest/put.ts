import { authenticate } from '@/lib/auth/authenticate'
import { baseUrls, env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import type { Operation, PutBinding, Served } from '@/lib/operations/define'
import { type Caller, execute } from '@/lib/operations/execute'
import type { Answer, Reply } from '../answer'
import type { ServiceRequest } from '../request'
import { routeRequest } from '../route-request'
import { inputReader } from './input'

type Putting = Served<Operation> & { http: PutBinding }

/** The interval at which the key of a body that is still arriving is checked again. */
const CHECK_MS = 2_000

/** Reports whether an operation is called with PUT. */
export const isPut = (operation: Served<Operation>): operation is Putting => operation.http.method === 'PUT'

/** Refuses a key that is no longer valid; a database that cannot say so for a moment does not end a long upload. */
async function recheck(headers: ServiceRequest['headers']): Promise<void> {
  await authenticate(headers).catch((error) => {
    if (error instanceof ServiceError && error.code === 'unauthorized') throw error
  })
}

/** A body as it arrives, as long as its key is valid: a file takes long to send. @throws ServiceError `unauthorized` */
async function* whileValid({ headers, ...request }: Pick<ServiceRequest, 'headers' | 'chunks'>) {
  let checked = Date.now()
  for await (const chunk of request.chunks()) {
    if (Date.now() - checked > CHECK_MS) {
      await recheck(headers)
      checked = Date.now()
    }
    yield chunk
  }
  await authenticate(headers)
}

/**
 * Refuses a wrong host for what bypasses the middleware. Our servers' fronts have done it before; on Vercel nothing has.
 * @throws ServiceError `misdirected`
 */
export function requireHost({ method, headers }: ServiceRequest, path: string): void {
  if (env().vercel === undefined) return
  const asked = { host: headers.get('host'), path, method, accept: headers.get('accept') }
  const routed = routeRequest(asked, env())
  if ('misdirected' in routed) throw new ServiceError('misdirected', routed.misdirected)
}

/** Returns a function that answers a PUT, whose body the operation reads as it arrives. */
export function putter(operation: Putting) {
  const { headers } = operation.http
  const readInput = inputReader(operation, Object.keys(headers))
  return async (request: ServiceRequest, answer: Answer, caller: Caller, url: URL): Promise<Reply> => {
    const read = () => {
      const given = readInput(url)
      const sent = Object.entries(headers).flatMap(([field, name]) => {
        const value = request.headers.get(name)
        return value === null ? [] : [[field, value] as const]
      })
      return { ...given, values: { ...Object(given.values), ...Object.fromEntries(sent) } }
    }
    const incoming = whileValid({ headers: request.headers, chunks: () => request.chunks() })
    const { text, status, about } = await execute(operation, { ...caller, incoming }, read, 'text')
    const { api, apiPrefix } = baseUrls(env())
    if (about.location !== undefined) answer.add({ location: `${api}${apiPrefix}${about.location}` })
    return answer.json(text, status)
  }
}
