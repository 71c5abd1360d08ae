import { type Bridge, startBridge } from '../lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '../lib/testing/redis/url'
import { expect, test } from './fixtures'
import { type Home, launch, makeHome, type Running } from './running'

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

/**
 * Sends a burst while all servers share one count. On a busy machine Redis may be late once, and an instance then counts on its
 * own, as it should. The test then tries another path.
 */
async function burstTogether(servers: Running[], paths: string[]): Promise<Record<number, number>> {
  for (const path of paths) {
    await expect.poll(() => countTogether(servers), { timeout: 30_000 }).toBe(true)
    const counts = await burst(servers, path)
    if (await countTogether(servers)) return counts
  }
  throw new Error('Redis was late at every try')
}

async function withServers(
  entry: Parameters<typeof launch>[0],
  run: (servers: Running[], bridge: Bridge) => Promise<void>,
): Promise<void> {
  const bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  const store = { UPSTASH_REDIS_REST_URL: bridge.url, UPSTASH_REDIS_REST_TOKEN: bridge.token }
  const homes: Home[] = []
  const servers: Running[] = []
  try {
    for (let i = 0; i < 2; i++) {
      const home = await makeHome('pglite')
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
  test.setTimeout(120_000)
  await withServers(entry, async (servers, bridge) => {
    const paths = ['/api/v1/projects', '/api/v1/customers', '/api/v1/projects/x']
    expect(await burstTogether(servers, paths)).toEqual({ 401: 10, 429: 10 })
    await bridge.setFault('hang')
    expect(await burst(servers, '/api/v1/invoices')).toEqual({ 401: 20 })
    expect(await burst(servers, '/api/v1/invoices')).toEqual({ 429: 20 })
    for (const server of servers)
      expect(await healthOf(server)).toMatchObject({
        status: 'degraded',
        checks: { limiter: { status: 'degraded', store: 'process' } },
      })
    await bridge.setFault('none')
    const others = ['/api/v1/payments', '/api/v1/customers/x', '/api/v1/payments/x']
    expect(await burstTogether(servers, others)).toEqual({ 401: 10, 429: 10 })
  })
})
