import type { KeyActor } from '@/lib/auth/actor'
import type { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import type { Answer } from '@/lib/http/answer'
import { consumeLimit } from '@/lib/limits/limiter'
import { POLICIES, rateLimited } from '@/lib/limits/policies'
import type { Tool } from './tools'

/**
 * Counts a call of a tool that is limited per contractor, all keys together (specification 8: searches), before it runs, and returns the
 * refusal of one too many. The headers report whichever limit is nearer.
 */
export async function consumeToolLimit(
  tool: Tool | undefined,
  actor: KeyActor,
  answer: Answer,
): Promise<ServiceError | undefined> {
  const limit = tool?.operation.limit
  if (!tool || limit === undefined || POLICIES[limit].per !== 'contractor') return undefined
  // A key that may not search is refused later, and uses up nothing.
  if (!tool.scopes.every((scope) => actor.scopes.has(scope))) return undefined
  const verdict = await consumeLimit(limit, limit, actor.contractorId)
  answer.limit(POLICIES[limit].called, verdict)
  if (verdict.allowed) return undefined
  tally('limit refusals', limit)
  return rateLimited(verdict, 'searches in a minute by this contractor, all keys together')
}
