import { createHmac } from 'node:crypto'
import { Ratelimit, type RatelimitConfig } from '@upstash/ratelimit'
import { Redis } from '@upstash/redis'
import { LRUCache } from 'lru-cache'
import * as z from 'zod'
import { WINDOW_MS } from './policies'
import type { LogAnswer } from './window'

/**
 * The ring of window.ts as a list in Redis: the moments of the allowed requests of one subject, oldest first.
 *
 * KEYS[1] the list. ARGV: limit, window in ms, how many places to take, all or none; 0 only looks. Returns {1 when allowed, places left, ms
 * until one more is free, or as many as were refused}.
 *
 * The clock is Redis's own: each allowed request sets the list's time to live to the window, so the remaining time tells how long
 * ago the newest was. Clocks of instances do not matter, and every command uses only the key, which the flag of the first line
 * promises: Upstash then locks this key only and not the database.
 */
const SLIDING_LOG = `#!lua flags=allow-key-locking
local key, limit, window, cost = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = 0
local newest = redis.call('LINDEX', key, -1)
if newest then
  local left = redis.call('PTTL', key)
  if left < 0 or left > 2 * window then
    redis.call('DEL', key) -- Redis's clock was set back: nobody can say any more when these were
  else
    now = tonumber(newest) + math.max(0, window - left)
  end
end
local oldest = redis.call('LINDEX', key, 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', key)
  oldest = redis.call('LINDEX', key, 0)
end
local size, allowed
if cost > 0 then
  -- It answers the new length, so that none need be asked for; what was too many is taken off again.
  for _ = 1, cost do
    size = redis.call('RPUSH', key, string.format('%.0f', now))
  end
  allowed = size <= limit and 1 or 0
  if allowed == 1 then
    redis.call('PEXPIRE', key, window)
    oldest = oldest or now
  else
    for _ = 1, cost do
      redis.call('RPOP', key)
    end
    size = size - cost
  end
else
  size = redis.call('LLEN', key)
  allowed = size < limit and 1 or 0
end
local over = size - limit + (allowed == 1 and 0 or math.max(cost, 1) - 1)
if over > 0 then
  oldest = redis.call('LINDEX', key, over)
end
return { allowed, math.max(0, limit - size), oldest and tonumber(oldest) + window - now or 0 }
`

/**
 * The address of the shared log, the secret that subjects are hashed with (the same on all instances), and how long a request
 * waits.
 */
export type SharedStore = { url: string; token: string; secret: string; patienceMs: number }

/** Takes places for one request in the shared log, all or none. @throws when the store does not answer, or answers something unexpected */
export type ConsumeShared = (limit: number, endpoint: string, subject: string, cost?: number) => Promise<LogAnswer>

/** The product and the version of the stored format; a new format takes a new number. */
const PREFIX = 'plumbline:limits:1'
/**
 * Administrators choose keys' own limits freely; limiters that were not used for long are dropped and created again when needed.
 */
const LIMITS_KEPT = 1_000

/** The script's answer; anything else is an error, never a verdict. */
const answerOf = (limit: number) =>
  z.tuple([z.literal([0, 1]), z.int().min(0).max(limit), z.int().min(0).max(WINDOW_MS)])

function open({ url, token, patienceMs }: SharedStore): Redis {
  return new Redis({
    url,
    token,
    // `retry: false` would try twice. A signal that is not a function would answer an aborted call with a made-up result.
    retry: { retries: 0 },
    // This only frees the socket: the caller stopped waiting long before.
    signal: () => AbortSignal.timeout(2 * patienceMs),
    enableAutoPipelining: true,
    enableTelemetry: false,
    readYourWrites: false,
    latencyLogging: false,
  })
}

/** A log of the allowed requests in Redis, as an algorithm of the library; see docs/decisions/003-exact-rate-limits.md. */
function slidingLog(redis: Redis, limit: number): RatelimitConfig['limiter'] {
  const script = redis.createScript<unknown>(SLIDING_LOG)
  const Answer = answerOf(limit)
  const ask = async (key: string, cost: number) => {
    const [allowed, remaining, freeInMs] = Answer.parse(
      await script.exec([key], [String(limit), String(WINDOW_MS), String(cost)]),
    )
    return { success: allowed === 1, limit, remaining, reset: Date.now() + freeInMs, pending: Promise.resolve() }
  }
  return () => ({
    limit: (_, key, cost = 1) => ask(key, cost),
    getRemaining: (_, key) => ask(key, 0),
    resetTokens: async (_, key) => void (await redis.del(key)),
  })
}

/**
 * Opens the shared log without sending anything. Subjects (IP and email addresses, ids) leave this process only as a keyed hash:
 * the store may belong to somebody else, and an unkeyed hash of an address is found by trying them all.
 */
export function openSharedLog(store: SharedStore): ConsumeShared {
  const redis = open(store)
  const limits = new LRUCache<number, Ratelimit>({ max: LIMITS_KEPT })
  const limiterOf = (limit: number): Ratelimit => {
    const known = limits.get(limit)
    if (known) return known
    const made = new Ratelimit({
      redis,
      limiter: slidingLog(redis, limit),
      prefix: PREFIX,
      // The circuit handles timeouts; the library's own timeout would allow everything.
      timeout: 0,
      ephemeralCache: false,
      analytics: false,
      enableTelemetry: false,
    })
    limits.set(limit, made)
    return made
  }
  return async (limit, endpoint, subject, rate = 1) => {
    const hash = createHmac('sha256', store.secret).update(subject).digest('base64url').slice(0, 22)
    const { success, remaining, reset } = await limiterOf(limit).limit(`${endpoint.replaceAll(' ', '-')}:${hash}`, {
      rate,
    })
    return { allowed: success, remaining, freeInMs: reset - Date.now() }
  }
}
