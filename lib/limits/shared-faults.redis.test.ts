import { expect, test, vi } from 'vitest'
import { type Bridge, type Fault, startBridge } from '@/lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '@/lib/testing/redis/client'
import { Limiter } from './limiter'

const LIMIT = 5
const FAULTS: [string, Fault][] = [
  ['refuses connections', 'refuse'],
  ['hangs', 'hang'],
  ['is slow', { slowMs: 2_000 }],
  ['takes no token', 'deny'],
  ['answers with something else than JSON', 'garbage'],
  ['answers with JSON that is no verdict', 'nonsense'],
]
const DEGRADED = { status: 'degraded', store: 'process' }
const WORKS = { status: 'ok', store: 'redis' }

async function withBridge(run: (bridge: Bridge, limiter: Limiter, causes: unknown[]) => Promise<void>): Promise<void> {
  const bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  const causes: unknown[] = []
  const limiter = new Limiter({ url: bridge.url, token: bridge.token, secret: 's', patienceMs: 250 }, (cause) =>
    causes.push(cause),
  )
  try {
    await run(bridge, limiter, causes)
  } finally {
    await bridge.close()
  }
}

const recovered = (limiter: Limiter) =>
  vi.waitFor(() => expect(limiter.store).toEqual(WORKS), { timeout: 30_000, interval: 100 })

for (const [what, fault] of FAULTS) {
  test.concurrent(`a Redis that ${what}: nobody gets an error, this process counts exactly, and it is used again once it works`, async () => {
    await withBridge(async (bridge, limiter, causes) => {
      await bridge.setFault(fault)
      const verdicts = await Promise.all(Array.from({ length: 20 }, () => limiter.take(LIMIT, 'list_invoices', 'x')))
      expect(verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining)).toEqual([4, 3, 2, 1, 0])
      for (const { limit, resetAt } of verdicts) {
        expect(limit).toBe(LIMIT)
        expect(resetAt).toBeGreaterThan(Date.now() + 50_000)
      }
      expect(limiter.store).toEqual(DEGRADED)
      expect(causes).toHaveLength(1)
      // While the circuit is open, nothing is sent.
      const asked = bridge.asked()
      for (let i = 0; i < LIMIT; i++) expect(await limiter.take(LIMIT, 'other', 'x')).toMatchObject({ allowed: true })
      expect(await limiter.take(LIMIT, 'other', 'x')).toMatchObject({ allowed: false, remaining: 0 })
      expect(bridge.asked()).toBe(asked)
      await bridge.setFault('none')
      await recovered(limiter)
      expect(await limiter.take(LIMIT, 'third', 'x')).toMatchObject({ allowed: true, remaining: LIMIT - 1 })
      expect(bridge.asked()).toBeGreaterThan(asked)
    })
  })
}

test.concurrent('after an outage begins, counting continues from this process’s own count', async () => {
  await withBridge(async (bridge, limiter) => {
    for (let i = 0; i < 3; i++) await limiter.take(LIMIT, 'list_invoices', 'x')
    await bridge.setFault('hang')
    const allowed: boolean[] = []
    for (let i = 0; i < 3; i++) allowed.push((await limiter.take(LIMIT, 'list_invoices', 'x')).allowed)
    expect(allowed).toEqual([true, true, false])
    expect(limiter.store).toEqual(DEGRADED)
  })
})

test.concurrent('during a long outage the store is retried in the background, and clients see no error', async () => {
  await withBridge(async (bridge, limiter, causes) => {
    await bridge.setFault('garbage')
    await limiter.take(LIMIT, 'list_invoices', 'x')
    const asked = bridge.asked()
    await vi.waitFor(() => expect(bridge.asked()).toBeGreaterThan(asked + 1), { timeout: 20_000, interval: 100 })
    expect(limiter.store).toEqual(DEGRADED)
    expect(await limiter.take(LIMIT, 'list_invoices', 'x')).toMatchObject({ allowed: true })
    expect(causes).toHaveLength(1)
    await bridge.setFault('none')
    await recovered(limiter)
  })
})

test.concurrent('a wrong token from the start counts in this process', async () => {
  await withBridge(async ({ url }) => {
    const limiter = new Limiter({ url, token: 'wrong', secret: 's', patienceMs: 250 })
    const verdicts = []
    for (let i = 0; i < LIMIT + 1; i++) verdicts.push(await limiter.take(LIMIT, 'list_invoices', 'x'))
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, true, true, false])
    expect(limiter.store).toEqual(DEGRADED)
  })
})
