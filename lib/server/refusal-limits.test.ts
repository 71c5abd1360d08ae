import { afterAll, expect, test, vi } from 'vitest'

vi.hoisted(() => Object.assign(process.env, { DATA_API_HOST: 'api.example.com', PORTAL_HOST: 'app.example.com' }))

import { request } from 'node:http'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { findRoute } from '@/lib/testing/answer-of'
import { BODIES } from './bodies'
import { createPlumblineServer } from './service-handler'

const server = createPlumblineServer(findRoute, (_request, response) => response.end(), env())
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
