import { type Bridge, startBridge } from '../lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '../lib/testing/redis/url'
import { expect, test } from './fixtures'
import { type Home, launch, makeHome, type Running, storeVariables } from './running'

test.skip(process.env.PLUMBLINE_WITHOUT_REDIS === '1', 'no Redis was found')

/** Sends twenty requests at once, alternating between the servers, and counts the statuses. */
async function burst(servers: Running[], path: string): Promise<Record<number, number>> {
  const urls = Array.from({ length: 20 }, (_, i) => `${servers[i % servers.length]?.url}${path}`)
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(urls.map((url) => fetch(url)))) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const healthOf = async ({ url }: Running) => (await fetch(`${url}/health`)).json()

const countTogether = async (servers: Running[]) =>
  (await Promise.all(servers.map(healthOf))).every(({ checks }) => checks.limiter.store === 'redis')

async function withServers(
  entry: Parameters<typeof launch>[0],
  run: (servers: Running[], bridge: Bridge) => Promise<void>,
): Promise<void> {
  const bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  // Long enough for a store that answers, on a busy machine, and what the test waits for one that does not.
  const store = { ...storeVariables(bridge), RATE_LIMIT_STORE_TIMEOUT_MS: '3000' }
  const homes: Home[] = []
  const servers: Running[] = []
  try {
    for (let i = 0; i < 2; i++) {
      const home = await makeHome('pglite', 'empty')
      homes.push(home)
      const server = await launch(entry, home, store)
      servers.push(server)
      await server.ready()
    }
    await run(servers, bridge)
  } finally {
    for (const server of servers) await server.end()
    for (const home of homes) await home.remove()
    await bridge.close()
  }
}

test('two instances let ten of twenty through; without their Redis each counts for itself; then together again', async ({
  entry,
}) => {
  test.setTimeout(240_000)
  await withServers(entry, async (servers, bridge) => {
    expect(await burst(servers, '/api/v1/projects')).toEqual({ 401: 10, 429: 10 })
    await bridge.setFault('hang')
    expect(await burst(servers, '/api/v1/invoices')).toEqual({ 401: 20 })
    expect(await burst(servers, '/api/v1/invoices')).toEqual({ 429: 20 })
    for (const server of servers)
      expect(await healthOf(server)).toMatchObject({
        status: 'degraded',
        checks: { limiter: { status: 'degraded', store: 'process' } },
      })
    await bridge.setFault('none')
    await expect.poll(() => countTogether(servers), { timeout: 30_000 }).toBe(true)
    expect(await burst(servers, '/api/v1/payments')).toEqual({ 401: 10, 429: 10 })
  })
})
