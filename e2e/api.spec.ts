import { readFileSync } from 'node:fs'
import { RESOURCE_NAMES } from '../lib/core/resource-names'
import { expect, get, test } from './fixtures'
import { sendRaw } from './raw'

test('all lists carry what was loaded', async ({ service }) => {
  for (const resource of RESOURCE_NAMES) {
    const lines = readFileSync(`db/demo/lakeshore-electric/${resource}.csv`, 'utf8').trim().split(/\r?\n/).slice(1)
    const wanted = resource === 'payments' ? lines.filter((line) => line.endsWith(',payment')) : lines
    const ids = new Set<string>()
    let token: string | null = ''
    while (token !== null) {
      const { status, body } = await get(
        service,
        `/api/v1/${resource}?limit=100${token === '' ? '' : `&pageToken=${token}`}`,
      )
      expect(status).toBe(200)
      for (const { id } of body.items) ids.add(id)
      token = body.nextPageToken
    }
    expect(ids.size, resource).toBe(wanted.length)
  }
})

const STATUSES = {
  invoices: ['paid', 'overdue', 'current', 'future'],
  estimates: ['draft', 'sent', 'accepted', 'declined', 'expired'],
}
for (const [resource, statuses] of Object.entries(STATUSES))
  test(`${resource} of every status are there`, async ({ service }) => {
    for (const status of statuses) {
      const { body } = await get(service, `/api/v1/${resource}?status=${status}&limit=5`)
      expect(body.items.length, status).toBeGreaterThan(0)
    }
  })

test('root-relative paths on the data API host, the same with a prefix elsewhere', async ({ service }) => {
  const list = (host: string, path: string) =>
    sendRaw(
      service.running.port,
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nx-api-key: ${service.key}\r\nConnection: close\r\n\r\n`,
    )
  for (const [host, path] of [
    ['api.localhost', '/customers?limit=1'],
    ['API.localhost.:80', '/api/v1/customers?limit=1'],
    ['localhost', '/customers?limit=1'],
    ['localhost', '/api/v1/customers?limit=1'],
  ] as const) {
    const { status, body } = await list(host, path)
    expect(status, `${host}${path}`).toBe(200)
    expect(body).toContain('"apiVersion":"v1"')
  }
  expect((await list('mcp.localhost', '/api/v1/customers')).status).toBe(421)
  expect((await list('mcp.localhost', '/health')).status).toBe(200)
  expect((await list('mcp.localhost', '/api/v1/openapi')).status).toBe(200)
  expect(await list('api.localhost', '/nothing')).toMatchObject({
    status: 404,
    headers: { 'content-type': 'application/json; charset=utf-8' },
  })
})

test('the API description needs no key and may be read from any origin; data may not', async ({ service }) => {
  const description = await fetch(`${service.url}/api/v1/openapi`, { headers: { origin: 'https://example.org' } })
  expect(description.status).toBe(200)
  expect(description.headers.get('access-control-allow-origin')).toBe('*')
  expect(await description.json()).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: `http://localhost:${service.running.port}/api/v1` }],
  })
  expect(await (await fetch(`${service.url}/api/v1/openapi?version=3.0`)).json()).toMatchObject({ openapi: '3.0.3' })
  expect((await fetch(`${service.url}/api/v1/openapi?version=2`)).status).toBe(400)
  const data = await get(service, '/api/v1/customers', { headers: { origin: 'https://example.org' } })
  expect(data.headers.get('access-control-allow-origin')).toBeNull()
})

const SECURITY = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'content-type': 'application/json; charset=utf-8',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

type Case = {
  title: string
  method?: string
  path: string
  headers?: Record<string, string>
  keyless?: true
  status: number
  code?: string
  allow?: string
}
const TABLE: Case[] = [
  { title: 'a list', path: '/api/v1/invoices?limit=2', status: 200 },
  { title: 'a list by HEAD', method: 'HEAD', path: '/api/v1/invoices?limit=2', status: 200 },
  { title: 'no key', path: '/api/v1/invoices', keyless: true, status: 401, code: 'unauthorized' },
  {
    title: 'a malformed key',
    path: '/api/v1/invoices',
    keyless: true,
    headers: { 'x-api-key': 'x' },
    status: 401,
    code: 'unauthorized',
  },
  { title: 'a bad parameter', path: '/api/v1/invoices?limit=0', status: 400, code: 'bad_request' },
  {
    title: 'bad percent-encoding in a parameter',
    path: '/api/v1/invoices?status=%ff',
    status: 400,
    code: 'bad_request',
  },
  { title: 'an absent record', path: '/api/v1/invoices/inv_none', status: 404, code: 'not_found' },
  { title: 'an id with bytes in it', path: '/api/v1/invoices/%00%ff', status: 404, code: 'not_found' },
  { title: 'an unknown path', path: '/api/v1/nothing', status: 404, code: 'not_found' },
  { title: 'an unknown path deeper', path: '/api/x/y/z', status: 404, code: 'not_found' },
  {
    title: 'POST to a list',
    method: 'POST',
    path: '/api/v1/invoices',
    status: 405,
    code: 'method_not_allowed',
    allow: 'GET, HEAD, OPTIONS',
  },
  {
    title: 'DELETE of a record',
    method: 'DELETE',
    path: '/api/v1/invoices/inv_1',
    status: 405,
    code: 'method_not_allowed',
    allow: 'GET, HEAD, OPTIONS',
  },
  {
    title: 'a method override',
    method: 'POST',
    path: '/api/v1/invoices',
    headers: { 'x-http-method-override': 'GET' },
    status: 405,
    code: 'method_not_allowed',
    allow: 'GET, HEAD, OPTIONS',
  },
  { title: 'a slash too many', path: '/api/v1/invoices/', status: 404, code: 'not_found' },
  { title: 'capitals', path: '/API/v1/invoices', status: 404, code: 'not_found' },
  { title: 'a dot segment in disguise', path: '/api/v1/%2e%2e/v1/invoices', status: 404, code: 'not_found' },
  { title: 'a slash in disguise', path: '/api/v1%2finvoices', status: 404, code: 'not_found' },
  { title: 'a semicolon', path: '/api/v1/invoices;a=b', status: 404, code: 'not_found' },
  { title: 'another suffix', path: '/api/v1/invoices.rsc', status: 404, code: 'not_found' },
  ...[
    'x-middleware-subrequest',
    'x-middleware-rewrite',
    'x-middleware-next',
    'x-invoke-path',
    'x-matched-path',
    'rsc',
    'next-action',
    'x-nextjs-data',
  ].map((name) => ({
    title: `a forged ${name} without a key`,
    path: '/api/v1/invoices',
    keyless: true as const,
    headers: {
      [name]: name === 'x-middleware-subrequest' ? 'middleware:middleware:middleware:middleware:middleware' : '1',
    },
    status: 401,
    code: 'unauthorized',
  })),
]

for (const { title, method = 'GET', path, headers = {}, keyless, status, code, allow } of TABLE) {
  test(`${title}: ${method} ${path} is ${status}`, async ({ service }) => {
    const lines = Object.entries({
      host: 'localhost',
      connection: 'close',
      ...(keyless ? {} : { 'x-api-key': service.key }),
      ...headers,
    })
    const bytes = `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
    const answer = await sendRaw(service.running.port, bytes)
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject(SECURITY)
    expect(answer.headers['x-powered-by']).toBeUndefined()
    expect(answer.headers['x-request-id']).toMatch(/^req_/)
    if (allow) expect(answer.headers.allow).toBe(allow)
    if (code) expect(answer.body).toContain(`"code":"${code}"`)
    if (method === 'HEAD') expect(answer.body).toBe('')
    if (path.startsWith('/api/v1/invoices?') || path === '/api/v1/invoices')
      expect(Number(answer.headers['x-ratelimit-limit'])).toBe(1_000_000)
  })
}

test('doubled slashes never yield data', async ({ service }) => {
  for (const path of [
    '//api/v1/invoices',
    '/api//v1/invoices',
    '/_next/data/x/api/v1/invoices.json',
    '/%61pi/v1/invoices',
  ]) {
    const answer = await sendRaw(
      service.running.port,
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
    )
    expect([308, 400, 401, 404], path).toContain(answer.status)
    expect(answer.body).not.toContain('"items"')
  }
})
