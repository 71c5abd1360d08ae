import { afterAll, expect, test, vi } from 'vitest'

vi.hoisted(() =>
  Object.assign(process.env, {
    // Nobody answers there: what is asked is refused or told of without a database.
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    BETTER_AUTH_SECRET: 'a-secret-for-tests-of-at-least-32-characters',
    METRICS_TOKEN: 'a-token-for-tests-of-metrics',
    CRON_SECRET: 'a-secret-for-tests-of-schedulers',
    ...Object.fromEntries(
      ['DATA_API', 'EXPORT', 'LEADS', 'MCP', 'OAUTH', 'SIGN_IN', 'PAGES'].map((name) => [`RATE_LIMIT_${name}`, '2']),
    ),
  }),
)

import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { findRoute } from '@/lib/testing/answer-of'
import { forgetRuntime } from '@/lib/testing/runtime'
import { createPlumblineServer } from './service-handler'

/** The most requests of a minute that any path takes here: health checks, ten times as many as documents. */
const MOST = 20

/** Lists each page and route of the application by a path that leads to it, and paths that nothing is at. */
function everyPath(): string[] {
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(^|\/)(page\.tsx|route\.ts)$/.test(name),
  )
  const paths = files.map((name) => {
    const segments = name
      .split('/')
      .slice(0, -1)
      .filter((segment) => !segment.startsWith('('))
    return `/${segments.map((segment) => (segment === '[resource]' ? 'invoices' : segment.startsWith('[') ? 'x1' : segment)).join('/')}`
  })
  const nothing = [
    '/nothing',
    '/_next/nothing',
    '/_next/image',
    '/_next/data/x/y.json',
    '/.well-known/nothing',
    '/mcp/nothing',
  ]
  return [...new Set([...paths, ...nothing, '/oauth2/nothing', '/metadata', '/openapi', '/favicon.ico'])]
}

forgetRuntime()
const asked = new Set<string>()
const server = createPlumblineServer(
  findRoute,
  (incoming, response) => {
    asked.add(incoming.url ?? '')
    response.end()
  },
  { ...env(), production: true },
)
const port = listenOnFreePort(server)
const agent = new Agent({ keepAlive: true })
afterAll(() => {
  agent.destroy()
  server.close().closeAllConnections()
  forgetRuntime()
})

async function statusOf(path: string, method: string): Promise<number> {
  const options = { port: await port, host: '127.0.0.1', path, method, agent, headers: { host: 'localhost' } }
  return await new Promise((done, fail) => {
    request(options, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0))
    })
      .on('error', fail)
      .end()
  })
}

/** The status of the last of so many requests as one more than any path takes. */
async function lastOf(path: string, method: string): Promise<number> {
  let status = 0
  for (let i = 0; i <= MOST && status !== 429; i++) status = await statusOf(path, method)
  return status
}

test.each(everyPath())('%s: an address that asks again and again is refused', async (path) => {
  expect(await lastOf(path, 'GET')).toBe(429)
  expect(await statusOf(path, 'HEAD')).toBe(429)
})

test('an upload without a session is counted like a page', async () => {
  expect(await lastOf('/data/load/files', 'POST')).toBe(429)
})

test('what leads to Next was counted before it got there', () => {
  // All pages together are counted as one.
  expect(asked.size).toBeLessThanOrEqual(env().limits.pages)
})
