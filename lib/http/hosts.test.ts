import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import {
  GUIDE_SOURCE_PATH,
  OAUTH_PATH,
  RESOURCE_METADATA_PATHS,
  SERVER_INFO_PATH,
  SERVER_METADATA_PATH,
} from './endpoint'
import { DATA_SEGMENTS, hostName, isMisspelledApiPath, routeHost, UNKNOWN_PATH } from './hosts'
import { documented } from './openapi/operation'
import { PORTAL_SEGMENTS } from './portal-paths'
import { routeRequest } from './route-request'

const none = {
  hosts: { api: undefined, mcp: undefined, portal: undefined },
  production: true,
  publicUrl: 'http://localhost:3000',
}
const all = { ...none, hosts: { api: 'api.example.com', mcp: 'mcp.example.com', portal: 'app.example.com' } }

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
  const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8'
  test.each([
    ['GET', BROWSER, '/invoices'],
    ['POST', 'text/x-component', '/invoices'],
    ['GET', '*/*', '/api/v1/invoices'],
    ['GET', 'application/json', '/api/v1/invoices'],
    ['GET', null, '/api/v1/invoices'],
  ])('/invoices is the portal’s page for a browser and the data API for a program: %s %s', (method, accept, path) => {
    expect(routeHost('localhost', '/invoices', none, { method, accept })).toEqual({ path })
    expect(routeHost('api.example.com', '/invoices', all, { method, accept })).toEqual({ path: '/api/v1/invoices' })
  })

  test('the file of a list is the portal’s whatever is taken, as a browser that saves a link does not say', () => {
    for (const accept of [null, '*/*', BROWSER])
      expect(routeHost('localhost', '/invoices/export', none, { method: 'GET', accept })).toEqual({
        path: '/invoices/export',
      })
    expect(routeHost('api.example.com', '/invoices/export', all)).toEqual({ path: '/api/v1/invoices/export' })
    expect(routeHost('localhost', '/export/invoices', none)).toEqual({ path: '/api/v1/export/invoices' })
  })

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
    ['api.localhost', '/_next/static/chunks/a.js', '/_next/static/chunks/a.js'],
    ['mcp.localhost', '/openapi', '/api/v1/openapi'],
    ['mcp.localhost', '/mcp/console', '/mcp/console'],
    ['mcp.localhost', '/', SERVER_INFO_PATH],
    ['mcp.localhost', '/mcp/tools.json', '/mcp/tools.json'],
    ['localhost', '/mcp/.well-known/mcp-server.json', '/mcp/.well-known/mcp-server.json'],
  ])('%s %s is served as %s', (host, path, served) => expect(routeHost(host, path, none)).toEqual({ path: served }))

  test('data paths do not answer on the MCP host, nor the reverse', () => {
    expect(routeHost('mcp.localhost', '/api/v1/customers', none)).toHaveProperty('misdirected')
    for (const path of ['/mcp', '/mcp/info', '/.well-known/mcp/server-card.json'])
      expect(routeHost('api.localhost', path, none), path).toHaveProperty('misdirected')
    for (const host of ['api.localhost', 'mcp.localhost'])
      expect(routeHost(host, '/sign-in', none)).toEqual({
        misdirected: 'The portal is not served on this host. Use http://localhost:3000/sign-in',
      })
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

/** The meaning of a path on each of three hosts: served as it is (`same`), as another path, or 421 with the host that serves it. */
const SAME = 'same'
const [TO_API, TO_MCP, TO_APP] = ['421 api.example.com', '421 mcp.example.com', '421 app.example.com']
const NOT_FOUND = UNKNOWN_PATH

const TABLE: [path: string, api: string, mcp: string, portal: string][] = [
  ['/', '/api/v1/', SERVER_INFO_PATH, SAME],
  ['/health', SAME, SAME, SAME],
  ['/metrics', SAME, SAME, SAME],
  ['/openapi', '/api/v1/openapi', '/api/v1/openapi', '/api/v1/openapi'],
  ['/api/v1/openapi', SAME, SAME, SAME],
  ['/robots.txt', SAME, SAME, SAME],
  ['/.well-known/security.txt', SAME, SAME, SAME],
  ['/api/internal/retention', SAME, SAME, SAME],
  // Data.
  ['/customers', '/api/v1/customers', TO_API, SAME],
  ['/export/invoices', '/api/v1/export/invoices', TO_API, SAME],
  ['/api/v1/customers', SAME, TO_API, TO_API],
  ['/api/webhooks/leads/inbound', SAME, TO_API, TO_API],
  ['/nothing', '/api/v1/nothing', NOT_FOUND, SAME],
  // The MCP server, its documents and its console.
  ['/mcp', TO_MCP, SAME, TO_MCP],
  ['/mcp/rpc', TO_MCP, SAME, TO_MCP],
  ['/mcp/tools.json', TO_MCP, SAME, TO_MCP],
  ['/mcp/console', TO_MCP, SAME, TO_MCP],
  ['/.well-known/mcp/server-card.json', TO_MCP, SAME, TO_MCP],
  ['/llms.txt', '/api/v1/llms.txt', SAME, SAME],
  ['/sitemap.xml', '/api/v1/sitemap.xml', SAME, SAME],
  // The portal, and the authorization server whose origin it is.
  ['/sign-in', TO_APP, TO_APP, SAME],
  ['/sign-in/sso/acme/callback', TO_APP, TO_APP, SAME],
  ['/keys/new', TO_APP, TO_APP, SAME],
  ['/developers/api', TO_APP, TO_APP, SAME],
  ['/developers/api/send/internal/retention', TO_APP, TO_APP, SAME],
  ['/developers/guides/leads.md', TO_APP, TO_APP, `${GUIDE_SOURCE_PATH}/leads.md`],
  ['/data/quickbooks/callback', TO_APP, TO_APP, SAME],
  ['/samples/hubspot-contacts.csv', TO_APP, TO_APP, SAME],
  ['/changelog.xml', TO_APP, TO_APP, SAME],
  ['/oauth2/authorize', TO_APP, TO_APP, SAME],
  ['/oauth2/token', TO_APP, TO_APP, SAME],
  // What clients find the authorization server by.
  [
    '/.well-known/oauth-authorization-server',
    '/api/v1/.well-known/oauth-authorization-server',
    OAUTH_PATH,
    SERVER_METADATA_PATH,
  ],
  ['/.well-known/oauth-protected-resource', API, MCP, SAME],
  ['/.well-known/oauth-protected-resource/mcp', '/api/v1/.well-known/oauth-protected-resource/mcp', MCP, SAME],
  ['/register', '/api/v1/register', OAUTH_PATH, SAME],
  // What pages are made of.
  ['/_next/static/chunks/a.js', SAME, SAME, SAME],
  ['/favicon.ico', SAME, SAME, SAME],
  ['/icon-192.png', SAME, SAME, SAME],
]

describe('three hosts: each path on each of them', () => {
  const CELLS = TABLE.flatMap(([path, ...cells]) =>
    ['api.example.com', 'mcp.example.com', 'app.example.com'].map((host, i) => ({ path, host, cell: cells[i] ?? '' })),
  )
  test.each(CELLS)('$host$path: $cell', ({ path, host, cell }) => {
    const routed = routeHost(host, path, all)
    if (!cell.startsWith('421')) return expect(routed).toEqual({ path: cell === SAME ? path : cell })
    expect(routed).toHaveProperty('misdirected')
    const [, url] = /Use (\S+)$/.exec(Object(routed).misdirected) ?? []
    expect(new URL(url ?? '').host).toBe(cell.slice(4))
    // The right URL is right: it is served there.
    const { pathname } = new URL(url ?? '')
    expect(routeHost(cell.slice(4), pathname, all)).toHaveProperty('path')
  })

  test.each(TABLE)('an unknown host in production: 421 for %s, except what is asked for on any host', (path) => {
    const isServed = /^\/(health|metrics|(api\/v1\/)?openapi|robots\.txt|api\/internal\/.*)$/.test(path)
    const routed = routeHost('evil.example', path, all)
    expect(Object.keys(routed)).toEqual([isServed ? 'path' : 'misdirected'])
  })

  test('a portal without a host of its own stays where it was: on those that are configured', () => {
    const hosts = { api: 'api.example.com', mcp: 'mcp.example.com', portal: undefined }
    expect(routeHost('mcp.example.com', '/sign-in', { ...all, hosts })).toEqual({ path: '/sign-in' })
    expect(routeHost('api.example.com', '/developers/api', { ...all, hosts })).toEqual({ path: '/developers/api' })
  })

  test('the portal’s paths are the folders of its pages, the authorization server’s, and what only its pages use', () => {
    const folder = (path: string) =>
      readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name)
    const hasPage = (path: string): boolean =>
      readdirSync(path, { recursive: true }).some((name) => /(^|\/)(page\.tsx|route\.ts)$/.test(String(name)))
    const pages = folder('app/(portal)').filter(
      (name) => !['mcp', '[resource]'].includes(name) && hasPage(`app/(portal)/${name}`),
    )
    expect(new Set(PORTAL_SEGMENTS)).toEqual(
      new Set([...RESOURCE_NAMES, ...pages, 'changelog.xml', 'oauth2', ...folder('public')]),
    )
  })
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
  ['/api/webhooks/leads/inbound/', '/api/webhooks/leads/inbound'],
  ['/api/webhooks/leads/typeform.plb_live_x/', '/api/webhooks/leads/typeform.plb_live_x'],
  ['/api/webhooks/leads/inbound//', UNKNOWN_PATH],
  ['/api/v1/customers/', UNKNOWN_PATH],
])('%s leads to %s: an address of leads may end in a slash', (path, led) =>
  expect(
    routeRequest({ host: 'localhost', path, method: 'POST', accept: null }, { ...all, production: false }),
  ).toEqual({
    path: led,
  }),
)

test.each([
  '/',
  '/apiary',
  '/developers/api',
  '/health',
  '/api/v1/customers',
  '/api/v1/invoices/inv_prj_1_2',
  '/_next/static/x.js',
])('%s is spelled well', (path) => expect(isMisspelledApiPath(path)).toBe(false))
