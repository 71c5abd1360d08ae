import { expect, test } from 'vitest'
import { routeRequest, UNKNOWN_PATH } from './route-request'

const hosts = { api: 'api.example.com', mcp: 'mcp.example.com', portal: 'app.example.com' }
const ask = (host: string, path: string) =>
  routeRequest({ host, path, method: 'GET', accept: null }, { hosts, production: true })

test('an odd spelling of an API path leads to the JSON 404 on every host that is served', () => {
  for (const host of Object.values(hosts)) expect(ask(host, '/API/v1/customers'), host).toEqual({ path: UNKNOWN_PATH })
})

test('on a host that is not served it is refused like every other path', () => {
  expect(ask('evil.example', '/API/v1/customers')).toHaveProperty('misdirected')
})

test('a well-spelled path is routed by its host', () => {
  expect(ask('api.example.com', '/customers')).toEqual({ path: '/api/v1/customers' })
})
