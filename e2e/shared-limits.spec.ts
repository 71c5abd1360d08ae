import { startBridge } from '../lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '../lib/testing/redis/client'
import { expect, test } from './fixtures'
import { countStatuses } from './lead'
import { launch, makeHome, storeVariables } from './running'

test.skip(process.env.PLUMBLINE_WITHOUT_REDIS === '1', 'no Redis was found')

// That two instances count together over a Redis: lib/limits/shared.redis.test.ts, and as processes: instances.spec.ts.
test('without its Redis a server counts for itself and says so; once Redis is back, its counts are the shared ones @slow', async ({
  entry,
}) => {
  test.setTimeout(120_000)
  const bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  const home = await makeHome('pglite', 'stocked')
  // Long enough for a store that answers, on a busy machine, and what the test waits for one that does not.
  const store = { ...storeVariables(bridge), RATE_LIMIT_STORE_TIMEOUT_MS: '3000' }
  const running = await (await launch(entry, home, store)).ready()
  const health = async () => (await fetch(`${running.url}/health`)).json()
  /** Sends twenty requests at once and counts the statuses. */
  const burst = async (path: string) => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(running.url + path)))
    return countStatuses(answers)
  }
  try {
    expect(await burst('/api/v1/projects')).toEqual({ 401: 10, 429: 10 })
    await bridge.setFault('hang')
    expect(await burst('/api/v1/invoices')).toEqual({ 401: 10, 429: 10 })
    expect(await health()).toMatchObject({
      status: 'degraded',
      checks: { limiter: { status: 'degraded', store: 'process' } },
    })
    await bridge.setFault('none')
    await expect.poll(async () => (await health()).checks.limiter.store, { timeout: 30_000 }).toBe('redis')
    expect(await burst('/api/v1/payments')).toEqual({ 401: 10, 429: 10 })
  } finally {
    await running.end()
    await home.remove()
    await bridge.close()
  }
})
