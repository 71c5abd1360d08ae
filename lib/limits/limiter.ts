import { LRUCache } from 'lru-cache'
import { env } from '@/lib/core/env'
import { processWide } from '@/lib/core/shared'
import { POLICIES, type PolicyName, WINDOW_MS } from './policies'
import { RequestLog, type Verdict } from './window'

/** Subjects remembered at once. Beyond that the least recently seen is forgotten: memory is bounded, about 30 MB. */
const MAX_SUBJECTS = 100_000

const logs = processWide('limits', () => new LRUCache<string, RequestLog>({ max: MAX_SUBJECTS }))

/** Where requests are counted, for the health answer: in this process, which cannot fail without it. */
export const limitStore = (): 'process' => 'process'

/**
 * Counts one request of a subject at an endpoint against a policy, in this process. Counting follows the monotonic clock, so a
 * wall clock that jumps changes nothing; only `resetAt` is told in wall time.
 */
export const takeLimit = (policy: PolicyName, endpoint: string, subject: string): Verdict =>
  takeOwnLimit(POLICIES[policy].rate(env()), endpoint, subject)

/** The same for a limit of the subject's own, in requests per minute. */
export function takeOwnLimit(limit: number, endpoint: string, subject: string): Verdict {
  const key = `${endpoint} ${subject}`
  let log = logs().get(key)
  if (!log) {
    log = new RequestLog()
    logs().set(key, log)
  }
  const { allowed, remaining, freeInMs } = log.take(performance.now(), limit, WINDOW_MS)
  return { allowed, limit, remaining, resetAt: Date.now() + freeInMs, retryAfterMs: allowed ? 0 : freeInMs }
}
