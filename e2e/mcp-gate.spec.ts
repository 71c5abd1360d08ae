import { expect, test } from './fixtures'
import { ACCEPT, connect, hello, LIST, type Message, PING, rpcError, send } from './mcp'

const UNAUTHORIZED = { error: 'unauthorized', message: expect.any(String), code: 401 }
const FOREIGN = { origin: 'https://evil.example' }
const big = JSON.stringify({ ...PING, params: { x: 'x'.repeat(1024 * 1024) } })

test('401 is an ErrorResponse, whichever way the key is no good', async ({ service: { url } }) => {
  const malformed = { key: 'plb_live_short' }
  const unknown = { key: `plb_live_${'a'.repeat(46)}` }
  for (const who of [{}, malformed, unknown, { key: '' }])
    for (const message of [{ body: hello() }, { method: 'DELETE' }, { path: '/mcp/rpc', body: LIST }]) {
      const { status, body, headers } = await send(url, { ...who, ...message })
      expect([status, body]).toEqual([401, UNAUTHORIZED])
      expect(headers.get('x-ratelimit-limit')).toBeTruthy()
    }
})

test('what is wrong with a message has a status and a JSON-RPC error of its own', async ({ service: { url, key } }) => {
  const session = await connect(url, key)
  const text = (accept: string) => ({ ...ACCEPT, accept })
  const cases: [title: string, message: Message, status: number, code: number, id?: number][] = [
    ['only JSON accepted', { headers: text('application/json'), body: PING }, 406, -32000],
    ['only streams accepted', { headers: text('text/event-stream'), body: PING }, 406, -32000],
    ['HTML accepted', { headers: text('text/html'), body: hello() }, 406, -32000],
    ['not said to be JSON', { headers: { 'content-type': 'text/plain' }, body: PING }, 415, -32600],
    ['over 1 MB', { body: big }, 413, -32600],
    ['no JSON', { body: '{"jsonrpc":' }, 400, -32700],
    ['a name twice', { body: '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}' }, 400, -32700],
    ['a batch', { body: [PING, LIST] }, 400, -32600],
    ['an empty batch', { body: [] }, 400, -32600],
    ['no jsonrpc', { body: { id: 7, method: 'ping' } }, 400, -32600, 7],
    ['another jsonrpc', { body: { ...PING, jsonrpc: '1.0' } }, 400, -32600, 7],
    ['no method', { body: { jsonrpc: '2.0', id: 7 } }, 400, -32600, 7],
    ['an id that is a list', { body: { ...PING, id: [7] } }, 400, -32600],
    ['params as a list', { body: { ...PING, params: [] } }, 400, -32600, 7],
    ['a version nobody speaks', { headers: { 'mcp-protocol-version': '1999-01-01' }, body: PING }, 400, -32600, 7],
  ]
  for (const [title, { headers, ...message }, status, code, id = null] of cases) {
    const answer = await send(url, { key, ...message, headers: { ...session, ...headers } })
    expect([answer.status, answer.body], title).toEqual([status, rpcError(code, id)])
    if (code === -32600) expect(answer.body.error.message, title).toBe('Invalid Request')
    expect(answer.headers.get('x-ratelimit-remaining'), title).toBeTruthy()
    expect(answer.headers.get('content-type'), title).toContain('application/json')
  }
  expect((await send(url, { key, headers: session, body: PING })).status).toBe(200)
})

test('Origin: none, our own and this machine’s are fine, another and null are 403', async ({
  service: { url, key, running },
}) => {
  const foreign = ['https://evil.example', 'null', 'http://localhost:1', `http://evil.example:${running.port}`]
  for (const origin of [...foreign, `http://localhost.evil.example:${running.port}`, 'file://', ''])
    for (const message of [{ body: hello() }, { method: 'DELETE' }, { path: '/mcp/rpc', body: LIST }]) {
      const { status, body, headers } = await send(url, { key, ...message, headers: { origin } })
      expect([status, body], origin).toEqual([403, rpcError(-32003)])
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  for (const host of ['localhost', '127.0.0.1', 'mcp.localhost'])
    for (const message of [{ body: hello() }, { path: '/mcp/rpc', body: LIST }])
      expect(
        (await send(url, { key, ...message, headers: { origin: `http://${host}:${running.port}` } })).status,
        host,
      ).toBe(200)
  expect((await send(url, { key, body: hello() })).status).toBe(200)
})

test('each check comes before the next: origin, key, Accept, media type, size, JSON, session, protocol', async ({
  service: { url, key },
}) => {
  const steps: [fixed: Message, status: number][] = [
    [{ headers: { ...FOREIGN, accept: 'text/html', 'content-type': 'text/plain' }, body: big }, 403],
    [{ headers: { accept: 'text/html', 'content-type': 'text/plain' }, body: big }, 401],
    [{ key, headers: { accept: 'text/html', 'content-type': 'text/plain' }, body: big }, 406],
    [{ key, headers: { 'content-type': 'text/plain' }, body: big }, 415],
    [{ key, body: big }, 413],
    [{ key, body: '{' }, 400],
    [{ key, headers: { 'mcp-session-id': 'mcp_none', 'mcp-protocol-version': '1999-01-01' }, body: PING }, 404],
    [{ key, headers: { ...(await connect(url, key)), 'mcp-protocol-version': '1999-01-01' }, body: PING }, 400],
  ]
  for (const [message, status] of steps) expect((await send(url, message)).status, JSON.stringify(status)).toBe(status)
})

test('other methods: 405 with Allow, with a key and without; GET wants a key and a session; /mcp/sse is gone', async ({
  service: { url, key },
}) => {
  for (const [who, accept, status] of [
    [{}, 'text/event-stream', 401],
    [{ key }, 'text/event-stream', 400],
    [{ key }, 'application/json', 406],
  ] as const)
    expect((await send(url, { ...who, method: 'GET', headers: { accept } })).status).toBe(status)
  for (const who of [{}, { key }])
    for (const method of ['PUT', 'PATCH']) {
      const { status, headers, body } = await send(url, { ...who, method, headers: { accept: 'text/event-stream' } })
      expect([status, body]).toEqual([405, rpcError(-32600)])
      expect(headers.get('allow')).toMatch(/^POST, GET, DELETE/)
    }
  const rpc = await send(url, { key, method: 'GET', path: '/mcp/rpc' })
  expect([rpc.status, rpc.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  const gone = await send(url, { method: 'GET', path: '/mcp/sse' })
  expect([gone.status, JSON.stringify(gone.body)]).toEqual([410, expect.stringContaining(`${url}/mcp`)])
})

test('/mcp/rpc takes one request without a session, and opens none', async ({ service: { url, key } }) => {
  const rpc = (body: unknown, headers = {}) => send(url, { path: '/mcp/rpc', key, headers, body })
  const listed = await rpc({ ...LIST, params: {} }, { accept: '*/*' })
  expect([listed.status, listed.body.id, listed.headers.get('mcp-session-id')]).toEqual([200, 8, null])
  const call = {
    jsonrpc: '2.0',
    id: 'c',
    method: 'tools/call',
    params: { name: 'list_invoices', arguments: { limit: 2 } },
  }
  const { status, body } = await rpc(call)
  expect([status, body.id, body.result.content[0].type]).toEqual([200, 'c', 'text'])
  expect(await rpc([LIST])).toMatchObject({ status: 400, body: rpcError(-32600) })
  expect(await rpc('{')).toMatchObject({ status: 400, body: rpcError(-32700) })
  expect(await rpc({ jsonrpc: '2.0', method: 'tools/list' })).toMatchObject({ status: 400, body: rpcError(-32600) })
})

test('parameters that are not those of a method are -32602, in words; a message comes back under its own id or not at all', async ({
  service: { url, key },
}) => {
  const session = await connect(url, key)
  const CALL = { jsonrpc: '2.0', id: 7, method: 'tools/call' }
  for (const message of [
    { ...CALL, params: {} },
    { ...CALL, params: { name: 'list_invoices', arguments: [] } },
    { ...CALL, params: { name: 'list_invoices', arguments: 'limit' } },
    { ...CALL, method: 'prompts/get', params: {} },
    { ...CALL, method: 'resources/read', params: {} },
    { ...CALL, method: 'initialize' },
    { ...CALL, method: 'initialize', params: { protocolVersion: 5 } },
  ]) {
    const { body, headers } = await send(url, { key, headers: session, body: message })
    expect(body, JSON.stringify(message)).toMatchObject({ id: 7, error: { code: -32602 } })
    expect(body.error.message).not.toContain('[')
    if (message.method === 'initialize') expect(headers.get('mcp-session-id')).toBeNull()
  }
  // A number this large would be rounded in JSON, and the answer would carry a different id.
  const beyond = '{"jsonrpc":"2.0","id":12345678901234567890,"method":"tools/list"}'
  for (const path of ['/mcp', '/mcp/rpc'])
    expect(await send(url, { path, key, headers: session, body: beyond })).toMatchObject({
      status: 400,
      body: rpcError(-32600),
    })
  // It is valid JSON, so it is not a parse error.
  const both = { ...PING, result: {} }
  expect(await send(url, { key, headers: session, body: both })).toMatchObject({
    status: 400,
    body: rpcError(-32600, 7),
  })
})
