import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Bridge, startBridge } from '@/lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '@/lib/testing/redis/client'
import { Limiter } from './limiter'
import { openSharedLog } from './shared-log'
import { SlidingWindow } from './window'

let bridge: Bridge
beforeAll(async () => {
  bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
})
afterAll(() => bridge.close())

const secret = 'one for all instances'
// The count must not depend on how busy the machine is.
const storeOf = ({ url, token }: Bridge) => ({ url, token, secret, patienceMs: 20_000 })
const newSubject = () => randomBytes(8).toString('hex')
const keysOf = async (endpoint: string) => {
  const keys = await bridge.redis.send('KEYS', `${bridge.prefix}*:${endpoint}:*`)
  return Array.isArray(keys) ? keys.map(String) : []
}

test('two instances together allow ten of twenty concurrent requests, each slot once', async () => {
  const limiters = [new Limiter(storeOf(bridge)), new Limiter(storeOf(bridge))]
  const subject = newSubject()
  const verdicts = await Promise.all(
    Array.from({ length: 20 }, (_, i) => limiters[i % 2]?.take(10, 'list_invoices', subject)),
  )
  const allowed = verdicts.filter((verdict) => verdict?.allowed)
  expect(allowed.map((verdict) => verdict?.remaining).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const refused of verdicts.filter((verdict) => !verdict?.allowed)) {
    expect(refused).toMatchObject({ limit: 10, remaining: 0 })
    expect(refused?.retryAfterMs).toBeGreaterThan(55_000)
    expect(refused?.retryAfterMs).toBeLessThanOrEqual(60_000)
    expect(refused?.resetAt).toBeGreaterThan(Date.now() + 50_000)
    expect(refused?.resetAt).toBeLessThanOrEqual(Date.now() + 60_000)
  }
  for (const { store } of limiters) expect(store).toEqual({ status: 'ok', store: 'redis' })
})

test('an allowed request gets the same limit headers as in one process', async () => {
  const subject = newSubject()
  const shared = await new Limiter(storeOf(bridge)).take(10, 'list_invoices', subject)
  const alone = new Limiter(undefined).takeHere(10, 'list_invoices', subject)
  expect({ ...shared, resetAt: 0 }).toEqual({ ...alone, resetAt: 0 })
  expect(Math.abs(shared.resetAt - alone.resetAt)).toBeLessThan(5_000)
})

/** Advances time for the only log of an endpoint by shortening its time to live, which is its clock. */
async function pass(endpoint: string, ms: number): Promise<void> {
  for (const key of await keysOf(endpoint)) {
    const left = Number(await bridge.redis.send('PTTL', key)) - ms
    await (left > 0 ? bridge.redis.send('PEXPIRE', key, left) : bridge.redis.send('DEL', key))
  }
}

test('no window exceeds the limit, wherever it starts, even when the limit changes or one costs several places: same results as in one process', {
  retry: 0,
}, async () => {
  const take = openSharedLog(storeOf(bridge))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 4 })), { maxLength: 25 }),
      async (steps) => {
        const model = new SlidingWindow()
        const endpoint = `walk-${newSubject()}`
        let now = 0
        for (const [seconds, limit, asked] of steps) {
          const cost = Math.min(asked, limit)
          now += seconds * 1000
          await pass(endpoint, seconds * 1000)
          const { freeInMs, ...verdict } = await take(limit, endpoint, 'walker', cost)
          const { freeInMs: expected, ...modeled } = model.take(now, limit, 60_000, cost)
          expect(verdict).toEqual(modeled)
          // Time passes while the test runs, so slightly less may be left.
          expect(Math.abs(freeInMs - expected)).toBeLessThan(1_000)
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('limits of different sizes are separate, and a lowered one applies at once', async () => {
  const limiter = new Limiter(storeOf(bridge))
  const subject = newSubject()
  for (let i = 0; i < 5; i++) expect(await limiter.take(5, 'own', subject)).toMatchObject({ allowed: true, limit: 5 })
  expect(await limiter.take(5, 'own', subject)).toMatchObject({ allowed: false, remaining: 0 })
  expect(await limiter.take(3, 'own', subject)).toMatchObject({ allowed: false, limit: 3, remaining: 0 })
  expect(await limiter.take(7, 'own', subject)).toMatchObject({ allowed: true, limit: 7, remaining: 1 })
  expect(await limiter.take(5, 'other', subject)).toMatchObject({ allowed: true, remaining: 4 })
})

test('a log has no more entries than the limit, expires with the window, and does not reveal its subject', async () => {
  const take = openSharedLog(storeOf(bridge))
  const endpoint = `kept-${newSubject()}`
  for (let i = 0; i < 30; i++) await take(4, endpoint, '203.0.113.7')
  const [key = '', ...more] = await keysOf(endpoint)
  expect(more).toEqual([])
  expect(key).toMatch(new RegExp(`^${bridge.prefix}plumbline:limits:1:${endpoint}:[\\w-]{22}$`))
  expect(await bridge.redis.send('LLEN', key)).toBe(4)
  expect(await bridge.redis.send('PTTL', key)).toBeLessThanOrEqual(60_000)
  await openSharedLog({ ...storeOf(bridge), secret: 'another' })(4, endpoint, '203.0.113.7')
  expect(await keysOf(endpoint)).toHaveLength(2)
})

test('repeated refused requests do not query the store again, unless the limit was raised', async () => {
  const limiter = new Limiter(storeOf(bridge))
  const subject = newSubject()
  for (let i = 0; i < 3; i++) await limiter.take(2, 'knocking', subject)
  const asked = bridge.asked()
  for (let i = 0; i < 50; i++)
    expect(await limiter.take(2, 'knocking', subject)).toMatchObject({ allowed: false, limit: 2 })
  expect(bridge.asked()).toBe(asked)
  expect(await limiter.take(3, 'knocking', subject)).toMatchObject({ allowed: true, remaining: 0 })
})

test('a check is one request, and concurrent checks share one', async () => {
  const limiter = new Limiter(storeOf(bridge))
  await limiter.take(100, 'warm', newSubject())
  const asked = bridge.asked()
  await limiter.take(100, 'alone', newSubject())
  expect(bridge.asked()).toBe(asked + 1)
  await Promise.all(Array.from({ length: 50 }, () => limiter.take(100, 'crowd', newSubject())))
  expect(bridge.asked()).toBe(asked + 2)
})

test('a Redis that lost its data counts from zero, without an error', async () => {
  const own = await startBridge({ redisUrl: TEST_REDIS_URL })
  const limiter = new Limiter(storeOf(own))
  try {
    expect(await limiter.take(2, 'flushed', 'x')).toMatchObject({ allowed: true, remaining: 1 })
    await own.flush()
    for (const remaining of [1, 0])
      expect(await limiter.take(2, 'flushed', 'x')).toMatchObject({ allowed: true, remaining })
    expect(await limiter.take(2, 'flushed', 'x')).toMatchObject({ allowed: false })
    expect(limiter.store).toEqual({ status: 'ok', store: 'redis' })
  } finally {
    await own.close()
  }
})

test('instances with clocks hours or a day apart, or running backward, differ only in the reset time they report', async () => {
  const subject = newSubject()
  const real = Date.now()
  let allowed = 0
  try {
    for (const hours of [0, 2, -2, 24, -24, 0]) {
      vi.spyOn(Date, 'now').mockReturnValue(real + hours * 3_600_000)
      const limiter = new Limiter(storeOf(bridge))
      for (let i = 0; i < 3; i++) {
        const verdict = await limiter.take(10, 'skewed', subject)
        if (verdict.allowed) allowed++
        expect(verdict.resetAt - Date.now()).toBeGreaterThan(50_000)
        expect(verdict.resetAt - Date.now()).toBeLessThanOrEqual(60_000)
      }
    }
  } finally {
    vi.restoreAllMocks()
  }
  expect(allowed).toBe(10)
})
