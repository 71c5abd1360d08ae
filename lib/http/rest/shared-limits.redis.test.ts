import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { createKey } from '@/lib/auth/manage-keys'
import { countPassword } from '@/lib/auth/people/attempts'
import { shared } from '@/lib/core/shared'
import { Limiter } from '@/lib/limits/limiter'
import { openTestDatabase } from '@/lib/testing/database'
import { type Bridge, startBridge } from '@/lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '@/lib/testing/redis/client'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
let bridge: Bridge
beforeAll(async () => {
  bridge = await startBridge({ redisUrl: TEST_REDIS_URL })
  const { url, token } = bridge
  // The process's own limiter, with a timeout long enough for a busy machine.
  shared<Limiter>('limiter', () => new Limiter({ url, token, secret: 's', patienceMs: 20_000 }))()
  process.env.RATE_LIMIT_LEADS = '5'
  process.env.RATE_LIMIT_RAG = '2'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(async () => {
  await bridge.close()
  await db.close()
})

const json = { 'content-type': 'application/json' }
const limiter = async () => (await call('/health')).body.checks.limiter
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()
const tenKeys = ['200', '429'].flatMap((status) => Array(10).fill(Number(status)))

test('a valid key: ten of twenty concurrent requests pass, with limit headers on every response', async () => {
  const { text: key } = await (await makeTenant(db)).key(['read:projects'])
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => call('/api/v1/projects', { key, address: '203.0.113.1' })),
  )
  expect(statuses(answers)).toEqual(tenKeys)
  for (const { status, headers } of answers) {
    expect(headers.get('x-ratelimit-limit')).toBe('10')
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000)
    expect(Number(headers.get('x-ratelimit-reset'))).toBeLessThanOrEqual(Date.now() / 1000 + 61)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  }
  expect(await limiter()).toEqual({ status: 'ok', store: 'redis' })
})

test('the address limit is checked before the key: ten 401s, then 429, over REST, leads and MCP', async () => {
  const ping = { method: 'POST', headers: json, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }
  for (const [path, limit, options] of [
    ['/api/v1/projects', 10, {}],
    ['/api/webhooks/leads/inbound', 5, { method: 'POST', headers: json, body: '{}' }],
    ['/mcp/rpc', 100, ping],
  ] as const) {
    const ask = () => call(path, { ...options, key: 'plb_live_guessed', address: '203.0.113.2' })
    const answers = []
    for (let i = 0; i < limit + 1; i++) answers.push(await ask())
    expect(answers.map(({ status }) => status)).toEqual([...Array(limit).fill(401), 429])
    for (const [i, { headers }] of answers.entries())
      expect(headers.get('x-ratelimit-remaining')).toBe(String(Math.max(0, limit - 1 - i)))
  }
})

test('limits per key, a key’s own limit, and limits per contractor apply across all processes that share the store', async () => {
  const tenant = await makeTenant(db)
  const lead = {
    firstName: 'Ana',
    lastName: 'Ruiz',
    phone: '(615) 555-0142',
    leadSource: 'Referral',
    externalId: 'x-1',
  }
  const { text: sender } = await tenant.key(['write:leads'])
  const sent = Array.from({ length: 7 }, () =>
    call('/api/webhooks/leads/inbound', { method: 'POST', headers: json, body: JSON.stringify(lead), key: sender }),
  )
  expect(statuses(await Promise.all(sent))).toEqual([200, 200, 200, 200, 201, 429, 429])

  const { text: slow } = await createKey(
    db.orm,
    tenant.contractor,
    {
      name: 'slow',
      scopes: ['read:projects'],
      perMinute: 3,
    },
    tenant.operator,
  )
  const read = Array.from({ length: 5 }, () => call('/api/v1/projects', { key: slow }))
  expect(statuses(await Promise.all(read))).toEqual([200, 200, 200, 429, 429])

  const { text: agent } = await tenant.key()
  const params = { name: 'rag.search', arguments: { query: 'roof' } }
  const search = {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  }
  const found = await Promise.all(Array.from({ length: 3 }, () => call('/mcp/rpc', { ...search, key: agent })))
  expect(statuses(found)).toEqual([200, 200, 429])
})

test('sign-in attempts are counted there too', async () => {
  const attempt = () => countPassword({ address: '203.0.113.3', userAgent: '', cookie: '' }, 'Ana@example.com')
  for (let i = 0; i < 10; i++) await attempt()
  await expect(attempt()).rejects.toMatchObject({ code: 'rate_limited' })
  const keys = await bridge.redis.send('KEYS', `${bridge.prefix}*sign-in*`)
  expect(keys).toHaveLength(4)
  expect(JSON.stringify(keys)).not.toMatch(/203\.0\.113|ana@/i)
})

test('when the store is down: no 503, a local 429 at limit + 1, health is `degraded`, and it recovers by itself', async () => {
  const { text: key } = await (await makeTenant(db)).key(['read:projects'])
  await bridge.setFault('refuse')
  const ask = () => call('/api/v1/projects', { key, address: '203.0.113.4' })
  expect(statuses(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(tenKeys)
  expect((await call('/health')).body).toMatchObject({
    status: 'degraded',
    checks: { database: { status: 'ok' }, limiter: { status: 'degraded', store: 'process' } },
  })
  await bridge.setFault('none')
  await vi.waitFor(async () => expect(await limiter()).toEqual({ status: 'ok', store: 'redis' }), {
    timeout: 30_000,
    interval: 100,
  })
  expect((await call('/health')).body.status).toBe('healthy')
})
