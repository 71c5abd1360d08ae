import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { PRESETS } from '@/lib/auth/scopes'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { buildViews } from '../../scripts/views'
import { builtViews } from './apps'
import { APP_TYPE, APPS_EXTENSION } from './server-info'

const folder = mkdtempSync(join(tmpdir(), 'plumbline-views-'))
let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_MCP = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
  await buildViews(folder)
  builtViews.folder = folder
})
afterAll(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const RENDERS = { extensions: { [APPS_EXTENSION]: { mimeTypes: [APP_TYPE] } } }
const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

type Listed = { name: string; uri: string; mimeType: string; _meta?: { ui: { resourceUri: string } } }
type Result = { tools: Listed[]; resources: Listed[]; contents: [{ text: string }]; capabilities: object }
type Ask = (method: string, params?: object) => Promise<{ result: Result; error?: unknown }>

/** Returns one client for each mode, both with the same declared capabilities. */
async function clients(capabilities: object): Promise<Record<'session' | 'stateless', Ask>> {
  const { text: key } = await (await makeTenant(db)).key(PRESETS.agent.scopes)
  const post = (message: object, headers: Record<string, string> = {}) =>
    call('/mcp', {
      key,
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      headers: { ...ACCEPT, ...headers },
    })
  const clientInfo = { name: 'test', version: '1' }
  const { headers } = await post({
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo },
  })
  const session = { 'mcp-session-id': headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  return {
    session: async (method, params = {}) => (await post({ method, params }, session)).body,
    stateless: async (method, params = {}) => {
      const { uri } = Object(params)
      const named = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...(uri ? { 'mcp-name': uri } : {}) }
      return (await post({ method, params: { ...params, _meta } }, named)).body
    },
  }
}

const VIEWS = {
  get_receivables_aging: 'ui://plumbline/receivables',
  get_cash_flow: 'ui://plumbline/cash-flow',
  get_project_financials: 'ui://plumbline/project',
  estimate_takeoff: 'ui://plumbline/takeoff',
}

for (const mode of ['session', 'stateless'] as const) {
  test(`${mode}: a client that renders views is told of them, with each tool and in the list of resources`, async () => {
    const ask = (await clients(RENDERS))[mode]
    const { tools } = (await ask('tools/list')).result
    expect(
      Object.fromEntries(tools.flatMap(({ name, _meta }) => (_meta ? [[name, _meta.ui.resourceUri]] : []))),
    ).toEqual(VIEWS)
    const { resources } = (await ask('resources/list')).result
    const views = resources.filter(({ mimeType }) => mimeType === APP_TYPE)
    expect(views.map(({ uri }) => uri)).toEqual(Object.values(VIEWS))
    const nothing = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }
    for (const { uri, _meta } of views) {
      expect(_meta).toEqual({ ui: { csp: nothing, prefersBorder: true } })
      const { contents } = (await ask('resources/read', { uri })).result
      expect(contents).toMatchObject([
        { uri, mimeType: APP_TYPE, _meta, text: expect.stringMatching(/^<!doctype html>/) },
      ])
    }
  })

  test(`${mode}: any other client sees no trace of them`, async () => {
    const others = [
      {},
      { extensions: { [APPS_EXTENSION]: {} } },
      { extensions: { [APPS_EXTENSION]: { mimeTypes: ['text/html'] } } },
    ]
    for (const capabilities of others) {
      const ask = (await clients(capabilities))[mode]
      expect(JSON.stringify((await ask('tools/list')).result)).not.toContain('ui://')
      expect(JSON.stringify((await ask('resources/list')).result)).not.toContain('ui://')
    }
  })
}

test('both modes declare the extension, and a view that is not there is not found', async () => {
  const { session, stateless } = await clients(RENDERS)
  const discovered = (await stateless('server/discover')).result
  expect(discovered.capabilities).toMatchObject({ extensions: { [APPS_EXTENSION]: {} } })
  expect((await session('resources/read', { uri: 'ui://plumbline/nothing' })).error).toMatchObject({ code: -32002 })
})

test('a document needs nothing else: its policy lets its own script run and nothing load', async () => {
  const { session } = await clients(RENDERS)
  for (const uri of Object.values(VIEWS)) {
    const { contents } = (await session('resources/read', { uri })).result
    const [{ text }] = contents
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1] ?? ''
    const script = /<script>([\s\S]*)<\/script>/.exec(text)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(script.includes('</script')).toBe(false)
    const rest = text.replace(script, '')
    expect(rest.length).toBeLessThan(10_000)
    expect(rest).not.toMatch(/<(link|img|iframe)\b|<script [^>]*src=|@import|url\(/)
  }
})
