import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import { makeLogger, replaceLogger } from '@/lib/core/log'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { metricsHolder } from '@/lib/telemetry/metrics'
import { makeMetrics } from '@/lib/telemetry/registry'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_MCP = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const hello = (protocolVersion = '2025-11-25', id: unknown = 0, capabilities: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } },
})

async function agent(scopes: readonly Scope[] = PRESETS.agent.scopes) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(3))
  const { text: secret } = await tenant.key(scopes)
  const post = (message: unknown, headers: Record<string, string> = {}) =>
    call('/mcp', { key: secret, method: 'POST', body: JSON.stringify(message), headers: { ...ACCEPT, ...headers } })
  const { headers } = await post(hello())
  const session = {
    'mcp-session-id': headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': headers.get('mcp-protocol-version') ?? '',
  }
  const ask = async (method: string, params: object = {}) =>
    (await post({ jsonrpc: '2.0', id: 1, method, params }, session)).body
  const askStateless = async (method: string, params: object = {}, more: object = {}) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...more,
    }
    const name = Object(params).name ?? Object(params).uri
    return post(
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
      {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(name === undefined ? {} : { 'mcp-name': name }),
      },
    )
  }
  return { ...tenant, secret, post, session, ask, askStateless }
}

describe('records as resources', () => {
  test('plumbline://projects/{id}: what get_record answers, in both modes', async () => {
    const { ask, askStateless } = await agent()
    const { resourceTemplates } = (await ask('resources/templates/list')).result
    expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual(
      expect.arrayContaining([
        'plumbline://projects/{id}',
        'plumbline://customers/{id}',
        'plumbline://invoices{?status}',
      ]),
    )
    const { items } = (await ask('tools/call', { name: 'list_projects', arguments: {} })).result.structuredContent
    const uri = `plumbline://projects/${items[0].id}`
    const { contents } = (await ask('resources/read', { uri })).result
    expect(contents).toMatchObject([
      { uri, mimeType: 'application/json', _meta: { 'plumbline/untrusted': expect.arrayContaining(['name']) } },
    ])
    const record = await ask('tools/call', { name: 'get_record', arguments: { id: items[0].id } })
    expect(JSON.parse(contents[0].text)).toEqual(record.result.structuredContent)
    expect((await askStateless('resources/read', { uri })).body.result.contents).toEqual(contents)
  })

  test('plumbline://metadata: the document of the operation', async () => {
    const { ask } = await agent()
    const { contents } = (await ask('resources/read', { uri: 'plumbline://metadata' })).result
    expect(JSON.parse(contents[0].text)).toMatchObject({
      apiVersion: 'v1',
      resources: [...RESOURCE_NAMES, 'changes'].map((name) => ({ name })),
    })
  })

  test('plumbline://invoices?status=: what list_invoices answers', async () => {
    const { ask } = await agent()
    const read = async (uri: string) => JSON.parse((await ask('resources/read', { uri })).result.contents[0].text)
    const { items } = await read('plumbline://invoices?status=overdue')
    expect(items.length).toBeGreaterThan(0)
    for (const { status } of items) expect(status).toBe('overdue')
    expect((await read('plumbline://invoices')).items.length).toBeGreaterThanOrEqual(items.length)
  })

  test('an id that is not there, one of another contractor and one of another kind are unknown alike', async () => {
    const { ask, askStateless } = await agent()
    const other = await agent()
    const { items } = (await other.ask('tools/call', { name: 'list_projects', arguments: {} })).result.structuredContent
    for (const uri of [
      'plumbline://projects/prj_01k9zq2v6n8m4t5c3b7x1w0jd2',
      `plumbline://projects/${items[0].id}`,
      `plumbline://customers/${items[0].id}`,
    ]) {
      expect((await ask('resources/read', { uri })).error).toMatchObject({ code: -32002, data: { uri } })
      expect((await askStateless('resources/read', { uri })).body.error).toMatchObject({ code: -32602, data: { uri } })
    }
  })

  test('without the scope there is no template, and reading is 403', async () => {
    const { ask, post, session } = await agent(['read:customers'])
    const { resourceTemplates } = (await ask('resources/templates/list')).result
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'plumbline://customers/{id}' }])
    for (const uri of ['plumbline://projects/prj_01k9zq2v6n8m4t5c3b7x1w0jd2', 'plumbline://invoices?status=paid']) {
      const { status, body } = await post({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }, session)
      expect([status, body.error.code]).toEqual([403, -32003])
    }
  })
})

describe('completion/complete', () => {
  const template = (uri: string, name: string, value: string) => ({
    ref: { type: 'ref/resource', uri },
    argument: { name, value },
  })

  test('ids by what people know of a record; the first ones where nothing is typed', async () => {
    const { ask, askStateless } = await agent()
    const { items } = (await ask('tools/call', { name: 'list_customers', arguments: {} })).result.structuredContent
    const [first] = items
    const asked = template('plumbline://customers/{id}', 'id', first.name)
    const { completion } = (await ask('completion/complete', asked)).result
    expect(completion).toMatchObject({ hasMore: false, total: completion.values.length })
    expect(completion.values[0]).toBe(first.id)
    expect((await askStateless('completion/complete', asked)).body.result.completion).toEqual(completion)
    const all = (await ask('completion/complete', template('plumbline://customers/{id}', 'id', ''))).result.completion
    expect(all.values).toEqual(items.map(({ id }: { id: string }) => id))
    const prompt = {
      ref: { type: 'ref/prompt', name: 'project_close_out' },
      argument: { name: 'projectId', value: 'Project 1' },
    }
    expect((await ask('completion/complete', prompt)).result.completion.values[0]).toMatch(/^prj_/)
  })

  test('enumerations by their first letters', async () => {
    const { ask } = await agent()
    const values = async (params: object) => (await ask('completion/complete', params)).result.completion.values
    expect(await values(template('plumbline://invoices{?status}', 'status', 'o'))).toEqual(['overdue'])
    expect(await values(template('plumbline://projects{?status}', 'status', ''))).toContain('in_progress')
    const review = { type: 'ref/prompt', name: 'weekly_receivables_review' }
    expect(await values({ ref: review, argument: { name: 'currency', value: 'us' } })).toContain('USD')
    expect(await values({ ref: review, argument: { name: 'asOf', value: '' } })).toHaveLength(4)
  })

  test('what is not there is -32602: a prompt, an argument, a template of a scope the key lacks', async () => {
    const { ask } = await agent(['read:customers'])
    for (const params of [
      { ref: { type: 'ref/prompt', name: 'none' }, argument: { name: 'asOf', value: '' } },
      { ref: { type: 'ref/prompt', name: 'lead_follow_up' }, argument: { name: 'asOf', value: '' } },
      template('plumbline://projects/{id}', 'id', ''),
      template('plumbline://customers/{id}', 'name', ''),
    ])
      expect((await ask('completion/complete', params)).error.code).toBe(-32602)
    const prompt = {
      ref: { type: 'ref/prompt', name: 'project_close_out' },
      argument: { name: 'projectId', value: '' },
    }
    expect((await ask('completion/complete', prompt)).result.completion.values).toEqual([])
  })
})

/** The messages of a stream of events. */
const eventsOf = (text: string) =>
  text.split('\n\n').flatMap((event) => (event === '' ? [] : [JSON.parse(event.replace('event: message\ndata: ', ''))]))

describe('what is told before the answer', () => {
  const CALL = { name: 'list_customers', arguments: { limit: 1 } }

  test('log messages of the level that a session has set, as a stream that ends with the answer; JSON otherwise', async () => {
    const { ask, post, session } = await agent()
    const call = async () => post({ jsonrpc: '2.0', id: 4, method: 'tools/call', params: CALL }, session)
    expect((await call()).headers.get('content-type')).toContain('application/json')
    expect((await ask('logging/setLevel', { level: 'loud' })).error.code).toBe(-32602)
    expect((await ask('logging/setLevel', { level: 'debug' })).result).toEqual({})
    const { status, headers, text } = await call()
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const [told, answer] = eventsOf(text)
    expect(told).toMatchObject({
      method: 'notifications/message',
      params: { level: 'debug', logger: 'list_customers', data: { durationMs: expect.any(Number) } },
    })
    expect(answer).toMatchObject({ id: 4, result: { structuredContent: { items: [expect.anything()] } } })
    expect((await ask('logging/setLevel', { level: 'warning' })).result).toEqual({})
    expect((await call()).headers.get('content-type')).toContain('application/json')
  })

  test('what the stateless revision removed is no method of it: 404, whatever its parameters are', async () => {
    const { askStateless } = await agent()
    for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe']) {
      const { status, body } = await askStateless(method)
      expect([status, body.error.code], method).toEqual([404, -32601])
    }
  })

  test('in the stateless revision a message names its own level', async () => {
    const { askStateless } = await agent()
    const { text } = await askStateless('tools/call', CALL, { 'io.modelcontextprotocol/logLevel': 'debug' })
    expect(eventsOf(text)).toMatchObject([
      { method: 'notifications/message' },
      { id: 1, result: { structuredContent: expect.anything() } },
    ])
    expect((await askStateless('tools/call', CALL)).body.result.structuredContent).toBeDefined()
  })
})

describe('a permit check asks for missing facts', () => {
  const CHECK = {
    name: 'check_permit_requirements',
    arguments: { jurisdiction: 'us-tn-nashville', workTypes: ['fence'] },
  }
  const FORMS = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } } }

  test('where the client shows forms, until nothing is missing, and answers as if all had been given at once', async () => {
    const { askStateless } = await agent()
    const known: Record<string, number | boolean> = {}
    let more: object = {}
    for (let round = 0; round < 8; round++) {
      const { result } = (await askStateless('tools/call', { ...CHECK, ...more }, FORMS)).body
      if (result.resultType !== 'input_required') {
        const plain = { ...CHECK, arguments: { ...CHECK.arguments, facts: known } }
        expect(result.structuredContent).toEqual(
          (await askStateless('tools/call', plain)).body.result.structuredContent,
        )
        expect(result.structuredContent.requirements[0].missing).toEqual([])
        expect(Object.keys(known).length).toBeGreaterThan(0)
        return
      }
      const { method, params } = result.inputRequests.facts
      expect(method).toBe('elicitation/create')
      const fields = Object.entries<{ type: string; title: string }>(params.requestedSchema.properties)
      const content: Record<string, number | boolean> = {}
      for (const [name, { type, title }] of fields) {
        expect(title).toContain('?')
        content[name] = type === 'number' ? 6 : false
      }
      Object.assign(known, content)
      more = { inputResponses: { facts: { action: 'accept', content } }, requestState: result.requestState }
    }
    expect(known).toBe('all that was asked for')
  })

  test('a person who declines, and a client without forms, get the answer that names what is missing', async () => {
    const { ask, askStateless } = await agent()
    const inputResponses = { facts: { action: 'decline' } }
    for (const { result } of [
      (await askStateless('tools/call', { ...CHECK, inputResponses }, FORMS)).body,
      (await askStateless('tools/call', CHECK)).body,
      await ask('tools/call', CHECK),
    ])
      expect(result.structuredContent.requirements[0].missing.length).toBeGreaterThan(0)
  })
})

describe('what is declared is what works', () => {
  test('no list announces changes, and a subscription is told so and ends', async () => {
    const { askStateless, post } = await agent()
    const { capabilities } = (await askStateless('server/discover')).body.result
    for (const one of [capabilities, (await post(hello())).body.result.capabilities]) {
      expect(one).toMatchObject({ completions: {} })
      for (const part of ['tools', 'resources', 'prompts']) expect(one[part].listChanged).toBe(false)
    }
    const { status, headers, text } = await askStateless('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    expect(text).toContain('notifications/subscriptions/acknowledged')
    expect(text).toContain('"resultType":"complete"')
  })

  test('lists may be kept for an hour where the revision lets a server say so', async () => {
    const { ask, askStateless } = await agent()
    for (const method of [
      'server/discover',
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'prompts/list',
    ])
      expect((await askStateless(method)).body.result, method).toMatchObject({
        ttlMs: 3_600_000,
        cacheScope: 'private',
      })
    expect((await ask('tools/list')).result).not.toHaveProperty('ttlMs')
  })

  test('a cursor that a list never gave is -32602', async () => {
    const { ask } = await agent()
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'])
      for (const cursor of ['', 'nope', '5', 'x'.repeat(5000)])
        expect((await ask(method, { cursor })).error, method).toMatchObject({
          code: -32602,
          message: expect.stringContaining('nextCursor'),
        })
  })
})

describe('a session holds what was agreed on', () => {
  test('initialize: 404 for a session that never was, 403 for another key’s, 400 for another version; the same again is fine', async () => {
    const { post, session, key } = await agent()
    const named = { 'mcp-session-id': session['mcp-session-id'] }
    expect((await post(hello(), { 'mcp-session-id': 'mcp_never' })).status).toBe(404)
    const { text: sibling } = await key()
    const headers = { ...ACCEPT, ...named }
    const theirs = await call('/mcp', { key: sibling, method: 'POST', body: JSON.stringify(hello()), headers })
    expect(theirs.status).toBe(403)
    expect((await post(hello('2025-06-18'), named)).status).toBe(400)
    const again = await post(hello(), named)
    expect([again.status, again.headers.get('mcp-session-id')]).toEqual([200, session['mcp-session-id']])
  })

  test('a request with another version than its session’s is 400, also one that we speak', async () => {
    const { post, session } = await agent()
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    for (const version of ['2025-06-18', '1999-01-01']) {
      const { status, body } = await post(message, { ...session, 'mcp-protocol-version': version })
      expect([status, body.error.data.reason]).toEqual([400, expect.stringContaining('2025-11-25')])
    }
  })
})

test('ids: every one that the documents name comes back as it was sent, in both modes', async () => {
  const { post, session, secret } = await agent()
  for (const id of ['', 'a', 0, -7, 1.5, null, Number.MAX_SAFE_INTEGER]) {
    const { status, body } = await post({ jsonrpc: '2.0', id, method: 'ping' }, session)
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id, result: {} }])
    expect((await post(hello('2025-11-25', id))).body).toMatchObject({ id, result: expect.anything() })
    const refused = await post({ jsonrpc: '2.0', id, method: 'tools/call', params: {} }, session)
    expect(refused.body).toMatchObject({ id, error: { code: -32602 } })
  }
  const rpc = async (id: unknown) =>
    call('/mcp/rpc', {
      key: secret,
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list' }),
      headers: ACCEPT,
    })
  expect((await rpc(null)).status).toBe(400)
  for (const id of ['a', 1.5]) expect((await rpc(id)).body).toMatchObject({ id, result: expect.anything() })
})

test('where clients look for OAuth they are told, in JSON, to send a key', async () => {
  for (const method of ['GET', 'POST']) {
    const { status, headers, body } = await call('/mcp/oauth', { method })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([404, '*'])
    expect(body).toMatchObject({ code: 'not_found', error: expect.stringContaining('X-API-Key') })
    expect(body.error_description).toBe(body.error)
  }
})

test('null within an argument is left out, as at the top', async () => {
  const { ask } = await agent()
  const { result } = await ask('tools/call', {
    name: 'check_permit_requirements',
    arguments: { workTypes: ['fence'], jurisdiction: null, facts: { heightFt: 6, historicDistrict: null } },
  })
  expect(result.isError ?? false).toBe(false)
})

test('a fault of ours counts as one, although it leaves with 200: in the metrics, and in the log under the request’s id', async () => {
  const { askStateless } = await agent()
  const metrics = makeMetrics(undefined)
  const holder = metricsHolder()
  const { current: before } = holder
  holder.current = metrics
  const lines: string[] = []
  const restore = replaceLogger(makeLogger('error', { write: (line) => lines.push(line) }))
  shareDatabase({ ...db, run: () => Promise.reject(new Error('the disk is gone')) })
  try {
    const { status, headers, body } = await askStateless('tools/call', { name: 'list_customers', arguments: {} })
    expect([status, body.error]).toEqual([
      200,
      {
        code: -32603,
        message: 'Internal error',
        data: { requestId: headers.get('x-request-id'), reason: expect.any(String) },
      },
    ])
    expect(lines.map((line) => JSON.parse(line).requestId)).toEqual([headers.get('x-request-id')])
    const text = await metrics.registry.getSingleMetricAsString('plumbline_requests_total')
    expect(text).toContain('operation="list_customers",method="POST",status="5xx"')
  } finally {
    shareDatabase(db)
    restore()
    if (before) holder.current = before
    else delete holder.current
  }
})
