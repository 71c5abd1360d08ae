import { ServiceError } from '@/lib/core/errors'
import type { Verdict } from './window'

/**
 * The refusal of a request over its limit: 429 with `Retry-After`.
 * @param what what was counted: "requests in a minute to this endpoint"
 */
export function rateLimited({ limit, retryAfterMs }: Verdict, what: string): ServiceError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1000))
  return new ServiceError('rate_limited', `More than ${limit} ${what}. Wait ${seconds} s, then go on.`, {
    headers: { 'retry-after': String(seconds) },
  })
}
