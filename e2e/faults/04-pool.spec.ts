import { expect, test } from '@playwright/test'
import { makeContractor } from '../fixtures'
import { ANA, post, UNLIMITED } from '../lead'
import { hello, send } from '../mcp'
import { launch } from '../running'
import { needsOwnPostgres, OwnPostgres, report, timed } from './own-postgres'

const CLIENTS = 200
const ROUNDS = 5

test.beforeEach(needsOwnPostgres)

test('200 clients on a pool of 10, reading and writing within transactions and without: all are answered, nothing is stuck', async () => {
  const postgres = await OwnPostgres.start()
  const home = await postgres.makeHome()
  const { key, leadKey } = await makeContractor(home, 'Pool')
  const limits = { ...UNLIMITED, RATE_LIMIT_MCP: '1000000', DATABASE_POOL_SIZE: '10' }
  const running = await launch('server', home, limits)
  try {
    await running.ready()
    const { url } = running
    const faults: number[] = []
    const times: number[] = []
    const keep = async (work: () => Promise<{ status: number }>) => {
      const { value, ms } = await timed(work)
      times.push(ms)
      if (value.status >= 500) faults.push(value.status)
    }
    const client = async (i: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        await keep(() => post(url, leadKey, { ...ANA, externalId: `pool-${i}-${round}` }))
        await keep(() => fetch(`${url}/api/v1/projects?limit=100`, { headers: { 'x-api-key': key } }))
        await keep(() => send(url, { key, body: hello() }))
        await keep(() => post(url, leadKey, { firstName: 'Bo' }))
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: CLIENTS }, (_, i) => client(i)))
    const seconds = (performance.now() - began) / 1000
    const [row] = await postgres.ask(`select
      (select sum(deadlocks)::int from pg_stat_database) as deadlocks,
      (select count(*)::int from pg_stat_activity where state like 'idle in transaction%' or wait_event_type = 'Lock') as stuck,
      (select count(*)::int from projects) as projects`)
    if (faults.length === 0) expect(row?.projects).toBe(CLIENTS * ROUNDS)
    expect((await post(url, leadKey, { ...ANA, externalId: 'pool-0-0' })).status).toBe(200)
    report(
      4,
      `200 clients on a pool of 10, ${times.length} requests in ${seconds.toFixed(1)} s, the slowest in ${Math.round(Math.max(...times))} ms`,
      [
        { what: 'answered', value: times.length, exactly: CLIENTS * ROUNDS * 4 },
        // A slow machine may delay some of them. If clients waited for each other, most would be late.
        { what: 'answered with 5xx', value: faults.length, bound: times.length / 20 },
        { what: 'deadlocks', value: Number(row?.deadlocks), exactly: 0 },
        { what: 'connections stuck', value: Number(row?.stuck), exactly: 0 },
      ],
    )
  } finally {
    await running.end()
    await postgres.remove()
    await home.remove()
  }
})
