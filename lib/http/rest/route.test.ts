import { expect, test } from 'vitest'
import * as z from 'zod'
import { env } from '@/lib/core/env'
import { defineOperation } from '@/lib/operations/define'
import { collectLog } from '@/lib/testing/log'
import { toResponse } from '../answer'
import { serviceRequest } from '../request'
import { route, unknownPath } from './route'

const described = {
  name: 'sample',
  title: 'Sample',
  description: 'For this test.',
  access: 'public',
  effect: 'read',
  input: z.object({}),
  output: z.object({ shown: z.string() }),
  example: { shown: 'x' },
  http: { method: 'GET', path: '/sample', at: 'root' },
  deprecation: {
    since: new Date('2026-01-01T00:00:00Z'),
    sunset: new Date('2027-01-01T00:00:00Z'),
    link: 'https://example.com/notes',
  },
} as const
const sample = defineOperation({ ...described, run: async () => ({ shown: 'yes', hidden: 'do-not-leak' }) })

test('every response of a deprecated operation has Deprecation and Sunset (RFC 9745, RFC 8594)', async () => {
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const { headers } = await route(sample).GET(new Request('http://localhost/sample', { method }))
    expect(headers.get('deprecation')).toBe('@1767225600')
    expect(headers.get('sunset')).toBe('Fri, 01 Jan 2027 00:00:00 GMT')
    expect(headers.get('link')).toBe('<https://example.com/notes>; rel="deprecation"; type="text/html"')
  }
})

test('only named fields are returned', async () => {
  const response = await route(sample).GET(new Request('http://localhost/sample'))
  expect(await response.json()).toEqual({ shown: 'yes' })
})

test('an internal error reveals only its request id', async () => {
  const failing = route(
    defineOperation({
      ...described,
      run: async () => {
        throw new Error('select secret from table')
      },
    }),
  )
  const { lines, end } = collectLog()
  const response = await failing.GET(new Request('http://localhost/sample'))
  end()
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(text).not.toContain('secret')
  expect(lines()).toMatchObject([{ level: 'error', requestId: JSON.parse(text).requestId, error: { class: 'Error' } }])
})

test('HEAD is GET without the body; other methods are 405 with Allow', async () => {
  const head = await route(sample).GET(new Request('http://localhost/sample', { method: 'HEAD' }))
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
    200,
    '',
    String('{"shown":"yes"}'.length),
  ])
  const post = await route(sample).GET(new Request('http://localhost/sample', { method: 'POST' }))
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('an unknown API path is a JSON 404', async () => {
  const response = toResponse(await unknownPath(serviceRequest(new Request('http://localhost/api/v1/nothing'))))
  expect([response.status, (await response.json()).code]).toEqual([404, 'not_found'])
})

test('requests for unknown paths are counted: each 404 has the limit headers, and the one over the limit is 429', async () => {
  const headers = { 'x-plumbline-address': '192.0.2.1' }
  const statuses: number[] = []
  for (let i = 0; i <= env().limits.dataApi; i++) {
    const request = serviceRequest(new Request(`http://localhost/api/v1/nothing-${i}`, { headers }))
    const response = toResponse(await unknownPath(request))
    expect(response.headers.get('x-ratelimit-remaining')).toBe(String(Math.max(0, env().limits.dataApi - i - 1)))
    statuses.push(response.status)
  }
  expect(statuses).toEqual([...Array.from({ length: env().limits.dataApi }, () => 404), 429])
})
