import type { KeyActor } from '@/lib/auth/actor'
import { env } from '@/lib/core/env'
import { tally } from '@/lib/core/tally'
import { addressSubject } from '@/lib/limits/address-subject'
import { type Later, takeLimit } from '@/lib/limits/limiter'
import type { PolicyName } from '@/lib/limits/policies'
import { rateLimited } from '@/lib/limits/refusal'
import type { Verdict } from '@/lib/limits/window'
import { clientAddress } from './address'
import type { Answer } from './answer'
import type { ServiceRequest } from './request'

/** What is counted: under which policy, and as what; undefined where nothing is limited. */
type Limited = { limit?: PolicyName; name: string }

/** Puts a verdict on the answer, now or when it comes. */
function tell(policy: PolicyName, verdict: Later<Verdict>, answer: Answer): Later<Verdict> {
  if (verdict instanceof Promise) return verdict.then((known) => tell(policy, known, answer))
  answer.limit(verdict)
  if (!verdict.allowed) tally('limit refusals', policy)
  return verdict
}

/** Counts a request by the address it comes from, at this operation alone; undefined where nothing is limited. */
export function countAddress(
  { limit, name }: Limited,
  request: ServiceRequest,
  answer: Answer,
): Later<Verdict> | undefined {
  if (!limit) return undefined
  return tell(limit, takeLimit(limit, name, addressSubject(clientAddress(request.headers, env().proxyHops))), answer)
}

/** Counts a request by its address alone. @throws ServiceError `rate_limited` when it is one too many */
export async function limitAddress(limited: Limited, request: ServiceRequest, answer: Answer): Promise<void> {
  const counted = countAddress(limited, request, answer)
  requireAllowed(counted instanceof Promise ? await counted : counted)
}

/** Counts a request by its key, over all operations under the same policy. */
export function countKey({ limit }: Limited, { keyId }: KeyActor, answer: Answer): Later<Verdict> | undefined {
  if (!limit) return undefined
  return tell(limit, takeLimit(limit, limit, keyId), answer)
}

/** @throws ServiceError `rate_limited` when the request is one too many */
export function requireAllowed(verdict: Verdict | undefined): void {
  if (verdict && !verdict.allowed) throw rateLimited(verdict, 'requests in a minute to this endpoint')
}
