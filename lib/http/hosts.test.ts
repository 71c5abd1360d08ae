import { describe, expect, test } from 'vitest'
import {
  GUIDE_SOURCE_PATH,
  OAUTH_PATH,
  RESOURCE_METADATA_PATHS,
  SERVER_INFO_PATH,
  SERVER_METADATA_PATH,
} from './endpoint'
import { DATA_SEGMENTS, hostName, isMisspelledApiPath, routeHost, UNKNOWN_PATH } from './hosts'
import { documented } from './openapi/operation'

const none = { hosts: { api: undefined, mcp: undefined, portal: undefined }, production: true }
const all = { hosts: { api: 'api.example.com', mcp: 'mcp.example.com', portal: 'app.example.com' }, production: true }

test.each([
  '/.well-known/oauth-protected-resource/other',
  '/.well-known/oauth-authorization-server/mcp',
  '/mcp/.well-known/openid-configuration',
  '/register',
  '/authorize',
  '/token',
])('%s leads to the answer that there is no OAuth, on the MCP host and where one host is all', (path) => {
  expect(routeHost('mcp.example.com', path, all)).toEqual({ path: OAUTH_PATH })
  expect(routeHost('localhost:3000', path, none)).toEqual({ path: OAUTH_PATH })
  expect(routeHost('app.example.com', path, all)).not.toEqual({ path: OAUTH_PATH })
})

const [MCP, API] = [RESOURCE_METADATA_PATHS.mcp, RESOURCE_METADATA_PATHS.api]

test.each([
  ['mcp.example.com', '/.well-known/oauth-protected-resource', all, MCP],
  ['mcp.example.com', '/.well-known/oauth-protected-resource/mcp', all, MCP],
  ['mcp.example.com', '/.well-known/oauth-protected-resource/mcp/rpc', all, MCP],
  ['api.example.com', '/.well-known/oauth-protected-resource', all, API],
  ['app.example.com', '/.well-known/oauth-authorization-server', all, SERVER_METADATA_PATH],
  ['app.example.com', '/.well-known/openid-configuration', all, SERVER_METADATA_PATH],
  ['mcp.example.com', '/.well-known/oauth-authorization-server', all, OAUTH_PATH],
  ['localhost:3000', '/.well-known/oauth-protected-resource', none, MCP],
  ['localhost:3000', '/.well-known/oauth-protected-resource/mcp', none, MCP],
  ['localhost:3000', '/.well-known/oauth-protected-resource/api/v1', none, API],
  ['localhost:3000', '/.well-known/oauth-authorization-server', none, SERVER_METADATA_PATH],
  ['app.example.com', '/oauth2/token', all, '/oauth2/token'],
])('%s%s leads to the metadata that is there', (host, path, settings, expected) => {
  expect(routeHost(host, path, settings)).toEqual({ path: expected })
})

test.each([
  ['API.Example.com.:443', 'api.example.com'],
  ['localhost:3000', 'localhost'],
  ['[::1]:3000', '[::1]'],
  [undefined, ''],
])('host %s is %s', (header, name) => expect(hostName(header)).toBe(name))

describe('without configured hosts', () => {
  test.each([
    ['localhost', '/api/v1/customers', '/api/v1/customers'],
    ['localhost', '/customers', '/api/v1/customers'],
    ['localhost', '/invoices/inv_1', '/api/v1/invoices/inv_1'],
    ['localhost', '/', '/'],
    ['localhost', '/customersx', '/customersx'],
    ['localhost', '/developers/guides/leads.md', `${GUIDE_SOURCE_PATH}/leads.md`],
    ['localhost', '/developers/guides/leads', '/developers/guides/leads'],
    ['api.localhost:3000', '/customers', '/api/v1/customers'],
    ['api.localhost:3000', '/nothing', '/api/v1/nothing'],
    ['api.localhost', '/api/v1/customers', '/api/v1/customers'],
    ['api.localhost', '/health', '/health'],
    ['mcp.localhost', '/health', '/health'],
    ['mcp.localhost', '/api/v1/openapi', '/api/v1/openapi'],
    ['api.localhost', '/robots.txt', '/robots.txt'],
    ['api.localhost', '/.well-known/security.txt', '/.well-known/security.txt'],
    ['api.localhost', '/', '/api/v1/'],
    ['api.localhost', '/developers/api', '/developers/api'],
    ['api.localhost', '/_next/static/chunks/a.js', '/_next/static/chunks/a.js'],
    ['api.localhost', '/developers/guides', '/api/v1/developers/guides'],
    ['mcp.localhost', '/', SERVER_INFO_PATH],
    ['mcp.localhost', '/mcp/tools.json', '/mcp/tools.json'],
    ['localhost', '/mcp/.well-known/mcp-server.json', '/mcp/.well-known/mcp-server.json'],
  ])('%s %s is served as %s', (host, path, served) => expect(routeHost(host, path, none)).toEqual({ path: served }))

  test('data paths do not answer on the MCP host, nor the reverse', () => {
    expect(routeHost('mcp.localhost', '/api/v1/customers', none)).toHaveProperty('misdirected')
    for (const path of ['/mcp', '/mcp/info', '/.well-known/mcp/server-card.json'])
      expect(routeHost('api.localhost', path, none), path).toHaveProperty('misdirected')
  })

  test.each([
    ['localhost', 'GET', 'application/json', SERVER_INFO_PATH],
    ['localhost', 'HEAD', 'application/json', SERVER_INFO_PATH],
    ['localhost', 'GET', 'text/html', '/'],
    ['localhost', 'GET', '*/*', '/'],
    ['localhost', 'POST', 'text/html', SERVER_INFO_PATH],
    ['localhost', 'OPTIONS', undefined, SERVER_INFO_PATH],
    ['mcp.localhost', 'GET', 'text/html', SERVER_INFO_PATH],
  ])('/ on %s by %s with Accept %s is %s', (host, method, accept, path) =>
    expect(routeHost(host, '/', none, { method, accept })).toEqual({ path }),
  )
})

describe('with configured hosts in production', () => {
  test('an unknown host is refused, except for health and the API description', () => {
    expect(routeHost('evil.example', '/api/v1/customers', all)).toHaveProperty('misdirected')
    expect(routeHost('evil.example', '/', all)).toHaveProperty('misdirected')
    expect(routeHost('10.0.0.8', '/health', all)).toEqual({ path: '/health' })
    expect(routeHost('10.0.0.8', '/robots.txt', all)).toEqual({ path: '/robots.txt' })
    expect(routeHost('10.0.0.8', '/.well-known/security.txt', all)).toHaveProperty('misdirected')
    expect(routeHost('10.0.0.8', '/api/v1/openapi', all)).toEqual({ path: '/api/v1/openapi' })
  })

  test('data API paths on other hosts are refused with the right URL', () => {
    expect(routeHost('app.example.com', '/api/v1/customers', all)).toEqual({
      misdirected: expect.stringContaining('https://api.example.com/customers'),
    })
  })

  test.each([
    ['app.example.com', '/developers/api/send/v1/invoices/inv_1', '/api/v1/invoices/inv_1'],
    ['app.example.com', '/developers/api/send/webhooks/leads/inbound', '/api/webhooks/leads/inbound'],
    ['app.example.com', '/developers/api/send/v1/../internal/retention', UNKNOWN_PATH],
    ['app.example.com', '/developers/api/send/v1/%2e%2e/internal', UNKNOWN_PATH],
    ['app.example.com', '/developers/api/send/internal/retention', '/developers/api/send/internal/retention'],
    ['mcp.example.com', '/developers/api/send/v1/invoices', '/developers/api/send/v1/invoices'],
    ['api.example.com', '/developers/api/send/v1/invoices', '/developers/api/send/v1/invoices'],
  ])('the explorer on the portal’s host reaches the API and nothing else: %s %s leads to %s', (host, path, led) =>
    expect(routeHost(host, path, all)).toEqual({ path: led }),
  )

  test('the MCP server’s documents are on its host only; / on the portal is its page whatever the client prefers', () => {
    expect(routeHost('mcp.example.com', '/mcp/info', all)).toEqual({ path: '/mcp/info' })
    for (const host of ['app.example.com', 'api.example.com'])
      expect(routeHost(host, '/mcp/info', all)).toEqual({
        misdirected: expect.stringContaining('https://mcp.example.com/mcp/info'),
      })
    expect(routeHost('app.example.com', '/', all, { method: 'GET', accept: 'application/json' })).toEqual({ path: '/' })
  })

  test('outside production other hosts stay open', () => {
    expect(routeHost('localhost', '/api/v1/customers', { ...all, production: false })).toEqual({
      path: '/api/v1/customers',
    })
  })
})

test('the root-relative names match the registry', () => {
  const served = documented().filter(({ http }) => http.at === 'data')
  expect(new Set(served.map(({ http }) => http.path.split('/')[1]))).toEqual(new Set(DATA_SEGMENTS))
})

test.each([
  '//api/v1/customers',
  '/API/v1/customers',
  '/api//v1/customers',
  '/api/v1/customers/',
  '/api/v1/%2e/customers',
  '/api/v1/../v1/customers',
  '/%61pi/v1/customers',
  '/api/v1/customers.rsc',
  '/api/v1/customers%2f',
  '/api/v1/customers;x',
  '/api\\v1',
])('%s is no spelling of an API path', (path) => expect(isMisspelledApiPath(path)).toBe(true))

test.each([
  '/',
  '/apiary',
  '/developers/api',
  '/health',
  '/api/v1/customers',
  '/api/v1/invoices/inv_prj_1_2',
  '/_next/static/x.js',
])('%s is spelled well', (path) => expect(isMisspelledApiPath(path)).toBe(false))
