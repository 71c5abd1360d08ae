import type { KeyActor } from '@/lib/auth/actor'
import { isWithin } from '@/lib/auth/address-ranges'
import { ServiceError } from '@/lib/core/errors'
import { tally } from '@/lib/core/tally'
import { consumeOwnLimit } from '@/lib/limits/limiter'
import { rateLimited } from '@/lib/limits/policies'
import type { Verdict } from '@/lib/limits/window'

/** Receives the state of the key's own limit. */
export type ReportOwnLimit = (verdict: Verdict) => void

/** Reports whether a key was issued with addresses or a limit of its own. */
export const hasTerms = ({ allowed, perMinute }: KeyActor): boolean => allowed !== undefined || perMinute !== undefined

/**
 * Holds a key to what it was issued with: the addresses it may be used from, and its own limit over everything.
 * @param address where the request comes from
 * @throws ServiceError `forbidden` from elsewhere, `rate_limited` beyond the limit
 */
export async function requireTerms(
  { keyId, allowed, perMinute }: KeyActor,
  address: string,
  tell?: ReportOwnLimit,
): Promise<void> {
  if (allowed && !isWithin(address, allowed))
    throw new ServiceError(
      'forbidden',
      `This key may not be used from ${address}. Ask your administrator to add the address to those it is allowed from.`,
    )
  if (perMinute === undefined) return
  const verdict = await consumeOwnLimit(perMinute, 'own', keyId)
  tell?.(verdict)
  if (verdict.allowed) return
  tally('limit refusals', 'own')
  throw rateLimited(verdict, 'requests in a minute with this key, its own limit')
}
