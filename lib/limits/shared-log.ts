import { createHmac } from 'node:crypto'
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { Redis } from '@upstash/redis'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { WINDOW_MS } from './policies'
import { SLIDING_LOG } from './sliding-log'
import type { Taken } from './window'

/** Where the shared log is, what subjects are hashed with (on all instances the same), and how long a request waits for it. */
export type SharedStore = { url: string; token: string; secret: string; patienceMs: number }

/** Counts one request in the shared log. @throws when the store does not answer, or not as it should */
export type TakeShared = (limit: number, endpoint: string, subject: string) => Promise<Taken>

/** The product and the form of what is kept under the key; another form takes another number. */
const PREFIX = 'plumbline:limits:1'
/** Own limits of keys are whatever administrators choose; those not used for long are made anew. */
const LIMITS_KEPT = 1_000

/** What the script answers, so that an answer of anything else is a fault and never a verdict. */
const answerOf = (limit: number) =>
  z.tuple([z.literal([0, 1]), z.int().min(0).max(limit), z.int().min(0).max(WINDOW_MS)])

function open({ url, token, patienceMs }: SharedStore): Redis {
  return new Redis({
    url,
    token,
    // `retry: false` would try twice. A signal that is no function would answer an aborted call with a made-up result.
    retry: { retries: 0 },
    // It only frees the socket: whoever waited has gone on long before.
    signal: () => AbortSignal.timeout(2 * patienceMs),
    enableAutoPipelining: true,
    enableTelemetry: false,
    readYourWrites: false,
    latencyLogging: false,
  })
}

/** A log of the allowed requests in Redis, as an algorithm of the library; see docs/decisions/020-shared-limits.md. */
function slidingLog(redis: Redis, limit: number): RatelimitConfig['limiter'] {
  const script = redis.createScript<unknown>(SLIDING_LOG)
  const Answer = answerOf(limit)
  const ask = async (key: string, mode: 'take' | 'look') => {
    const [allowed, remaining, freeInMs] = Answer.parse(
      await script.exec([key], [String(limit), String(WINDOW_MS), mode]),
    )
    return { success: allowed === 1, limit, remaining, reset: Date.now() + freeInMs, pending: Promise.resolve() }
  }
  return () => ({
    limit: (_, key) => ask(key, 'take'),
    getRemaining: (_, key) => ask(key, 'look'),
    resetTokens: async (_, key) => void (await redis.del(key)),
  })
}

/**
 * Opens the shared log; nothing is sent before something is counted. Subjects (addresses, e-mail addresses, ids) leave this
 * process only as a keyed hash: the store may be somebody else's, and an unkeyed hash of an address is found by trying them all.
 */
export function openSharedLog(store: SharedStore): TakeShared {
  const redis = open(store)
  const limits = new LRUCache<number, Ratelimit>({ max: LIMITS_KEPT })
  const limiterOf = (limit: number): Ratelimit => {
    const known = limits.get(limit)
    if (known) return known
    const made = new Ratelimit({
      redis,
      limiter: slidingLog(redis, limit),
      prefix: PREFIX,
      // The circuit has the patience; the library's own time-out would let everything through.
      timeout: 0,
      ephemeralCache: false,
      analytics: false,
      enableTelemetry: false,
    })
    limits.set(limit, made)
    return made
  }
  return async (limit, endpoint, subject) => {
    const hash = createHmac('sha256', store.secret).update(subject).digest('base64url').slice(0, 22)
    const { success, remaining, reset } = await limiterOf(limit).limit(`${endpoint.replaceAll(' ', '-')}:${hash}`)
    return { allowed: success, remaining, freeInMs: reset - Date.now() }
  }
}
