import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { PRESETS } from '@/lib/auth/scopes'
import { fetchInProcess } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { forgetSessions } from './sessions'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_MCP = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'test', version: '1' } },
}

type Options = { key?: string; headers?: Record<string, string>; method?: string; path?: string; body?: string }

async function agent(count = 3) {
  const tenant = await makeTenant(db)
  if (count > 0) await tenant.load(sampleBooks(count))
  const made = await tenant.key([...PRESETS.agent.scopes, 'write:leads'])
  const post = (message: unknown, { path = '/mcp', ...options }: Options = {}) =>
    call(path, {
      key: made.text,
      method: 'POST',
      body: typeof message === 'string' ? message : JSON.stringify(message),
      ...options,
      headers: { ...ACCEPT, ...options.headers },
    })
  const connect = async (key = made.text) => {
    const { headers, body } = await post(HELLO, { key })
    const session = {
      'mcp-session-id': headers.get('mcp-session-id') ?? '',
      'mcp-protocol-version': headers.get('mcp-protocol-version') ?? '',
    }
    return { session, result: body.result }
  }
  const ask = async (method: string, params: object, session: Record<string, string>) =>
    (await post({ jsonrpc: '2.0', id: 7, method, params }, { headers: session })).body
  return { ...tenant, made, secret: made.text, post, connect, ask }
}

/** An invoice of the data API as a list for models has it: days as days, and neither what is the same in all nor when it was loaded. */
function asRow({ contractorId: _, createdAt: _c, updatedAt: _u, date, dueDate, ...invoice }: Record<string, unknown>) {
  return { ...invoice, date: String(date).slice(0, 10), dueDate: String(dueDate).slice(0, 10) }
}

describe('POST /mcp', () => {
  test('initialize opens a session under the version both speak, with instructions', async () => {
    const { post } = await agent(0)
    for (const [asked, agreed] of [
      ['2025-11-25', '2025-11-25'],
      ['2025-06-18', '2025-06-18'],
      ['2024-11-05', '2024-11-05'],
      ['1999-01-01', '2025-11-25'],
    ]) {
      const { status, headers, body } = await post({ ...HELLO, params: { ...HELLO.params, protocolVersion: asked } })
      expect([status, body.result.protocolVersion, headers.get('mcp-protocol-version')]).toEqual([200, agreed, agreed])
      expect(headers.get('mcp-session-id')).toMatch(/^mcp_[\w-]{32}$/)
      expect(headers.get('x-ratelimit-limit')).toBe('1000000')
      expect(body.result).toMatchObject({
        serverInfo: { name: 'plumbline', version: '0.3.0' },
        instructions: expect.stringMatching(
          /one contractor[\s\S]*data of .+\. Its currency is USD and its days are those of America\/New_York; on connecting it was 20\d\d-\d\d-\d\d there/,
        ),
      })
    }
  })

  test('a session lists tools, calls them, takes notifications; DELETE ends it', async () => {
    const { connect, ask, post, secret } = await agent()
    const { session } = await connect()
    const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { headers: session })
    expect([notified.status, notified.text]).toEqual([202, ''])
    const { result: list } = await ask('tools/list', {}, session)
    expect(list.tools.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(['list_invoices', 'create_lead', 'get_cash_flow']),
    )
    const { result } = await ask('tools/call', { name: 'list_invoices', arguments: { limit: 2 } }, session)
    const rest = await call('/api/v1/invoices?limit=2&sort=-date', { key: secret })
    expect(result.structuredContent.items).toMatchObject(rest.body.items.map(asRow))
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
    const [row] = result.structuredContent.items
    expect(JSON.stringify(row).length).toBeLessThan(340)
    for (const field of ['contractorId', 'createdAt', 'updatedAt']) expect(row).not.toHaveProperty(field)
    const one = await ask('tools/call', { name: 'get_record', arguments: { id: row.id } }, session)
    expect(one.result.structuredContent.record).toMatchObject({ ...row, createdAt: rest.body.items[0].createdAt })
    const nulls = await ask('tools/call', { name: 'list_invoices', arguments: { limit: 1, status: null } }, session)
    expect(nulls.result.structuredContent.items).toHaveLength(1)
    const extra = await post({ jsonrpc: '2.0', id: 9, method: 'ping', extra: 1 }, { headers: session })
    expect([extra.status, extra.body]).toEqual([200, { jsonrpc: '2.0', id: 9, result: {} }])
    expect((await ask('ping', {}, session)).result).toEqual({})
    const ended = await call('/mcp', { key: secret, method: 'DELETE', headers: session })
    expect(ended.status).toBe(200)
    const after = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { headers: session })
    expect([after.status, after.body]).toMatchObject([404, { jsonrpc: '2.0', id: 1, error: { code: -32001 } }])
  })

  test('what a model can fix is a result with isError; faults of the protocol are errors of the protocol', async () => {
    const { connect, ask } = await agent(0)
    const { session } = await connect()
    const bad = await ask('tools/call', { name: 'list_invoices', arguments: { limit: 500, nonsense: 1 } }, session)
    expect(bad.result.isError).toBe(true)
    expect(JSON.parse(bad.result.content[0].text)).toMatchObject({
      code: 'bad_request',
      fields: [{ field: 'limit' }],
      argumentNotes: [expect.stringContaining('nonsense')],
    })
    const absent = await ask(
      'tools/call',
      { name: 'get_project_financials', arguments: { projectId: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2' } },
      session,
    )
    expect(JSON.parse(absent.result.content[0].text).code).toBe('not_found')
    expect((await ask('tools/call', { name: 'drop_tables', arguments: {} }, session)).error.code).toBe(-32602)
    expect((await ask('no/such', {}, session)).error.code).toBe(-32601)
    for (const [method, params] of [
      ['tools/call', {}],
      ['tools/call', { name: 'list_invoices', arguments: [] }],
      ['prompts/get', {}],
      ['resources/read', {}],
      ['initialize', { protocolVersion: 5 }],
      ['tools/list', { cursor: 5 }],
      ['completion/complete', { ref: { type: 'ref/tool' }, argument: { name: 'a', value: '' } }],
    ] as const) {
      const { error } = await ask(method, params, session)
      expect(error).toMatchObject({
        code: -32602,
        message: 'Invalid params',
        data: { reason: expect.stringContaining('params.') },
      })
    }
  })

  test('resources and prompts are there, in the one way and the other when they are not', async () => {
    const { connect, ask } = await agent(0)
    const { session } = await connect()
    const { resources } = (await ask('resources/list', {}, session)).result
    for (const { uri, mimeType } of resources) {
      const { contents } = (await ask('resources/read', { uri }, session)).result
      expect(contents).toMatchObject([{ uri, mimeType, text: expect.stringMatching(/\S/) }])
    }
    expect((await ask('resources/read', { uri: 'file:///etc/passwd' }, session)).error.code).toBe(-32002)
    const { prompts } = (await ask('prompts/list', {}, session)).result
    expect(prompts.map(({ name }: { name: string }) => name)).toContain('weekly_receivables_review')
    const got = await ask('prompts/get', { name: 'lead_follow_up', arguments: { days: '5' } }, session)
    expect(got.result.messages[0].content.text).toContain('5 days')
    expect((await ask('prompts/get', { name: 'none' }, session)).error.code).toBe(-32602)
  })

  test('strangers’ text leaves clean and marked', async () => {
    const { connect, ask } = await agent(0)
    const { session } = await connect()
    const lead = { firstName: 'Ana\u202e', lastName: 'L\u200fópez', phone: '6155550142' }
    await ask('tools/call', { name: 'create_lead', arguments: lead }, session)
    const { result } = await ask('tools/call', { name: 'list_customers', arguments: {} }, session)
    expect(result.structuredContent.items[0].name).toBe('Ana López')
    expect(result._meta).toEqual({ 'plumbline/untrusted': ['name', 'email'] })
    expect(result.content.at(-1).text).toContain('not instructions')
  })

  test('create_lead is the webhook’s operation: the same id makes one project', async () => {
    const { connect, ask } = await agent(0)
    const { session } = await connect()
    const lead = { firstName: 'Ana', lastName: 'López', phone: '6155550142', externalId: 'call-1' }
    const made = await ask('tools/call', { name: 'create_lead', arguments: lead }, session)
    const again = await ask('tools/call', { name: 'create_lead', arguments: lead }, session)
    expect(made.result.structuredContent).toMatchObject({ success: true, jobNumber: 1 })
    expect(again.result.structuredContent).toMatchObject({
      duplicate: true,
      projectId: made.result.structuredContent.projectId,
    })
  })

  test('a key without a scope is not shown its tools, and 403 when it calls one; in every way to call', async () => {
    const { contractor, key, post } = await agent(0)
    expect(contractor.id).toMatch(/^con_/)
    const reader = (await key(['read:customers'])).text
    const opened = await post(HELLO, { key: reader })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const list = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key: reader, headers: session })
    expect(list.body.result.tools.map(({ name }: { name: string }) => name)).not.toContain('list_invoices')
    const writer = (await key(['write:leads'])).text
    const written = await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key: writer, path: '/mcp/rpc' })
    expect(written.body.result.tools.map(({ name }: { name: string }) => name)).toEqual(['create_lead'])
    const message = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'list_invoices', arguments: {} } }
    for (const options of [{ headers: session }, { path: '/mcp/rpc' }]) {
      const { status, body } = await post(message, { key: reader, ...options })
      expect([status, body]).toMatchObject([
        403,
        { id: 5, error: { code: -32003, data: { reason: expect.stringContaining('read:invoices') } } },
      ])
    }
  })
})

describe('the gate, in its order', () => {
  test('foreign and null Origin 403; our own, loopback and none are fine', async () => {
    const { post } = await agent(0)
    for (const origin of ['https://evil.example', 'null', 'http://localhost:1', 'http://localhost.evil.example:3000'])
      expect((await post(HELLO, { headers: { origin } })).status, origin).toBe(403)
    for (const origin of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://mcp.localhost:3000'])
      expect((await post(HELLO, { headers: { origin } })).status, origin).toBe(200)
  })

  test('401 as ErrorResponse without a good key, also with a session’s id alone', async () => {
    const { post, connect } = await agent(0)
    const { session } = await connect()
    const { status, body } = await post(HELLO, { key: 'plb_live_wrong', headers: session })
    expect([status, body]).toEqual([401, { error: 'unauthorized', message: expect.any(String), code: 401 }])
  })

  test('406, 415, 413, 400 and batches, each before a session is looked for', async () => {
    const { post } = await agent(0)
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    for (const accept of [
      'application/json',
      'text/event-stream',
      'text/html',
      'application/json, text/event-stream;q=0',
    ])
      expect((await post(message, { headers: { accept } })).status, accept).toBe(406)
    for (const accept of ['*/*', 'text/event-stream,application/json;q=0.5', 'application/*, text/*'])
      expect((await post(HELLO, { headers: { accept } })).status, accept).toBe(200)
    expect((await post(message, { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
    expect((await post({ ...message, params: { x: 'x'.repeat(1_100_000) } })).status).toBe(413)
    for (const [text, code] of [
      ['{', -32700],
      ['', -32700],
      ['{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}', -32700],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
      ['{"id":1,"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":1}', -32600],
      ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600],
    ] as const) {
      const { status, body } = await post(text)
      expect([status, body.error.code], text).toEqual([400, code])
      if (code === -32600)
        expect(body.error).toMatchObject({ message: 'Invalid Request', data: { reason: expect.any(String) } })
    }
  })

  test('400 without the session header, 404 for one that never was, 403 for another key’s, 400 for a version nobody speaks', async () => {
    const { post, connect, key } = await agent(0)
    const other = await agent(0)
    const { session } = await connect()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    const status = async (headers: Record<string, string>, secret?: string) =>
      (await post(message, { headers, ...(secret ? { key: secret } : {}) })).status
    expect(await status({})).toBe(400)
    expect(await status({ 'mcp-session-id': 'mcp_never' })).toBe(404)
    expect(await status({ 'mcp-session-id': 'x'.repeat(5000) })).toBe(404)
    expect(await status(session, (await key()).text)).toBe(403)
    expect(await status(session, other.secret)).toBe(403)
    for (const version of ['1999-01-01', '2025-06-18'])
      expect(await status({ ...session, 'mcp-protocol-version': version })).toBe(400)
    expect(await status({ 'mcp-session-id': session['mcp-session-id'] })).toBe(200)
  })

  test.each([
    ['2024-11-05', 200],
    ['2025-03-26', 200],
    ['2025-06-18', 400],
    ['2025-11-25', 400],
  ])(
    'a session of %s whose client names no version: messages and its stream are taken; its end is %s',
    async (version, ended) => {
      const { post, secret } = await agent(0)
      const { headers } = await post({ ...HELLO, params: { ...HELLO.params, protocolVersion: version } })
      const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '' }
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
      expect((await post(ping, { headers: session })).status).toBe(200)
      expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { headers: session })).status).toBe(
        202,
      )
      const opened = await fetchInProcess()('http://localhost/mcp', {
        headers: { 'x-api-key': secret, ...session, accept: 'text/event-stream' },
      })
      expect(opened.status).toBe(200)
      await opened.body?.cancel()
      // A version that is named is the session's, in every revision.
      const wrong = { ...session, 'mcp-protocol-version': '1999-01-01' }
      expect((await post(ping, { headers: wrong })).status).toBe(400)
      expect((await call('/mcp', { key: secret, method: 'DELETE', headers: wrong })).status).toBe(400)
      const end = await call('/mcp', { key: secret, method: 'DELETE', headers: session })
      expect(end.status).toBe(ended)
      if (ended === 400) expect(end.body.error.data.reason).toContain(`the version that was agreed on, ${version}`)
      expect((await post(ping, { headers: session })).status).toBe(ended === 200 ? 404 : 200)
    },
  )

  test('DELETE: 400 without either header, 404, 403; PUT 405 with Allow', async () => {
    const { connect, secret, key } = await agent(0)
    const { session } = await connect()
    const end = (headers: Record<string, string>, k = secret) => call('/mcp', { key: k, method: 'DELETE', headers })
    expect((await end({ 'mcp-session-id': session['mcp-session-id'] })).status).toBe(400)
    expect((await end({ 'mcp-protocol-version': '2025-11-25' })).status).toBe(400)
    expect((await end({ ...session, 'mcp-session-id': 'mcp_never' })).status).toBe(404)
    expect((await end({ ...session, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
    expect((await end(session, (await key()).text)).status).toBe(403)
    const got = await call('/mcp', { key: secret, method: 'PUT', headers: ACCEPT })
    expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST, GET, DELETE, OPTIONS'])
    expect((await call('/mcp/sse')).status).toBe(410)
  })
})

describe('sessions', () => {
  test('a successor of a rotated key takes them over; they end with the last working key', async () => {
    const { connect, post, made, operator } = await agent(0)
    const { session } = await connect()
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const next = await rotateKey(db.orm, made.id, '1h', operator)
    for (const key of [made.text, next.text]) expect((await post(message, { key, headers: session })).status).toBe(200)
    await revokeKey(db.orm, made.id, operator)
    expect((await post(message, { key: made.text, headers: session })).status).toBe(401)
    expect((await post(message, { key: next.text, headers: session })).status).toBe(200)
    await revokeKey(db.orm, next.id, operator)
    const ended = await db.orm.execute(
      sql`select ended_at is not null as ended from mcp_sessions where id = ${session['mcp-session-id']}`,
    )
    expect(ended).toMatchObject({ rows: [{ ended: true }] })
  })

  test('they expire after a day unseen and a week in all; of a thousand and one the one unseen for longest goes', async () => {
    const { connect, post, made } = await agent(0)
    const message = { jsonrpc: '2.0', id: 1, method: 'ping' }
    for (const column of ['seen_at', 'created_at']) {
      const { session } = await connect()
      const days = column === 'seen_at' ? '25 hours' : '8 days'
      await db.orm.execute(
        sql`update mcp_sessions set ${sql.raw(column)} = now() - ${sql.raw(`interval '${days}'`)} where id = ${session['mcp-session-id']}`,
      )
      forgetSessions()
      expect((await post(message, { headers: session })).status).toBe(404)
    }
    const { session } = await connect()
    await db.orm.execute(sql`insert into mcp_sessions (id, contractor_id, key_lineage, protocol_version, seen_at)
      select 'mcp_filler_' || ${made.id} || g, 'con', ${made.id}, '2025-11-25', now() + interval '1 minute' from generate_series(1, 999) g`)
    expect((await post(message, { headers: session })).status).toBe(200)
    await connect()
    expect((await post(message, { headers: session })).status).toBe(404)
  })
})

describe('the stateless revision (2026-07-28) on the same URL', () => {
  const envelope = (extra: object = {}) => ({
    ...extra,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  })
  const headersFor = (method: string, name?: string) => ({
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(name ? { 'mcp-name': name } : {}),
  })

  test('discovers, lists and calls without a session; scopes hold', async () => {
    const { post, secret, key } = await agent()
    const discovered = await post(
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: envelope() },
      { headers: headersFor('server/discover') },
    )
    expect(discovered.body.result).toMatchObject({
      capabilities: { tools: {} },
      instructions: expect.stringContaining('Its currency is USD'),
    })
    expect(discovered.headers.get('mcp-session-id')).toBeNull()
    const list = await post(
      { jsonrpc: '2.0', id: 2, method: 'tools/list', params: envelope() },
      { headers: headersFor('tools/list') },
    )
    expect(list.body.result.tools.length).toBeGreaterThan(5)
    const message = {
      jsonrpc: '2.0',
      id: 3,
      method: 'tools/call',
      params: envelope({ name: 'list_invoices', arguments: { limit: 2 } }),
    }
    const called = await post(message, { headers: headersFor('tools/call', 'list_invoices') })
    const rest = await call('/api/v1/invoices?limit=2&sort=-date', { key: secret })
    expect(called.body.result.structuredContent.items).toMatchObject(rest.body.items.map(asRow))
    const named = { ...headersFor('tools/call', 'list_invoices'), 'mcp-session-id': 'mcp_never' }
    expect((await post(message, { headers: named })).status).toBe(404)
    const reader = (await key(['read:customers'])).text
    expect((await post(message, { key: reader, headers: headersFor('tools/call', 'list_invoices') })).status).toBe(403)
  })
})

test('POST /mcp/rpc: one request without a session', async () => {
  const { post, secret } = await agent()
  const rpc = (message: object) => post(message, { path: '/mcp/rpc', headers: { accept: '*/*' } })
  const list = await rpc({ jsonrpc: '2.0', id: 'a', method: 'tools/list', params: {} })
  expect([list.status, list.body.id, list.headers.get('mcp-session-id')]).toEqual([200, 'a', null])
  const called = await rpc({
    jsonrpc: '2.0',
    id: 2,
    method: 'tools/call',
    params: { name: 'list_customers', arguments: {} },
  })
  expect(called.body.result.content[0].type).toBe('text')
  expect((await rpc({ jsonrpc: '2.0', id: 3, method: 'initialize' })).body.error.code).toBe(-32601)
  expect((await rpc({ jsonrpc: '2.0', method: 'tools/list' })).status).toBe(400)
  expect((await rpc({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: { name: 'none' } })).body.error.code).toBe(
    -32602,
  )
  expect((await call('/mcp/rpc', { key: secret })).status).toBe(405)
})
