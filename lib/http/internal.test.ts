import { expect, test } from 'vitest'
import { routeHost } from './hosts'
import { internal } from './internal'
import { documented } from './openapi/operation'
import { servedPath } from './rest/served'

const ask = (method: string) =>
  internal.retention.answer({
    method,
    url: 'http://localhost/api/internal/retention',
    headers: { get: () => null },
    body: async () => ({ bytes: new Uint8Array(), complete: true }),
    chunks: async function* () {},
    gone: () => new AbortController().signal,
  })

test('without CRON_SECRET the scheduler’s path is answered 404 with the reason', async () => {
  const { status, body } = await ask('GET')
  expect([status, body]).toEqual([404, expect.stringContaining('CRON_SECRET')])
})

test('internal routes are in no document, and on every host, because the scheduler calls the platform’s own host name', () => {
  const paths = documented().map(servedPath)
  for (const { path } of Object.values(internal)) {
    expect(paths).not.toContain(path)
    const settings = { hosts: { api: 'api.example.com', mcp: undefined, portal: undefined }, production: true }
    expect(routeHost('plumbline.vercel.app', path, settings)).toEqual({ path })
  }
})
