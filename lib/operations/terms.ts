import type { KeyActor } from '@/lib/auth/actor'
import { isWithin } from '@/lib/auth/address-ranges'
import { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import { type Later, takeOwnLimit } from '@/lib/limits/limiter'
import { rateLimited } from '@/lib/limits/refusal'
import type { Verdict } from '@/lib/limits/window'

/** Told of the state of the key's own limit. */
export type TellOwnLimit = (verdict: Verdict) => void

function requireOwnLimit(verdict: Verdict, tell: TellOwnLimit | undefined): void {
  tell?.(verdict)
  if (verdict.allowed) return
  tally('limit refusals', 'own')
  throw rateLimited(verdict, 'requests in a minute with this key, its own limit')
}

/**
 * Holds a key to what it was issued with: the addresses it may be used from, and its own limit over everything.
 * @param address where the request comes from
 * @returns nothing, or what to wait for where requests are counted elsewhere
 * @throws ServiceError `forbidden` from elsewhere, `rate_limited` beyond the limit
 */
export function requireTerms(
  { keyId, allowed, perMinute }: KeyActor,
  address: string,
  tell?: TellOwnLimit,
): Later<void> {
  if (allowed && !isWithin(address, allowed))
    throw new ServiceError(
      'forbidden',
      `This key may not be used from ${address}. Ask your administrator to add the address to those it is allowed from.`,
    )
  if (perMinute === undefined) return
  const verdict = takeOwnLimit(perMinute, 'own', keyId)
  return verdict instanceof Promise
    ? verdict.then((known) => requireOwnLimit(known, tell))
    : requireOwnLimit(verdict, tell)
}
