import { unauthorized } from '@/lib/auth/presented-key'
import { once } from '@/lib/core/later'
import type { Answer, Reply } from '@/lib/http/answer'
import type { Answerer } from '@/lib/http/endpoint'
import { countAddress, type Limited, limitAddress } from '@/lib/http/limit'
import { logged } from '@/lib/http/logged'
import { getOpenapi } from '@/lib/http/openapi/operation'
import type { ServiceRequest } from '@/lib/http/request'
import { methodsOf } from '@/lib/http/rest/route'
import { servedPath } from '@/lib/http/rest/served'
import { faultReply } from '@/lib/mcp/fault'
import { requireOwnOrigin } from '@/lib/mcp/own-origin'
import { isServed } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'

/** The limit that counts requests to a path, by their method, and whether those need a key. */
type Counted = Limited & { segments: string[]; methods: string[]; needsKey: boolean }

const MCP: Counted[] = [
  { name: 'mcp', limit: 'mcp', segments: ['mcp'], methods: ['POST', 'GET', 'DELETE'], needsKey: true },
  { name: 'mcp', limit: 'mcp', segments: ['mcp', 'rpc'], methods: ['POST'], needsKey: true },
]

const segmentsOf = (path: string) => path.split('/').slice(1)

/** The served operations, those with a name for each segment first: `/webhooks/create` before `/webhooks/{id}`. */
const counted = once(() => {
  const served = [...Object.values(operations), getOpenapi].filter(isServed).map((operation): Counted => {
    const { name, limit, access } = operation
    const segments = segmentsOf(servedPath(operation))
    return { name, limit, segments, methods: methodsOf(operation).methods, needsKey: access !== 'public' }
  })
  const isOpen = ({ segments }: Counted) => Number(segments.some((segment) => segment.startsWith('{')))
  return [...served, ...MCP].sort((one, other) => isOpen(one) - isOpen(other))
})

/** Returns what counts a request: of a path with several operations the one of its method, or else the first. */
function countedAt(path: string, method: string): Counted | undefined {
  const segments = segmentsOf(path)
  const isHere = (each: Counted) =>
    each.segments.length === segments.length &&
    each.segments.every((segment, i) => segment.startsWith('{') || segment === segments[i])
  const here = counted().filter(isHere)
  return here.find(({ methods }) => methods.includes(method)) ?? here[0]
}

/** Refuses a request without a key as its endpoint would: counts it by address, then answers 401 or 429 in the endpoint's protocol. */
function refusalOf(found: Counted): Answerer {
  const isMcp = found.limit === 'mcp'
  return logged(found.name, async (request, answer) => {
    try {
      if (isMcp) requireOwnOrigin(request)
      await limitAddress(found, request, answer)
      throw unauthorized(request.headers, isMcp ? 'mcp' : 'api')
    } catch (error) {
      return isMcp ? faultReply(answer, error) : answer.error(error)
    }
  })
}

/**
 * Refuses a request without a key before its endpoint is loaded. The endpoint gives the same answer where this is not called.
 * @param path the path after routing
 * @returns undefined when nothing at this path and method needs a key
 */
export async function refuseWithoutKey(request: ServiceRequest, path: string): Promise<Reply | undefined> {
  const found = countedAt(path, request.method)
  return found?.needsKey && found.methods.includes(request.method) ? await refusalOf(found)(request) : undefined
}

/**
 * Counts a request that is refused before its endpoint sees it, as the endpoint would, so that the refusal shows the limit too.
 * @param path the path as far as it is routed
 */
export async function countRefused(
  request: Pick<ServiceRequest, 'headers' | 'method'>,
  path: string,
  answer: Answer,
): Promise<void> {
  const found = countedAt(path, request.method)
  if (found) await countAddress(found, request, answer)
}
