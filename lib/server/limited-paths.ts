import type { Answer } from '@/lib/http/answer'
import { countAddress } from '@/lib/http/limit'
import type { ServiceRequest } from '@/lib/http/request'
import { finderOf, KEYED_PATHS, type KeyedPath } from './keyed-paths'

/** Limited paths that need no key; a test compares them with the operations. */
export const OPEN_LIMITED_PATHS = [{ path: '/api/v1/openapi', limit: 'dataApi', name: 'get_openapi' }] as const

type Limited = Pick<KeyedPath, 'path' | 'limit' | 'name'> & { methods?: readonly string[] }
const LIMITED: readonly Limited[] = [...KEYED_PATHS, ...OPEN_LIMITED_PATHS]
const find = finderOf(LIMITED)

/**
 * Counts a request that is refused before its endpoint sees it, as the endpoint would, so that the refusal shows the limit too.
 * @param path the path as far as it is routed
 * @returns what to wait for where requests are counted elsewhere
 */
export function countRefused(
  request: Pick<ServiceRequest, 'headers' | 'method'>,
  path: string,
  answer: Answer,
): Promise<unknown> | undefined {
  const limited = find(path, request.method)
  const counted = limited && countAddress(limited, request, answer)
  return counted instanceof Promise ? counted : undefined
}
