import { expect, test } from '@playwright/test'
import { type Bridge, type Fault, startBridge } from '../../lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '../../lib/testing/redis/client'
import { makeContractor } from '../fixtures'
import { launch, makeHome, type Running } from '../running'
import { median, msUntil, report, timed } from './own-postgres'

const LIMIT = 10
const ONCE_MS = 300
const AFTER_MS = 5
const BACK_MS = 30_000
const FAULTS: [string, Fault][] = [
  ['refused', 'refuse'],
  ['hung', 'hang'],
  ['slow', { slowMs: 2_000 }],
  ['wrong password', 'deny'],
  ['garbage', 'garbage'],
  ['nonsense', 'nonsense'],
]

let addresses = 0
/** Returns an address that has not sent anything yet. */
const newAddress = () => `198.18.${addresses >> 8}.${addresses++ & 255}`

type Scene = { running: Running; bridge: Bridge; key: string }

async function ask({ running, key }: Scene, address = newAddress()) {
  const { value, ms } = await timed(async () => {
    const answer = await fetch(`${running.url}/api/v1/customers?limit=1`, {
      headers: { 'x-api-key': key, 'x-forwarded-for': address },
    })
    await answer.text()
    return answer
  })
  return { status: value.status, headers: value.headers, ms }
}

/** Sends requests one after another, each from another address, and returns their durations. None may fail. */
async function quiet(scene: Scene, count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const { status, ms } = await ask(scene)
    expect(status).toBe(200)
    times.push(ms)
  }
  return times
}

/** Sends requests from one address up to the limit and one beyond it, and checks the headers. */
async function requireExact(scene: Scene): Promise<number> {
  const address = newAddress()
  let allowed = 0
  for (let i = 0; i <= LIMIT; i++) {
    const { status, headers } = await ask(scene, address)
    if (status === 200) allowed++
    expect(status).toBe(i < LIMIT ? 200 : 429)
    expect(headers.get('x-ratelimit-limit')).toBe(String(LIMIT))
    expect(headers.get('x-ratelimit-remaining')).toBe(String(Math.max(0, LIMIT - 1 - i)))
    const inSeconds = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1000
    expect(inSeconds).toBeGreaterThan(0)
    expect(inSeconds).toBeLessThanOrEqual(61)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  return allowed
}

const isShared = async ({ running }: Scene) =>
  (await (await fetch(`${running.url}/health`)).json()).checks.limiter.store === 'redis'

async function withRedis(run: (scene: Scene) => Promise<void>): Promise<void> {
  const bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  const home = await makeHome('pglite')
  const { key } = await makeContractor(home, 'Limits')
  const store = { UPSTASH_REDIS_REST_URL: bridge.url, UPSTASH_REDIS_REST_TOKEN: bridge.token, TRUSTED_PROXY_HOPS: '1' }
  const running = await launch('server', home, store)
  try {
    await running.ready()
    await run({ running, bridge, key })
  } finally {
    await running.end()
    await home.remove()
    await bridge.close()
  }
}

test.beforeEach(() => test.skip(process.env.PLUMBLINE_WITHOUT_REDIS === '1', 'no Redis was found'))

test('a Redis that fails costs one wait and no error; limits stay exact here, and it is used again when it is back', async () => {
  await withRedis(async (scene) => {
    await quiet(scene, 100)
    for (const [what, fault] of FAULTS) {
      await msUntil(() => isShared(scene))
      const before = median(await quiet(scene, 50))
      await scene.bridge.setFault(fault)
      const [first = Number.NaN] = await quiet(scene, 1)
      const after = median(await quiet(scene, 50))
      const allowed = await requireExact(scene)
      expect(await isShared(scene)).toBe(false)
      await scene.bridge.setFault('none')
      const back = await msUntil(() => isShared(scene))
      report(5, `Redis ${what}`, [
        { what: 'added once', value: Math.max(0, first - before), unit: 'ms', bound: ONCE_MS },
        { what: 'after', value: Math.max(0, after - before), unit: 'ms', bound: AFTER_MS },
        { what: 'let in', value: allowed, unit: `of ${LIMIT + 1}`, exactly: LIMIT },
        { what: 'back after', value: back, unit: 'ms', bound: BACK_MS },
      ])
    }
  })
})

test('a Redis that lost everything: no error, no wait, counted from zero there', async () => {
  await withRedis(async (scene) => {
    // On a busy machine Redis may be late once, which is a different fault, so the test starts over.
    const measure = async () => {
      await msUntil(() => isShared(scene))
      const before = median(await quiet(scene, 50))
      await scene.bridge.flush()
      const [first = Number.NaN] = await quiet(scene, 1)
      const after = median(await quiet(scene, 50))
      const allowed = await requireExact(scene)
      return { once: first - before, after: after - before, allowed, isShared: await isShared(scene) }
    }
    let measured = await measure()
    for (let i = 0; i < 3 && !measured.isShared; i++) measured = await measure()
    expect(measured.isShared).toBe(true)
    report(5, 'Redis flushed', [
      { what: 'added once', value: Math.max(0, measured.once), unit: 'ms', bound: ONCE_MS },
      { what: 'after', value: Math.max(0, measured.after), unit: 'ms', bound: AFTER_MS },
      { what: 'let in', value: measured.allowed, unit: `of ${LIMIT + 1}`, exactly: LIMIT },
    ])
  })
})
