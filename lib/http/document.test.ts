import { expect, test } from 'vitest'
import { collectLog } from '@/lib/testing/log'
import { documentEndpoint, rendered, renderedJson } from './document'
import { routeOf } from './endpoint'

const still = documentEndpoint({ path: '/still', render: () => renderedJson({ a: 1 }) })
const ask = (init: RequestInit = {}, endpoint = still) =>
  routeOf(endpoint.answer).GET(new Request('http://localhost/still', init))

test('a document is cached for five minutes, may be read from any origin, and names its version', async () => {
  const response = await ask()
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('{\n  "a": 1\n}\n')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
    'content-length': '13',
    'content-type': 'application/json; charset=utf-8',
    etag: expect.stringMatching(/^"[\w-]{27}"$/),
    'x-content-type-options': 'nosniff',
  })
  expect(response.headers.get('vary')).toBe('Accept-Encoding')
})

test('If-None-Match with this version is 304 without a body; with another it is 200', async () => {
  const etag = (await ask()).headers.get('etag') ?? ''
  for (const value of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    for (const method of ['GET', 'HEAD']) {
      const response = await ask({ method, headers: { 'if-none-match': value } })
      expect([response.status, await response.text(), response.headers.get('etag')], value).toEqual([304, '', etag])
      expect(response.headers.get('cache-control')).toBe('public, max-age=300')
      expect(response.headers.get('content-type')).toBeNull()
    }
  }
  for (const value of ['"x"', '', etag.slice(0, -1)])
    expect((await ask({ headers: { 'if-none-match': value } })).status, value).toBe(200)
})

test('the ETag depends on content and type', () => {
  expect(rendered('text/plain', 'a').etag).toBe(rendered('text/plain', 'a').etag)
  expect(rendered('text/plain', 'a').etag).not.toBe(rendered('text/html', 'a').etag)
  expect(rendered('text/plain', 'a').etag).not.toBe(rendered('text/plain', 'b').etag)
})

test('HEAD is GET without the body; OPTIONS says what is allowed; the rest is 405, uncached', async () => {
  const head = await ask({ method: 'HEAD' })
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([200, '', '13'])
  const options = await ask({ method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await ask({ method })
    expect([response.status, response.headers.get('allow'), response.headers.get('cache-control')], method).toEqual([
      405,
      'GET, HEAD, OPTIONS',
      'no-store',
    ])
  }
})

test('time-dependent documents are not stored; documents that depend on Accept set Vary', async () => {
  const fault = documentEndpoint({
    path: '/still',
    negotiated: true,
    render: () => rendered('text/plain', 'x', { cacheable: false, headers: { 'content-security-policy': 'x' } }),
  })
  const { headers } = await ask({}, fault)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('vary')).toBe('Accept, Accept-Encoding')
  expect(headers.get('content-security-policy')).toBe('x')
})

test('a document that cannot be built is a 500 that is not stored', async () => {
  const { lines, end } = collectLog()
  const broken = documentEndpoint({
    path: '/still',
    render: () => {
      throw new Error('inner')
    },
  })
  const response = await ask({}, broken)
  end()
  expect(lines()).toMatchObject([{ level: 'error', message: 'inner' }])
  expect([response.status, response.headers.get('cache-control'), response.headers.get('etag')]).toEqual([
    500,
    'no-store',
    null,
  ])
  expect(await response.text()).not.toContain('inner')
})
