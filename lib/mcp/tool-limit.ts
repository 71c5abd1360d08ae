import type { KeyActor } from '@/lib/auth/actor'
import { tally } from '@/lib/core/tally'
import type { Answer } from '@/lib/http/answer'
import { type Later, takeLimit } from '@/lib/limits/limiter'
import { POLICIES, type PolicyName } from '@/lib/limits/policies'
import { rateLimited } from '@/lib/limits/refusal'
import type { Verdict } from '@/lib/limits/window'
import type { Tool } from './tools'

function requireAllowed(policy: PolicyName, verdict: Verdict, answer: Answer): void {
  answer.limit(POLICIES[policy].called, verdict)
  if (verdict.allowed) return
  tally('limit refusals', policy)
  throw rateLimited(verdict, 'searches in a minute by this contractor, all keys together')
}

/**
 * Counts a call of a tool that is limited per contractor, all keys together (specification 8: searches), before it runs. The
 * headers report whichever limit is nearer.
 * @returns nothing, or a promise when requests are counted in the shared store
 * @throws ServiceError `rate_limited`, which is 429 with an ErrorResponse on every endpoint
 */
export function takeToolLimit(tool: Tool | undefined, actor: KeyActor, answer: Answer): Later<void> {
  const limit = tool?.operation.limit
  if (!tool || limit === undefined || POLICIES[limit].per !== 'contractor') return
  // A key that may not search is refused later, and uses up nothing.
  if (!tool.scopes.every((scope) => actor.scopes.has(scope))) return
  const verdict = takeLimit(limit, limit, actor.contractorId)
  return verdict instanceof Promise
    ? verdict.then((known) => requireAllowed(limit, known, answer))
    : requireAllowed(limit, verdict, answer)
}
