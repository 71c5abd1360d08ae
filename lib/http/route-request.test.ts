import { expect, test } from 'vitest'
import { routeRequest, UNKNOWN_PATH } from './route-request'

const hosts = { api: 'api.example.com', mcp: 'mcp.example.com', portal: 'app.example.com' }
const ask = (host: string, path: string) =>
  routeRequest(
    { host, path, method: 'GET', accept: null },
    { hosts, production: true, publicUrl: 'http://localhost:3000' },
  )

test('an unusual spelling of an API path gets the JSON 404 on every served host', () => {
  for (const host of Object.values(hosts)) expect(ask(host, '/API/v1/customers'), host).toEqual({ path: UNKNOWN_PATH })
})

test('on a host that is not served it is refused like every other path', () => {
  expect(ask('evil.example', '/API/v1/customers')).toHaveProperty('misdirected')
})

test('a normal path is routed by its host', () => {
  expect(ask('api.example.com', '/customers')).toEqual({ path: '/api/v1/customers' })
})
