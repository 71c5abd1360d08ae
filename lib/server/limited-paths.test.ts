import { afterAll, expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { DATA_API_HOST: 'api.example.com', PORTAL_HOST: 'app.example.com' }))

import { request } from 'node:http'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { httpEndpoints } from '@/lib/http/rest/endpoints'
import { servedPath } from '@/lib/http/rest/served'
import { isServed } from '@/lib/operations/define'
import { operations } from '@/lib/operations/registry'
import { BODIES } from './bodies'
import { KEYED_PATHS } from './keyed-paths'
import { OPEN_LIMITED_PATHS } from './limited-paths'
import { createPlumblineServer } from './node-server'

const server = createPlumblineServer(httpEndpoints, (_request, response) => response.end(), env())
const port = listenOnFreePort(server)
afterAll(() => server.closeAllConnections())

type Asked = { host?: string; method?: string; headers?: Record<string, string> }

async function ask(path: string, { host = 'api.example.com', method = 'GET', headers = {} }: Asked = {}) {
  const options = { port: await port, host: '127.0.0.1', path, method, headers: { host, ...headers } }
  return await new Promise<{ status?: number | undefined; remaining?: unknown; policy?: unknown }>((done, fail) => {
    const asked = request(options, (answer) => {
      answer.resume()
      const { 'x-ratelimit-remaining': remaining, 'ratelimit-policy': policy } = answer.headers
      done({ status: answer.statusCode, remaining, policy })
    })
    asked.on('error', fail).end()
  })
}

test.each([
  ['421, another host', '/api/v1/invoices', { host: 'app.example.com' }, 421],
  ['413, a body beyond the cap', '/estimates', { headers: { 'content-length': String(BODIES.maxBytes + 1) } }, 413],
  ['OPTIONS', '/payments', { method: 'OPTIONS' }, 204],
  ['OPTIONS of a public one', '/openapi', { method: 'OPTIONS' }, 204],
  ['405', '/metadata', { method: 'DELETE' }, 405],
  ['401', '/changes', {}, 401],
] as const)('%s: the answer shows the limit, and the request counts', async (_, path, asked, status) => {
  const policy = '"data-api";q=10;w=60'
  expect(await ask(path, asked)).toEqual({ status, remaining: '9', policy })
  expect(await ask(path, asked)).toEqual({ status, remaining: '8', policy })
})

test('every limited operation with a route is known before its endpoint is reached', () => {
  const known = new Map([...KEYED_PATHS, ...OPEN_LIMITED_PATHS].map(({ path, limit }) => [path, limit as string]))
  for (const operation of Object.values(operations).filter(isServed))
    if (operation.limit) expect(known.get(servedPath(operation)), operation.name).toBe(operation.limit)
})
