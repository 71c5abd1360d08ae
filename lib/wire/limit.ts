import type { KeyActor } from '@/lib/auth/actor'
import { isWithin } from '@/lib/auth/address-ranges'
import { env } from '@/lib/core/env'
import { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import { addressSubject } from '@/lib/limits/address-subject'
import { type Later, takeLimit, takeOwnLimit } from '@/lib/limits/limiter'
import type { PolicyName } from '@/lib/limits/policies'
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

/** Counts a request by its key, over all operations under the same policy. */
export function countKey({ limit }: Limited, { keyId }: KeyActor, answer: Answer): Later<Verdict> | undefined {
  if (!limit) return undefined
  return tell(limit, takeLimit(limit, limit, keyId), answer)
}

function requireOwnLimit({ allowed, limit, retryAfterMs }: Verdict): void {
  if (allowed) return
  tally('limit refusals', 'own')
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  throw new ServiceError(
    'rate_limited',
    `More than ${limit} requests in a minute with this key, its own limit. Wait ${seconds} s, then go on.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}

/**
 * Holds a key to what it was issued with: the addresses it may be used from, and its own limit over everything.
 * @returns nothing, or what to wait for where requests are counted elsewhere
 * @throws ServiceError `forbidden` from elsewhere, `rate_limited` beyond the limit
 */
export function requireTerms({ keyId, allowed, perMinute }: KeyActor, request: ServiceRequest): Later<void> {
  if (allowed) {
    const address = clientAddress(request.headers, env().proxyHops)
    if (!isWithin(address, allowed))
      throw new ServiceError(
        'forbidden',
        `This key may not be used from ${address}. Ask your administrator to add the address to those it is allowed from.`,
      )
  }
  if (perMinute === undefined) return
  const verdict = takeOwnLimit(perMinute, 'own', keyId)
  return verdict instanceof Promise ? verdict.then(requireOwnLimit) : requireOwnLimit(verdict)
}

/** @throws ServiceError `rate_limited` with `Retry-After` when the request is one too many */
export function requireAllowed(verdict: Verdict | undefined): void {
  if (!verdict || verdict.allowed) return
  const seconds = Math.max(1, Math.ceil(verdict.retryAfterMs / 1000))
  throw new ServiceError(
    'rate_limited',
    `More than ${verdict.limit} requests in a minute to this endpoint. Wait ${seconds} s, then go on.`,
    { headers: { 'retry-after': String(seconds) } },
  )
}
