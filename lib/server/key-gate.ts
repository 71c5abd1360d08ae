import { isKeyShaped } from '@/lib/auth/keys'
import { isTokenShaped } from '@/lib/auth/oauth/shape'
import { hasKeyHeader, keyInUrl, presentedKey, unauthorized } from '@/lib/auth/presented-key'
import type { Reply } from '@/lib/http/answer'
import type { Answerer } from '@/lib/http/endpoint'
import { limitAddress } from '@/lib/http/limit'
import { logged } from '@/lib/http/logged'
import type { ServiceRequest } from '@/lib/http/request'
import { faultReply } from '@/lib/mcp/fault'
import { requireOwnOrigin } from '@/lib/mcp/own-origin'
import { finderOf, KEYED_PATHS, type KeyedPath } from './keyed-paths'

/** Refuses a request without a key as its endpoint would: counts it by address, then answers 401 or 429 in the endpoint's protocol. */
function refusalOf(keyed: KeyedPath): Answerer {
  return logged(keyed.name, async (request, answer) => {
    try {
      if (keyed.protocol === 'mcp') requireOwnOrigin(request)
      await limitAddress(keyed, request, answer)
      throw unauthorized(request.headers, keyed.protocol === 'mcp' ? 'mcp' : 'api')
    } catch (error) {
      return keyed.protocol === 'mcp' ? faultReply(answer, error) : answer.error(error)
    }
  })
}

const find = finderOf(KEYED_PATHS.map((keyed) => ({ ...keyed, refuse: refusalOf(keyed) })))

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)

/**
 * Refuses a request to a path that requires a key when the key is missing or has a wrong format or checksum, and is no access token either,
 * before the endpoint is loaded. The endpoint checks everything again and gives the same answer where this is not called.
 * @param path the path after routing
 * @returns undefined when the endpoint must decide
 */
export function refuseWithoutKey(request: ServiceRequest, path: string): Promise<Reply> | undefined {
  const keyed = find(path, request.method)
  if (!keyed?.methods.includes(request.method)) return undefined
  const inPath = keyed.keyInPath ? keyInUrl(path) : undefined
  const key = inPath ?? presentedKey(request.headers, keyed.takesBasic)
  const isToken = inPath === undefined && key !== undefined && isTokenShaped(key)
  if (isToken || (key !== undefined && isKeyShaped(key))) return undefined
  if (keyed.keyInBody?.includes(lastOf(path)) && !hasKeyHeader(request.headers)) return undefined
  return keyed.refuse(request)
}
