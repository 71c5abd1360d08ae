import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { createKey, revokeKey } from '@/lib/auth/manage-keys'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { routeOf } from '@/lib/http/endpoint'
import { unknownPath } from '@/lib/http/rest/route'
import { tools } from '@/lib/mcp/tools'
import { createPlumblineServer } from '@/lib/server/service-handler'
import { findRoute } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { requestsLogged } from './request-log'
import { startRequestLog } from './start'

let db: Database
let base = ''
let stop = () => {}
beforeAll(async () => {
  Object.assign(process.env, { REQUEST_LOG_DAYS: '30', RATE_LIMIT_DATA_API: '6', TRUSTED_PROXY_HOPS: '1' })
  db = await openTestDatabase()
  shareDatabase(db)
  startRequestLog()
  const server = createPlumblineServer(findRoute, (_, response) => response.writeHead(404).end(), env())
  base = `http://127.0.0.1:${await listenOnFreePort(server)}`
  stop = () => server.close()
})
afterAll(async () => {
  stop()
  await requestsLogged()
  await db.close()
})

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** The two ways a request arrives: through a route file, and over a socket. */
const WAYS: Record<string, Send> = {
  'a route file': async (path, init) => {
    const url = new URL(path, 'http://localhost')
    return routeOf((await findRoute(url.pathname)) ?? unknownPath).GET(new Request(url, init))
  },
  'the one-machine server': (path, init) => fetch(base + path, init),
}

let host = 0
/** A different address for each test, so that limits do not interfere. */
const nextAddress = () => `198.51.100.${++host}`

type Row = Record<string, string | number | null>
const rowsOf = async (contractorId: string): Promise<Row[]> => {
  await requestsLogged()
  return await rows<Row>(
    db.orm,
    sql`select 'req_' || id as id, method, path, query, endpoint, mcp_method, status, error_code, key_id, address, user_agent, duration_ms
      from request_log where contractor_id = ${contractorId} order by at, id`,
  )
}
const dump = async () => {
  await requestsLogged()
  const tables = await Promise.all(
    ['request_log', 'request_sums', 'key_addresses'].map((table) =>
      rows<{ row: string }>(db.orm, sql`select row_to_json(t)::text as row from ${sql.identifier(table)} t`),
    ),
  )
  return tables.flatMap((found) => found.map(({ row }) => row)).join('\n')
}

async function caller(send: Send, scopes: readonly Scope[] = [...PRESETS.agent.scopes, 'write:leads']) {
  const tenant = await makeTenant(db)
  const made = await createKey(db.orm, tenant.contractor, { name: 'test', scopes }, tenant.operator)
  const address = nextAddress()
  const ids: (string | null)[] = []
  const ask = async (path: string, { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {}) => {
    const answer = await send(path, {
      ...init,
      headers: { 'x-forwarded-for': address, 'user-agent': 'test/1', 'x-api-key': made.text, ...headers },
    })
    ids.push(answer.headers.get('x-request-id'))
    return answer
  }
  const rpc = (path: string, message: object, headers: Record<string, string> = {}) =>
    ask(path, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    })
  return { ...tenant, made, address, ids, ask, rpc }
}

const HELLO = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const LEAD = { firstName: 'Ana', lastName: 'López', email: 'ana@example.com' }

const CANARY = 'cAnAry7'

/** Sends a value everywhere a value can be sent: parameters, paths, leads, arguments, methods. Each request has its own address, within its limit. */
async function sendCanaries({ ask, rpc }: Awaited<ReturnType<typeof caller>>): Promise<void> {
  const from = () => ({ 'x-forwarded-for': nextAddress() })
  for (const list of RESOURCE_NAMES)
    for (const asked of ['limit', 'updatedAfter', 'contractorId', 'pageToken', 'status', 'customerId', 'include'])
      await ask(`/api/v1/${list}?${asked}=${CANARY}`, { headers: from() })
  await ask(`/api/v1/invoices/${CANARY}`, { headers: from() })
  const headers = { 'content-type': 'application/json' }
  const fields = ['firstName', 'lastName', 'email', 'phone', 'state', 'zipCode', 'notes', 'externalId']
  const bodies = [`${CANARY}\u0000`, [CANARY]].map((value) =>
    JSON.stringify(Object.fromEntries(fields.map((field) => [field, value]))),
  )
  for (const source of ['inbound', 'zapier', CANARY])
    for (const body of [...bodies, `{"firstName": ${CANARY}`])
      await ask(`/api/webhooks/leads/${source}`, { method: 'POST', body, headers })
  const call = (params: object) => rpc('/mcp/rpc', { method: 'tools/call', params })
  for (const { name, inputSchema } of tools) {
    const names = Object.keys(Object(inputSchema).properties ?? {})
    await call({ name, arguments: Object.fromEntries([...names, CANARY].map((field) => [field, CANARY])) })
    await call({ name, arguments: Object.fromEntries(names.map((field) => [field, CANARY])) })
  }
  await call({ name: CANARY })
  await rpc('/mcp/rpc', { method: CANARY })
}

describe.each(Object.entries(WAYS))('by %s', (_, send) => {
  test('each request with a key is logged once: REST, webhook, MCP and misspelled paths', async () => {
    const { ask, rpc, ids, made, contractor, address } = await caller(send)
    await ask('/api/v1/invoices?limit=5&status=overdue&api_key=hush')
    await ask('/api/v1/invoices?limit=500')
    await ask('/api/v1/invoices/inv_none')
    await ask('/api/v1/invoices', { method: 'DELETE' })
    await ask('/api/v1/invoicez')
    await ask('/api/webhooks/leads/inbound', {
      method: 'POST',
      body: JSON.stringify(LEAD),
      headers: { 'content-type': 'application/json' },
    })
    const session = (await rpc('/mcp', HELLO)).headers.get('mcp-session-id') ?? ''
    const headers = { 'mcp-session-id': session }
    await rpc('/mcp', { method: 'tools/call', params: { name: 'list_invoices', arguments: { limit: 1 } } }, headers)
    await rpc('/mcp', { method: 'tools/call', params: { name: 'list_invoices', arguments: { limit: 900 } } }, headers)
    await rpc('/mcp', { method: 'tools/call', params: { name: 'no_such_tool' } }, headers)
    await rpc('/mcp', { method: 'made/up' }, headers)
    await rpc('/mcp/rpc', { method: 'tools/list' })
    await rpc('/mcp', { method: 'tools/list' }, { 'mcp-session-id': 'mcp_none' })
    const found = await rowsOf(contractor.id)
    expect(
      found.map((row) => [row.method, row.path, row.endpoint, row.mcp_method, row.status, row.error_code]),
    ).toEqual([
      ['GET', '/api/v1/invoices', 'list_invoices', null, 200, null],
      ['GET', '/api/v1/invoices', 'list_invoices', null, 400, 'bad_request'],
      ['GET', '/api/v1/invoices/inv_none', 'get_invoice', null, 404, 'not_found'],
      ['DELETE', '/api/v1/invoices', 'list_invoices', null, 405, 'method_not_allowed'],
      ['GET', '/api/v1/invoicez', 'unknown', null, 404, 'not_found'],
      ['POST', '/api/webhooks/leads/inbound', 'create_lead', null, 201, null],
      ['POST', '/mcp', 'initialize', 'initialize', 200, null],
      ['POST', '/mcp', 'list_invoices', 'tools/call', 200, null],
      ['POST', '/mcp', 'list_invoices', 'tools/call', 200, 'bad_request'],
      ['POST', '/mcp', 'tools/call', 'tools/call', 200, 'invalid_params'],
      ['POST', '/mcp', 'other', 'other', 200, 'method_not_found'],
      ['POST', '/mcp/rpc', 'tools/list', 'tools/list', 200, null],
      ['POST', '/mcp', 'tools/list', 'tools/list', 404, 'session_not_found'],
    ])
    expect(found.map(({ id }) => id).sort()).toEqual([...ids].sort())
    for (const row of found) {
      expect(row).toMatchObject({ key_id: made.id, address, user_agent: 'test/1' })
      expect(row.duration_ms).toBeGreaterThan(0)
    }
    expect(found[0]?.query).toBe('limit=5&status=overdue')
  })

  test('a 403 belongs to the key, and so does a 401 with a revoked key; a row without a known key belongs to no contractor', async () => {
    const { ask, ids, made, contractor, address } = await caller(send, ['read:customers'])
    expect((await ask('/api/v1/invoices')).status).toBe(403)
    await revokeKey(db.orm, made.id, operatorFor(contractor.id))
    expect((await ask('/api/v1/customers')).status).toBe(401)
    expect((await ask('/api/v1/customers', { headers: { 'x-api-key': 'plb_live_guess' } })).status).toBe(401)
    expect((await rowsOf(contractor.id)).map(({ status, key_id }) => [status, key_id])).toEqual([
      [403, made.id],
      [401, made.id],
    ])
    const [keyless] = await rows<Row>(
      db.orm,
      sql`select contractor_id, key_id, status, address from request_log where 'req_' || id = ${ids[2] ?? ''}`,
    )
    expect(keyless).toEqual({ contractor_id: null, key_id: null, status: 401, address })
    const [used] = await rows<Row>(
      db.orm,
      sql`select requests::int, used_at < refused_at as ended from key_addresses where key_id = ${made.id}`,
    )
    expect(used).toEqual({ requests: 2, ended: true })
  })

  test('429: at most sixty rows a minute per key, but every request is counted', async () => {
    const { ask, contractor, made } = await caller(send)
    const statuses = []
    for (let i = 0; i < 6 + 70; i++) statuses.push((await ask('/api/v1/payments')).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(70)
    const found = await rowsOf(contractor.id)
    expect(found.filter(({ status }) => status === 429)).toHaveLength(60)
    const sums = await rows<Row>(
      db.orm,
      sql`select status_class, requests, errors, limited from request_sums
        where contractor_id = ${contractor.id} and key_id = ${made.id} order by status_class`,
    )
    expect(sums).toEqual([
      { status_class: 2, requests: 6, errors: 0, limited: 0 },
      { status_class: 4, requests: 70, errors: 70, limited: 70 },
    ])
  })

  test('an error is logged with its message and field names, never with a value that was sent, on every interface', async () => {
    const called = await caller(send)
    await sendCanaries(called)
    await requestsLogged()
    const found = await rows<{ message: string | null; fields: string[] | null; endpoint: string; code: string }>(
      db.orm,
      sql`select error_message as message, error_fields as fields, endpoint, error_code as code from request_log
        where contractor_id = ${called.contractor.id} and error_code is not null`,
    )
    expect(found.length).toBeGreaterThan(40)
    expect(found.filter(({ message }) => !message || message.includes(CANARY))).toEqual([])
    expect(found).toContainEqual(expect.objectContaining({ endpoint: 'list_invoices', fields: ['limit'] }))
    expect(found).toContainEqual(
      expect.objectContaining({ endpoint: 'create_lead', fields: expect.arrayContaining(['email', 'phone']) }),
    )
  })

  test('no secret is in any row, wherever it was put', async () => {
    const { ask, rpc, made } = await caller(send)
    const basic = Buffer.from(`user:${made.text}`).toString('base64')
    const json = { 'content-type': 'application/json' }
    const none = { 'x-api-key': '' }
    const google = JSON.stringify({ google_key: made.text, lead_id: 'l1', user_column_data: [] })
    await ask(`/api/v1/invoices?key=${made.text}&status=${made.text}`)
    await ask(`/api/v1/invoices/${made.text}`, { headers: { authorization: `Bearer ${made.text}` } })
    await ask(`/api/v1/${encodeURIComponent(made.text)}?pageToken=tok-hush`, { headers: { 'user-agent': made.text } })
    await ask('/api/webhooks/leads/google-ads', { method: 'POST', body: google, headers: json })
    await ask('/api/webhooks/leads/zapier', {
      method: 'POST',
      body: JSON.stringify({ ...LEAD, token: 'tok-hush' }),
      headers: { ...json, ...none, authorization: `Basic ${basic}` },
    })
    await rpc('/mcp/rpc', { method: 'tools/call', params: { name: made.text, arguments: { secret: 'tok-hush' } } })
    await rpc('/mcp/rpc', { method: made.text })
    const text = await dump()
    expect(text).toContain('[removed]')
    for (const secret of [made.text, made.text.slice(9), basic, 'tok-hush', 'ana@example.com'])
      expect(text).not.toContain(secret)
  })
})

test('requests without a key get sixty rows a minute in total; a flood of them does not push out rows with a key', async () => {
  const send: Send = (path, init) => (WAYS['a route file'] ?? fetch)(path, init)
  for (let i = 0; i < 100; i++) await send('/api/v1/flood', { headers: { 'x-forwarded-for': nextAddress() } })
  const { ask, contractor } = await caller(send)
  await ask('/api/v1/customers')
  expect(await rowsOf(contractor.id)).toHaveLength(1)
  const [kept] = await rows<{ n: number }>(
    db.orm,
    sql`select count(*)::int as n from request_log where contractor_id is null`,
  )
  expect(kept?.n).toBeLessThanOrEqual(120)
  const [counted] = await rows<{ n: number }>(
    db.orm,
    sql`select sum(requests)::int as n from request_sums where contractor_id = '' and endpoint = 'unknown'`,
  )
  expect(counted?.n).toBeGreaterThanOrEqual(100)
  // Requests that are only counted are merged with similar ones, so they are not attributed to the revoked key.
  const ended = await caller(send)
  await revokeKey(db.orm, ended.made.id, operatorFor(ended.contractor.id))
  await ended.ask('/api/v1/metadata')
  for (let i = 0; i < 5; i++) await send('/api/v1/metadata', { headers: { 'x-forwarded-for': nextAddress() } })
  await requestsLogged()
  const whose = await rows<Row>(
    db.orm,
    sql`select contractor_id, requests from request_sums where endpoint = 'get_metadata' order by contractor_id`,
  )
  expect(whose).toEqual([{ contractor_id: '', requests: 6 }])
})

test('while the database is down requests are answered as usual, and later ones are logged', async () => {
  const { ask, contractor } = await caller((path, init) => (WAYS['a route file'] ?? fetch)(path, init))
  await ask('/api/v1/customers')
  await requestsLogged()
  // Breaks the log's statement only; the answer is not affected.
  await db.orm.execute(sql`alter table request_log rename to request_log_away`)
  try {
    expect((await ask('/api/v1/customers')).status).toBe(200)
    await requestsLogged()
  } finally {
    await db.orm.execute(sql`alter table request_log_away rename to request_log`)
  }
  expect((await ask('/api/v1/customers')).status).toBe(200)
  expect((await rowsOf(contractor.id)).map(({ status }) => status)).toEqual([200, 200])
})
