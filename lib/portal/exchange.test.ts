import { afterEach, expect, test, vi } from 'vitest'
import { curlOf } from './curl'
import { type Exchange, limitOf, Recorder } from './exchange'
import { explain } from './explain'
import { indented, pretty, visible } from './json'
import { keyFault } from './key'

const KEY = `plb_test_${'a'.repeat(46)}`
const exchange: Exchange = {
  method: 'POST',
  url: 'https://mcp.example.com/mcp',
  requestHeaders: { 'x-api-key': KEY, 'content-type': 'application/json', 'content-length': '12' },
  requestBody: `{"method":"tools/call","params":{"note":"it's $HOME"}}`,
  status: 200,
  statusText: 'OK',
  headers: { 'x-request-id': 'req_1' },
  body: '{}',
  ms: 12.3,
}

afterEach(() => vi.unstubAllGlobals())

test('curlOf: the original request, with the key as a variable and nothing that the shell would run', () => {
  expect(curlOf(exchange, KEY)).toBe(
    [
      `curl -X POST 'https://mcp.example.com/mcp'`,
      `-H "x-api-key: $PLUMBLINE_KEY"`,
      `-H 'content-type: application/json'`,
      `-d '{"method":"tools/call","params":{"note":"it'\\''s $HOME"}}'`,
    ].join(' \\\n  '),
  )
})

test('limitOf: reads the headers; undefined when one is missing', () => {
  const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795242108' }
  expect(limitOf(headers)).toEqual({ limit: 100, remaining: 0, resetAt: new Date(1_795_242_108_000) })
  expect(limitOf({ 'x-ratelimit-limit': '100' })).toBeUndefined()
})

test('Recorder: keeps the request and response, returns the response, and opens no stream', async () => {
  const sent = vi.fn(async () => new Response('{"ok":1}', { headers: { 'X-RateLimit-Limit': '9' } }))
  vi.stubGlobal('fetch', sent)
  const recorder = new Recorder()
  const init = { method: 'POST', headers: { 'X-API-Key': KEY }, body: '{"method":"tools/call"}' }
  expect(await (await recorder.fetch('https://x.example/mcp', init)).json()).toEqual({ ok: 1 })
  expect(recorder.last('tools/call')).toMatchObject({
    requestHeaders: { 'x-api-key': KEY },
    headers: { 'x-ratelimit-limit': '9' },
    body: '{"ok":1}',
  })
  expect(recorder.last('tools/list')).toBeUndefined()
  expect((await recorder.fetch('https://x.example/mcp')).status).toBe(405)
  expect(sent).toHaveBeenCalledTimes(1)
})

test('Recorder: a request without a response leaves no response behind', async () => {
  const sent = vi.fn(async () => new Response('{}'))
  vi.stubGlobal('fetch', sent)
  const recorder = new Recorder()
  await recorder.fetch('https://x.example/mcp', { method: 'POST' })
  sent.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  await expect(recorder.fetch('https://x.example/mcp', { method: 'POST' })).rejects.toThrow()
  expect(recorder.last()).toBeUndefined()
})

test.each([
  [401, {}, '{"error":"No.","code":"unauthorized"}', 'The key was not accepted.'],
  [403, {}, '{}', 'The server refused this.'],
  [404, { 'mcp-session-id': 's' }, '{}', 'The session has ended.'],
  [404, {}, '<html>', 'There is no MCP server at this address.'],
  [429, {}, '{"error":"Wait."}', 'Too many requests.'],
  [500, {}, '', 'The server failed.'],
  [200, {}, '{"error":{"code":-32602,"message":"No such tool"}}', 'The server refused the arguments.'],
  [200, {}, '{"error":{"code":-32601,"message":"No"}}', 'The server does not know this method.'],
  [400, {}, '{"error":{"code":-32600,"message":"Invalid"}}', 'The server refused the request.'],
])('explain: %d %j %s', (status, requestHeaders, body, what) => {
  expect(explain({ ...exchange, status, requestHeaders, body }, new Error('as the client words it'))).toMatchObject({
    what,
    requestId: 'req_1',
  })
})

test('explain: says how long to wait, what the server said, and that a protocol mode is not supported', () => {
  const limited = {
    ...exchange,
    status: 429,
    headers: { 'retry-after': '7' },
    body: '{"error":"rate_limited","message":"More than 100."}',
  }
  expect(explain(limited, undefined)).toMatchObject({ next: 'Wait 7 s, then try again.', said: 'More than 100.' })
  const reason = '{"error":{"code":-32600,"message":"Invalid Request","data":{"reason":"Send both headers."}}}'
  expect(explain({ ...exchange, status: 400, body: reason }, undefined).said).toBe(
    'Invalid Request: Send both headers.',
  )
  expect(explain({ ...exchange, status: 400 }, undefined, 'stateless').next).toBe('Choose sessions and connect again.')
  expect(explain(undefined, new TypeError('Failed to fetch')).what).toBe('The server could not be reached.')
})

test('visible, pretty: invisible characters are escaped; line breaks and tabs stay', () => {
  expect(visible('a\u202eb\u0007\n\tc\u001b[31m')).toBe('a\\u202eb\\u0007\n\tc\\u001b[31m')
  expect(pretty({ a: '\u202e' })).toBe('{\n  "a": "\\u202e"\n}')
})

test('indented: indents as JSON.stringify does, but keeps every number as written', () => {
  const value = { a: [1, [], {}, { b: 'x{,:"\\' }], c: null, d: { e: true } }
  expect(indented(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  expect(indented('{"amount":907.20, "big":12345678901234567890}')).toBe(
    '{\n  "amount": 907.20,\n  "big": 12345678901234567890\n}',
  )
  expect(indented('<html>')).toBe('<html>')
})

test('keyFault: explains why a text cannot be a key before it is sent', () => {
  expect(keyFault(KEY)).toBeUndefined()
  expect(keyFault('')).toMatch(/^Paste a key/)
  expect(keyFault('sk-123')).toMatch(/begins with plb_live_/)
  expect(keyFault('plb_live_1')).toMatch(/this has 10/)
})
