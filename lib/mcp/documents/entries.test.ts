import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { loadEnv } from '@/lib/core/env'
import { SERVER_INFO_PATH } from '@/lib/http/endpoint'
import { robots, securityTxt, sitemap } from '@/lib/site/crawlers'
import { tools } from '../tools'
import { serverDiscovery } from './discovery'
import { documents } from './endpoints'
import { mcpOpenApi } from './openapi'
import { registryEntry, registryName, serverCard } from './registry'
import { mcpInfo } from './server-info'
import { PUBLIC_PLACES, siteOf } from './site'
import { toolsCatalog } from './tools-catalog'

const LOCAL = siteOf(loadEnv({}))
const HOSTED = siteOf(
  loadEnv({ DATA_API_HOST: 'api.example.com', MCP_HOST: 'mcp.example.com', PORTAL_HOST: 'app.example.com' }),
)
const NOW = new Date('2026-11-21T06:00:00.000Z')

const Icon = z.strictObject({ src: z.url(), mimeType: z.literal('image/svg+xml'), sizes: z.array(z.literal('any')) })
const Header = z.strictObject({
  name: z.literal('X-API-Key'),
  description: z.string(),
  isRequired: z.boolean(),
  isSecret: z.literal(true),
})
const identity = {
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  websiteUrl: z.url(),
}
const remote = { type: z.literal('streamable-http'), url: z.url(), headers: z.array(Header) }

/** The part in use of ServerDetail in the registry’s schema of 2025-12-11. */
const RegistryEntry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  ...identity,
  icons: z.array(Icon.extend({ src: z.url({ protocol: /^https$/ }) })).optional(),
  remotes: z.array(z.strictObject(remote)).min(1),
})

/** The part in use of ServerCard in SEP-2127, schema v1. */
const ServerCard = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
  ...identity,
  icons: z.array(Icon),
  remotes: z.array(z.strictObject({ ...remote, supportedProtocolVersions: z.array(z.iso.date()).min(1) })).min(1),
})

describe.each([
  ['on one machine', LOCAL],
  ['on its hosts', HOSTED],
])('%s', (_, site) => {
  test('the registry entry is what its schema takes', () => void RegistryEntry.parse(registryEntry(site)))
  test('the server card is what its schema takes', () => void ServerCard.parse(serverCard(site)))
})

test('directories are told of sign-in by OAuth beside the key, where there is one', () => {
  const hosts = { DATA_API_HOST: 'api.example.com', MCP_HOST: 'mcp.example.com', PORTAL_HOST: 'app.example.com' }
  const site = siteOf(loadEnv({ ...hosts, BETTER_AUTH_SECRET: 'a-secret-of-more-than-thirty-two-characters' }))
  expect(mcpInfo(site, tools).authentication).toMatchObject({
    type: 'api_key',
    or: {
      type: 'oauth2',
      authorization_server: 'https://app.example.com',
      protected_resource_metadata: 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp',
    },
  })
  expect(serverDiscovery(site, tools, NOW).technical_specs.authentication).toContain('OAuth 2.1')
  for (const { remotes } of [registryEntry(site), serverCard(site)])
    expect(remotes[0]?.headers[0]).toMatchObject({
      isRequired: false,
      description: expect.stringContaining('OAuth 2.1'),
    })
  expect(mcpInfo(HOSTED, tools).authentication).not.toHaveProperty('or')
  expect(registryEntry(HOSTED).remotes[0]?.headers[0]?.isRequired).toBe(true)
})

test.each([
  ['https://mcp.example.com', 'com.example.mcp/plumbline'],
  ['http://localhost:3000', 'localhost/plumbline'],
  ['http://127.0.0.1:3000', '127.0.0.1/plumbline'],
])('%s is named %s', (origin, name) => expect(registryName({ ...LOCAL, origin })).toBe(name))

test('the sitemap is XML of addresses of the settings', () => {
  const site = { ...HOSTED, portal: "https://app.example.com/a&b'" }
  const text = sitemap(site, NOW)
  expect(text).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">\n( {2}<url>.*<\/url>\n)+<\/urlset>\n$/,
  )
  expect(text).toContain('<loc>https://mcp.example.com/mcp/tools.json</loc><lastmod>2026-11-21</lastmod>')
  expect(text).toContain('https://app.example.com/a&#38;b&#39;/developers/api')
})

test('robots.txt names the sitemap', () => {
  expect(robots(HOSTED)).toMatch(/^User-agent: \*\n[\s\S]*\n\nSitemap: https:\/\/mcp\.example\.com\/sitemap\.xml\n$/)
})

test('security.txt is valid for more than four months and less than a year, and the same all month', () => {
  for (let month = 0; month < 12; month++) {
    const now = new Date(Date.UTC(2026, month, 15))
    const text = securityTxt(HOSTED, now)
    const expires = Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '')
    const days = (expires - now.getTime()) / 86_400_000
    expect(days).toBeGreaterThan(120)
    expect(days).toBeLessThan(365)
    expect(securityTxt(HOSTED, new Date(Date.UTC(2026, month, 1)))).toBe(text)
  }
})

test('security.txt: the mail box is on the host of PUBLIC_URL, on the portal’s where that is not set', () => {
  expect(securityTxt(HOSTED, NOW)).toMatch(
    /^Contact: mailto:security@app\.example\.com\nExpires: \d{4}-\d\d-01T00:00:00Z\n/,
  )
  const own = siteOf(loadEnv({ PUBLIC_URL: 'https://plumbline.example', PORTAL_HOST: 'app.example.com' }))
  expect(securityTxt(own, NOW)).toContain('mailto:security@plumbline.example\n')
  for (const host of ['api', 'mcp', 'app'])
    expect(securityTxt(HOSTED, NOW)).toContain(`Canonical: https://${host}.example.com/.well-known/security.txt\n`)
})

test('every document is in the OpenAPI document or is the inner address of /', () => {
  const { paths } = mcpOpenApi(HOSTED, tools)
  for (const { path } of Object.values(documents))
    if (path !== SERVER_INFO_PATH) expect(paths).toHaveProperty([path, 'get'])
  expect(Object(paths)['/mcp']).toMatchObject({ post: expect.anything(), delete: expect.anything() })
  expect(paths).toHaveProperty(['/mcp/rpc', 'post'])
  for (const { path } of Object.values(PUBLIC_PLACES)) expect(paths).toHaveProperty([path, 'get'])
})

test('the OpenAPI document names every status that the message endpoints send', () => {
  const { paths } = mcpOpenApi(HOSTED, tools)
  const statuses = (path: string, method: string) => Object.keys(Object(paths)[path][method].responses).map(Number)
  const always = [200, 400, 401, 403, 408, 413, 415, 421, 429, 500, 503]
  expect(statuses('/mcp', 'post').sort()).toEqual([...always, 202, 404, 406].sort())
  expect(statuses('/mcp/rpc', 'post')).toEqual(always)
  expect(statuses('/mcp', 'delete')).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 421, 429, 500]))
  for (const path of ['/mcp', '/mcp/rpc']) expect(statuses(path, 'options')).toContain(204)
})

test('the limit of searches stands in the catalog, per tool too, and in discovery', () => {
  const catalog = toolsCatalog(HOSTED, tools, NOW)
  expect(catalog.description).toContain(`${HOSTED.searchRate} searches`)
  const limits = new Map(catalog.tools.map(({ name, rate_limit }) => [name, rate_limit]))
  expect(limits.get('rag.search')).toEqual({ requests_per_minute: HOSTED.searchRate, per: 'contractor' })
  expect(limits.get('create_lead')).toEqual({ requests_per_minute: HOSTED.leadRate, per: 'api_key' })
  expect(limits.get('list_invoices')).toEqual({ requests_per_minute: HOSTED.rate, per: 'api_key' })
  expect(serverDiscovery(HOSTED, tools, NOW).technical_specs.rate_limit).toMatchObject({
    searches: { requests_per_minute: HOSTED.searchRate, per: 'contractor' },
  })
})

test('the OpenAPI document refers to nothing that it does not have', () => {
  const document = mcpOpenApi(HOSTED, tools)
  expect(document).toMatchObject({ openapi: '3.0.3', servers: [{ url: 'https://mcp.example.com' }] })
  for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g))
    expect(document).toHaveProperty(path.split('/'))
})
