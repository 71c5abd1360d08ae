import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { newKeyText } from '@/lib/auth/keys'
import { ADDRESS_HEADER } from '@/lib/http/address'
import type { Reply } from '@/lib/http/answer'
import { lacksKey } from '@/lib/http/keyless'
import { serviceRequest } from '@/lib/http/request'
import { requestsLogged } from '@/lib/telemetry/request-log'
import { startRequestLog } from '@/lib/telemetry/start'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { refuseWithoutKey } from './key-gate'

vi.hoisted(() => Object.assign(process.env, { REQUEST_LOG_DAYS: '30', RATE_LIMIT_DATA_API: '3', RATE_LIMIT_MCP: '3' }))

const PATHS = [
  '/api/v1/customers',
  '/api/v1/invoices/inv_none',
  '/api/v1/metadata',
  '/api/v1/openapi',
  '/api/webhooks/leads/inbound',
  '/api/webhooks/leads/angi',
  '/api/webhooks/leads/google-ads',
  '/api/webhooks/leads/nobody',
  '/api/webhooks/leads/typeform.nothing',
  `/api/webhooks/leads/typeform.${newKeyText('live')}`,
  '/mcp',
  '/mcp/rpc',
  '/mcp/sse',
  '/mcp/info',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']
const GOOD = newKeyText('live')
const WRONG_SUM = `${GOOD.slice(0, -1)}${GOOD.endsWith('0') ? '1' : '0'}`
const basic = (password: string) => `Basic ${Buffer.from(`us:${password}`).toString('base64')}`
const KEYS: Record<string, Record<string, string>> = {
  none: {},
  malformed: { 'x-api-key': 'x' },
  'with a wrong checksum': { authorization: `Bearer ${WRONG_SUM}` },
  unknown: { 'x-api-key': GOOD },
  'sent twice with different values': { 'x-api-key': GOOD, authorization: `Bearer ${newKeyText('live')}` },
  'as a password': { authorization: basic(GOOD) },
  'malformed as a password': { authorization: basic('x') },
  'from another site’s page': { origin: 'https://evil.example' },
  'from our own page': { origin: 'http://localhost:3000' },
}
const BODY = '{"google_key":"nothing"}'

let db: Database
let calls = 0
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  startRequestLog()
})
afterAll(async () => {
  await requestsLogged()
  await db.close()
})

type Ask = { path: string; method: string; headers: Record<string, string>; address: string }

function requestOf({ path, method, headers, address }: Ask): Request {
  const body = ['POST', 'PUT', 'DELETE'].includes(method) ? { body: BODY } : {}
  const all = { 'content-type': 'application/json', [ADDRESS_HEADER]: address, ...headers }
  return new Request(new URL(path, 'http://localhost'), { method, headers: all, ...body })
}

/** The answer of the handler alone, and of the gate before it. */
const handler = async (ask: Ask) => (await findRoute(ask.path))?.(serviceRequest(requestOf(ask)))
const gated = async (ask: Ask) => {
  const request = serviceRequest(requestOf(ask))
  return lacksKey(request, ask.path) ? await refuseWithoutKey(request, ask.path) : undefined
}

/** An answer without the parts that always differ, such as the request id. */
function same(reply: Reply | undefined) {
  const { 'x-request-id': id = '', 'x-ratelimit-reset': reset, ...headers } = reply?.headers ?? {}
  return {
    status: reply?.status,
    headers,
    body: String(reply?.body).replaceAll(id, 'ID'),
    hasReset: reset !== undefined,
  }
}

const nextAddress = () => `192.0.2.${++calls}`

// This test runs first, because only a few keyless requests per minute get a row in the log.
test('a refusal by the gate is logged as the handler logs it, with the tenant of a key sent in the wrong place', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key()
  const ask = { path: '/api/v1/payments?limit=5', method: 'GET', headers: { authorization: basic(key) } }
  const path = '/api/v1/payments'
  const byGate = await refuseWithoutKey(serviceRequest(requestOf({ ...ask, address: '203.0.113.20' })), path)
  const byHandler = await (await findRoute(path))?.(serviceRequest(requestOf({ ...ask, address: '203.0.113.21' })))
  expect([byGate?.status, byHandler?.status]).toEqual([401, 401])
  await requestsLogged()
  const written = await rows<Record<string, string>>(
    db.orm,
    sql`select method, path, query, endpoint, status, error_code, contractor_id, key_id from request_log
      where host(address::inet) in ('203.0.113.20', '203.0.113.21')`,
  )
  expect(written).toHaveLength(2)
  expect(written[0]).toEqual(written[1])
  expect(written[0]).toMatchObject({ endpoint: 'list_payments', status: 401, contractor_id: tenant.contractor.id })
})

for (const path of PATHS)
  test(`${path}: the answer is the same with and without the gate, for every method and kind of key`, async () => {
    for (const method of METHODS)
      for (const [title, headers] of Object.entries(KEYS)) {
        const alone = await handler({ path, method, headers, address: nextAddress() })
        const ask = { path, method, headers, address: nextAddress() }
        const first = same((await gated(ask)) ?? (await handler(ask)))
        expect(first, `${method} with a key ${title}`).toEqual(same(alone))
        calls %= 250
      }
  })

test.each([
  ['GET', '/api/v1/customers'],
  ['HEAD', '/api/v1/payments/pay_none'],
  ['POST', '/api/webhooks/leads/inbound'],
  ['POST', '/mcp'],
  ['DELETE', '/mcp'],
  ['POST', '/mcp/rpc'],
])(
  '%s %s is refused before its endpoint without a key, with a malformed one and a wrong checksum',
  async (...[method, path]) => {
    for (const title of ['none', 'malformed', 'with a wrong checksum'])
      expect(await gated({ path, method, headers: KEYS[title] ?? {}, address: '203.0.113.1' }), title).toMatchObject({
        status: expect.toSatisfy((status) => [401, 429].includes(status)),
      })
    expect(await gated({ path, method, headers: { 'x-api-key': GOOD }, address: '203.0.113.1' })).toBeUndefined()
  },
)

test('gate and handler count each request once, in the same counter', async () => {
  for (const path of ['/api/v1/projects', '/mcp']) {
    const ask = { path, method: path === '/mcp' ? 'POST' : 'GET', headers: {}, address: '203.0.113.7' }
    const told = []
    for (const way of [gated, handler, gated, handler, gated]) {
      const reply = await way(ask)
      told.push([reply?.status, reply?.headers['x-ratelimit-remaining']])
    }
    expect(told, path).toEqual([
      [401, '2'],
      [401, '1'],
      [401, '0'],
      [429, '0'],
      [429, '0'],
    ])
  }
})
