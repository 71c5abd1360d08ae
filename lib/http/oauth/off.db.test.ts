import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Database } from '@/db/client'
import { readConsentRequest } from '@/lib/auth/oauth/consent'
import { isOAuthOffered } from '@/lib/auth/oauth/places'
import { loadEnv } from '@/lib/core/env'
import { routeFiles } from '@/lib/testing/answer-of'
import { openPeopleDatabase } from '@/lib/testing/people'
import { call } from '@/lib/testing/tenant'

vi.hoisted(() => Object.assign(process.env, { OAUTH: 'off' }))

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const SECRET = { BETTER_AUTH_SECRET: 'a secret of the tests, long enough for it' }

test('programs can be connected with sign-in, by https or on this machine, unless it is turned off', () => {
  const isOffered = (source: Record<string, string>) => isOAuthOffered(loadEnv(source))
  const PUBLIC = { PUBLIC_URL: 'https://app.example.com' }
  for (const on of [{}, { OAUTH: 'on' }]) {
    expect(isOffered({ ...SECRET, ...on })).toBe(true)
    expect(isOffered({ ...SECRET, ...on, ...PUBLIC })).toBe(true)
    expect(isOffered({ ...SECRET, ...on, PUBLIC_URL: 'http://app.example.com' })).toBe(false)
    expect(isOffered(on)).toBe(false)
    // Nobody reaches a function of Vercel's at this machine's address: its own is not set.
    expect(isOffered({ ...SECRET, ...on, VERCEL: '1' })).toBe(false)
    expect(isOffered({ ...SECRET, ...on, ...PUBLIC, VERCEL: '1' })).toBe(true)
  }
  expect(isOffered({ ...SECRET, ...PUBLIC, OAUTH: 'off' })).toBe(false)
  expect(() => loadEnv({ OAUTH: 'perhaps' })).toThrow('OAUTH: must be on or off')
})

test('while it is off, every address of it is 404 in JSON, a 401 is as it was without it, and nobody is asked for consent', async () => {
  const paths = Object.keys(routeFiles).filter((page) => page.startsWith('/oauth2/'))
  for (const path of paths.map((page) => page.slice(0, page.lastIndexOf('/')))) {
    const takesBody = ['token', 'register', 'revoke'].some((step) => path.endsWith(step))
    const { status, body } = await call(path, takesBody ? { method: 'POST', body: '{}' } : {})
    expect([path, status, body.code]).toEqual([path, 404, 'not_found'])
    expect(body.error).toContain('There is no OAuth here. Send an API key')
  }
  const token = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(40)}.${'c'.repeat(86)}`
  for (const headers of [{}, { authorization: `Bearer ${token}` }])
    for (const [path, method] of [
      ['/api/v1/customers', 'GET'],
      ['/mcp/rpc', 'POST'],
    ] as const) {
      const answer = await call(path, { method, headers })
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="plumbline"'])
    }
  await expect(readConsentRequest('client_id=x')).rejects.toMatchObject({ status: 404 })
})
