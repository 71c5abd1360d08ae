import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { GET } from '@/app/metrics/route'
import { closeDatabase, type Database, shareDatabase } from '@/db/client'
import { PRESETS } from '@/lib/auth/scopes'
import { routeOf } from '@/lib/http/endpoint'
import { unknownPath } from '@/lib/http/rest/route'
import { openTestDatabase } from '@/lib/testing/database'
import { parseMetrics, sumOf } from '@/lib/testing/prometheus'
import { call, makeTenant } from '@/lib/testing/tenant'
import { startMetrics } from './start'

const TOKEN = vi.hoisted(() => {
  process.env.METRICS_TOKEN = 'a-token-for-these-tests'
  return process.env.METRICS_TOKEN
})

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  await startMetrics()
})
afterAll(() => closeDatabase())

const bearer = (token = TOKEN) => ({ authorization: `Bearer ${token}` })
const unknown = (path: string, method = 'GET') =>
  routeOf(unknownPath).GET(new Request(new URL(path, 'http://localhost'), { method }))
const scrape = async () => parseMetrics((await call('/metrics', { headers: bearer() })).text)

test('GET /metrics: 401 without the token, with a wrong one, and with a longer one; guessing is rate limited', async () => {
  for (const headers of [{}, bearer('a-token-for-these-testz'), bearer(`${TOKEN}x`), { authorization: TOKEN }]) {
    const { status, headers: answered, body } = await call('/metrics', { headers })
    expect([status, answered.get('www-authenticate'), body.code]).toEqual([
      401,
      'Bearer realm="metrics"',
      'unauthorized',
    ])
  }
  const address = '198.51.100.200'
  const statuses = []
  for (let i = 0; i < 11; i++) statuses.push((await call('/metrics', { address, headers: bearer('no') })).status)
  expect(statuses).toEqual([...Array(10).fill(401), 429])
  expect((await call('/metrics', { address, headers: bearer() })).status).toBe(200)
})

test('GET /metrics: valid Prometheus text format; HEAD has no body, POST is 405', async () => {
  const { status, headers, text } = await call('/metrics', { headers: bearer() })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(parseMetrics(text).length).toBeGreaterThan(50)
  expect((await call('/metrics', { method: 'HEAD', headers: bearer() })).text).toBe('')
  expect((await call('/metrics', { method: 'POST', headers: bearer() })).status).toBe(405)
})

test('the route file gives the same answer', async () => {
  const url = 'http://localhost/metrics'
  expect((await GET(new Request(url))).status).toBe(401)
  const response = await GET(new Request(url, { headers: bearer() }))
  expect(parseMetrics(await response.text()).some(({ name }) => name === 'plumbline_build_info')).toBe(true)
})

test('REST, public and MCP requests are counted and timed by operation, method and status class', async () => {
  const { text: key } = await (await makeTenant(db)).key()
  const before = await scrape()
  await call('/api/v1/invoices', { key })
  await call('/api/v1/invoices/inv_none', { key })
  await unknown('/api/v1/nothing-like-this-path')
  await call('/health')
  await call('/mcp/server-info')
  await call('/mcp/rpc', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_invoices', arguments: {} },
    }),
  })
  const after = await scrape()
  const grown = (labels: Record<string, string>, name = 'plumbline_requests_total') =>
    sumOf(after, name, labels) - sumOf(before, name, labels)
  expect(grown({ operation: 'list_invoices', method: 'GET', status: '2xx' })).toBe(1)
  expect(grown({ operation: 'list_invoices', method: 'POST', status: '2xx' })).toBe(1)
  expect(grown({ operation: 'get_invoice', method: 'GET', status: '4xx' })).toBe(1)
  expect(grown({ operation: 'unknown', status: '4xx' })).toBe(1)
  expect(grown({ operation: 'get_health', status: '2xx' })).toBe(1)
  expect(grown({ operation: 'document', status: '2xx' })).toBe(1)
  expect(grown({ operation: 'list_invoices' }, 'plumbline_request_duration_seconds_count')).toBe(2)
  expect(grown({ operation: 'list_invoices', le: '+Inf' }, 'plumbline_request_duration_seconds_bucket')).toBe(2)
})

test('label values never come from a request, so no input creates a series', async () => {
  const { text: key } = await (await makeTenant(db)).key()
  const count = (await scrape()).length
  for (let i = 0; i < 50; i++) {
    await call(`/api/v1/invoices/planted-${i}`, { key, headers: { 'user-agent': `planted-${i}` } })
    await unknown(`/api/v1/planted-${i}?planted=${i}`, `PLANTED${i}`)
    await call('/mcp/rpc', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: i, method: `planted/${i}` }),
    })
  }
  const after = await scrape()
  expect(JSON.stringify(after).toLowerCase()).not.toContain('planted')
  expect(after.length - count).toBeLessThan(60)
})

test('refusals by policy, leads by outcome, sessions, the log’s queue, the pool and the build are reported', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key()
  const { text: leadKey } = await tenant.key(PRESETS['lead-source'].scopes)
  const before = await scrape()
  for (let i = 0; i < 12; i++) await call('/api/v1/customers', { key, address: '198.51.100.7' })
  const post = (body: object) =>
    call('/api/webhooks/leads/inbound', {
      method: 'POST',
      key: leadKey,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const lead = { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', leadSource: 'Google', externalId: 'm-1' }
  for (const body of [lead, lead, { firstName: 'Ana' }]) await post(body)
  const after = await scrape()
  const grown = (name: string, labels: Record<string, string> = {}) =>
    sumOf(after, name, labels) - sumOf(before, name, labels)
  expect(grown('plumbline_limit_refusals_total', { policy: 'dataApi' })).toBe(2)
  for (const outcome of ['created', 'duplicate', 'refused'])
    expect(grown('plumbline_leads_total', { outcome }), outcome).toBe(1)
  expect(sumOf(after, 'plumbline_limiter_store_info', { store: 'process' })).toBe(1)
  expect(sumOf(after, 'plumbline_build_info', { node: process.version })).toBe(1)
  for (const name of ['plumbline_mcp_sessions', 'plumbline_request_log_waiting', 'plumbline_request_log_lost_total'])
    expect(after.find((one) => one.name === name)?.value, name).toBeGreaterThanOrEqual(0)
  const pool = after.filter(({ name }) => name === 'plumbline_database_pool').map(({ labels }) => labels.state)
  expect(pool).toEqual(db.driver === 'pglite' ? [] : ['open', 'idle', 'waiting'])
})

test('the pool is told as it is without the scrape', async (context) => {
  if (db.driver === 'pglite') return context.skip('the embedded database has no pool')
  await db.orm.execute(sql`select 1`)
  const before = db.pool?.()
  expect(before).toMatchObject({ waiting: 0, idle: before?.open })
  const samples = await scrape()
  for (const state of ['open', 'idle', 'waiting'] as const)
    expect(sumOf(samples, 'plumbline_database_pool', { state }), state).toBe(before?.[state])
})
