import type { KeyActor } from '@/lib/auth/actor'
import { isKeyShaped } from '@/lib/auth/keys'
import { presentedKey } from '@/lib/auth/presented-key'
import { env } from '@/lib/core/env'
import { tally } from '@/lib/core/tally'
import { addressSubject } from '@/lib/limits/address-subject'
import { consumeLimit, consumeLocalLimit } from '@/lib/limits/limiter'
import { OWN_LIMIT, POLICIES, type PolicyName, rateLimited } from '@/lib/limits/policies'
import type { Verdict } from '@/lib/limits/window'
import { clientAddress } from './address'
import type { Answer } from './answer'
import type { ServiceRequest } from './request'

export type { Verdict }

/** A policy and the subject it counts; undefined when nothing is limited. */
export type Limited = { limit?: PolicyName | undefined; name: string }

/** Counts a request against a policy, and puts the decision on the response. */
async function count(
  policy: PolicyName,
  endpoint: string,
  subject: string,
  answer: Answer,
  cost?: number,
): Promise<Verdict> {
  const verdict = await consumeLimit(policy, endpoint, subject, cost)
  answer.limit(POLICIES[policy].called, verdict)
  if (!verdict.allowed) tally('limit refusals', policy)
  return verdict
}

/** Counts a request by its address, for this operation only; undefined when nothing is limited. */
export function countAddress(
  { limit, name }: Limited,
  request: Pick<ServiceRequest, 'headers'>,
  answer: Answer,
): Promise<Verdict> | undefined {
  if (!limit) return undefined
  return count(limit, name, addressSubject(clientAddress(request.headers, env().proxyHops)), answer)
}

/** Counts a request by its address alone. @throws ServiceError `rate_limited` when it exceeds the limit */
export async function limitAddress(limited: Limited, request: ServiceRequest, answer: Answer): Promise<void> {
  requireAllowed(await countAddress(limited, request, answer))
}

/**
 * Counts a request for what is public by its address, in this process only: it promises nothing to clients.
 * @throws ServiceError `rate_limited` when it exceeds the limit
 */
export function limitDocument(
  name: string,
  { headers }: Pick<ServiceRequest, 'headers'>,
  policy: 'documents' | 'health' = 'documents',
): void {
  requireAllowed(consumeLocalLimit(policy, name, addressSubject(clientAddress(headers, env().proxyHops))))
}

/** Counts a request by its key, over all operations with the same policy, as so many as it costs; undefined when nothing is limited. */
export function countKey(
  { limit }: Limited,
  { keyId }: KeyActor,
  answer: Answer,
  cost?: number,
): Promise<Verdict> | undefined {
  if (!limit) return undefined
  return count(limit, limit, keyId, answer, cost)
}

/** Reports whether a key may be checked although its address is over its limit; so many times a minute for an address. */
export const mayCheckKey = ({ headers }: ServiceRequest): boolean => {
  const key = presentedKey(headers)
  return (
    key !== undefined &&
    isKeyShaped(key) &&
    consumeLocalLimit('keyChecks', 'keyChecks', addressSubject(clientAddress(headers, env().proxyHops))).allowed
  )
}

/** Shows the state of a key's own limit beside the others. */
export const reportOwnLimit =
  (answer: Answer) =>
  (verdict: Verdict): void =>
    answer.limit(OWN_LIMIT, verdict)

/** Shows a limit no longer, because it does not hold for this caller. */
export function unlimit({ limit }: Limited, answer: Answer): void {
  if (limit) answer.unlimit(POLICIES[limit].called)
}

/** Checks a decision. @throws ServiceError `rate_limited` when the request exceeds the limit */
export function requireAllowed(verdict: Verdict | undefined): void {
  if (verdict && !verdict.allowed) throw rateLimited(verdict, 'requests in a minute to this endpoint')
}
