import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { loadEnv } from '@/lib/core/env'
import { llmsText } from '@/lib/site/llms'
import { tools } from '../tools'
import { callOf, examplesOf } from './connection'
import { serverDiscovery } from './discovery'
import { homePage } from './home-page'
import { McpInfo, ServerDiscovery, ServerInfo, ToolsCatalog } from './schemas'
import { mcpInfo, serverInfo } from './server-info'
import { siteOf } from './site'
import { toolsCatalog } from './tools-catalog'

const LOCAL = siteOf(loadEnv({ PORT: '4000' }))
const HOSTED = siteOf(
  loadEnv({ DATA_API_HOST: 'api.example.com', MCP_HOST: 'mcp.example.com', PORTAL_HOST: 'app.example.com' }),
)
const LIVE = { status: 'healthy', uptimeSeconds: 12, activeSessions: 3 } as const
const NOW = new Date('2026-11-21T06:00:00.000Z')

/** The fields of the specification, 2.8, word for word. */
const FIELDS = {
  ServerInfo:
    'name description version status uptime_seconds active_sessions transports authentication examples tool_categories',
  McpInfo: 'name version transports authentication examples',
  ToolsCatalog: 'name description server_url tools_count categories tools examples updated_at',
  Tool: 'name description inputSchema category endpoint authentication_required rate_limited example_usage',
  ServerDiscovery:
    'name version description homepage documentation logo transports endpoints technical_specs contact categories tags use_cases industry updated_at schema_version',
}

const words = (text: string) => text.split(' ').sort()
const made = (site: typeof LOCAL): [keyof typeof FIELDS, z.ZodObject, Record<string, unknown>][] => [
  ['ServerInfo', ServerInfo, serverInfo(site, tools, LIVE)],
  ['McpInfo', McpInfo, mcpInfo(site, tools)],
  ['ToolsCatalog', ToolsCatalog, toolsCatalog(site, tools, NOW)],
  ['ServerDiscovery', ServerDiscovery, serverDiscovery(site, tools, NOW)],
]

for (const [place, site] of Object.entries({ LOCAL, HOSTED })) {
  describe(place, () => {
    test.each(made(site))(
      '%s has exactly the fields of the specification, as its schema has them',
      (name, schema, doc) => {
        expect(Object.keys(doc).sort()).toEqual(words(FIELDS[name]))
        expect(Object.keys(schema.shape).sort()).toEqual(words(FIELDS[name]))
        // Converts a value through JSON, which drops or changes what JSON cannot represent.
        schema.strict().parse(JSON.parse(JSON.stringify(doc)))
      },
    )
  })
}

test('every tool is in the catalog with every field of Tool, and in its category', () => {
  const catalog = toolsCatalog(LOCAL, tools, NOW)
  expect(catalog.tools_count).toBe(tools.length)
  expect(catalog.tools.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  for (const tool of catalog.tools) for (const field of words(FIELDS.Tool)) expect(tool).toHaveProperty([field])
  const listed = Object.values(catalog.categories).flatMap(({ tools }) => tools)
  expect(listed.sort()).toEqual(tools.map(({ name }) => name).sort())
  for (const { description, count, tools } of Object.values(catalog.categories)) {
    expect(description).not.toBe('')
    expect(count).toBe(tools.length)
  }
})

test.each(tools.map((tool) => [tool.name, tool] as const))('%s: its example is a call its schema takes', (_, tool) => {
  const { params } = callOf(tool)
  expect(params.name).toBe(tool.name)
  tool.input.parse(params.arguments)
})

test('the same is said again byte for byte', () => {
  expect(JSON.stringify(toolsCatalog(LOCAL, tools, NOW))).toBe(JSON.stringify(toolsCatalog(LOCAL, tools, NOW)))
})

test('addresses are those of the settings, everywhere', () => {
  for (const [name, , document] of made(HOSTED)) {
    const text = JSON.stringify(document)
    expect(text, name).not.toContain('localhost')
    expect(text, name).toContain('https://mcp.example.com/mcp')
  }
  expect(JSON.stringify(mcpInfo(LOCAL, tools))).toContain('http://localhost:4000/mcp')
  expect(serverDiscovery(HOSTED, tools, NOW)).toMatchObject({
    homepage: 'https://app.example.com',
    logo: 'https://mcp.example.com/icon.svg',
  })
})

/** The arguments a shell passes to curl, one per line. */
function argumentsOf(command: string): string[] {
  const script = `PLUMBLINE_KEY=the-key; curl() { for a; do printf '%s\\n' "$a"; done; }; ${command}`
  return spawnSync('sh', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n')
}

test('the curl examples are one command each, with the configured URL, the key and the request', () => {
  const quotes = { ...tools[0], name: 'list_customers', example: { name: 'O\'Brien "$HOME" `x`' } }
  const { read_the_catalog, list_tools, call_a_tool, open_a_session } = examplesOf(HOSTED, [Object.assign(quotes)])
  expect(argumentsOf(read_the_catalog.curl)).toEqual(['-s', 'https://mcp.example.com/mcp/tools.json'])
  for (const example of [list_tools, call_a_tool, open_a_session]) {
    const all = argumentsOf(example?.curl ?? '')
    expect(all[1]).toMatch(/^https:\/\/mcp\.example\.com\/mcp(\/rpc)?$/)
    expect(all).toContain('X-API-Key: the-key')
    expect(JSON.parse(all.at(-1) ?? '')).toEqual(example?.request)
  }
  expect(open_a_session.curl).toContain('Accept: application/json, text/event-stream')
})

test('the page says the same to people, escaped, under a policy that allows its own style alone', () => {
  const { text, headers, type, cacheable } = homePage(HOSTED, tools, LIVE)
  expect(type).toContain('text/html')
  expect(cacheable).toBe(true)
  expect(text).toContain('https://mcp.example.com/mcp')
  for (const { name } of tools) expect(text).toContain(`<code>${name}</code>`)
  expect(text).not.toMatch(/<script|style="| on\w+=/)
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /)
  expect(homePage(HOSTED, tools, { ...LIVE, status: 'degraded' }).cacheable).toBe(false)
})

test('llms.txt has the form of llmstxt.org and names every tool', () => {
  const text = llmsText(HOSTED, tools)
  expect(text).toMatch(/^# Plumbline\n\n> /)
  for (const { name } of tools) expect(text).toContain(`- \`${name}\`: `)
  for (const [, url = ''] of text.matchAll(/\]\(([^)]+)\)/g))
    expect(url).toMatch(/^https:\/\/(mcp|api|app)\.example\.com\//)
})
