import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { putDocuments, type SourceDocument } from '@/db/queries/documents'
import { DOCUMENT_TYPES, PUBLIC_OWNER } from '@/db/schema'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_MCP = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const makeDocument = (type: SourceDocument['type'], title: string, text: string): SourceDocument => ({
  type,
  reference: title,
  title,
  link: null,
  untrusted: type === 'lead',
  chunks: [{ heading: '', text }],
})

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const post = (path: string, key: string, method: string, params: object, headers: Record<string, string> = {}) =>
  call(path, {
    key,
    method: 'POST',
    headers: { ...ACCEPT, ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })

async function connect(key: string, name = 'test'): Promise<Record<string, string>> {
  const clientInfo = { name, version: '1' }
  const { headers } = await post('/mcp', key, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo,
  })
  return {
    'mcp-session-id': headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': headers.get('mcp-protocol-version') ?? '',
  }
}

/** A message of the stateless revision with its headers. */
const stateless = (method: string, params: Record<string, unknown>, client = 'test') => ({
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: client, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
  headers: {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
  },
})

const searchFor = (query: string, name = 'rag.search') => ({ name, arguments: { query } })

async function searcher(scopes: readonly Scope[] = PRESETS.agent.scopes) {
  const tenant = await makeTenant(db)
  return { ...tenant, secret: (await tenant.key(scopes)).text }
}

describe('rag.search', () => {
  test('answers hits as specified, under both names, on both endpoints and in both protocol modes', async () => {
    const { contractor, secret } = await searcher()
    await putDocuments(db.orm, contractor.id, [makeDocument('lead', 'Message', 'please fix the \u202egutter')])
    const session = await connect(secret)
    for (const name of ['rag.search', 'rag_search']) {
      const params = searchFor('gutters', name)
      const modern = stateless('tools/call', params)
      const answers = [
        await post('/mcp', secret, 'tools/call', params, session),
        await post('/mcp', secret, 'tools/call', modern.params, modern.headers),
        await post('/mcp/rpc', secret, 'tools/call', params),
      ]
      for (const { status, body } of answers) {
        expect(status).toBe(200)
        const { hits, corrections, note } = body.result.structuredContent
        expect(hits).toEqual([
          {
            id: expect.stringMatching(/^doc_/),
            type: 'lead',
            title: 'Message',
            snippet: 'please fix the gutter',
            score: expect.any(Number),
            link: null,
            untrusted: true,
          },
        ])
        expect([corrections, note]).toEqual([[], null])
      }
    }
  })

  test('a key finds only types it may read, of its own contractor and the public ones', async () => {
    const { contractor, key, secret } = await searcher()
    const other = await makeTenant(db)
    const every = DOCUMENT_TYPES.map((type) => makeDocument(type, type, 'glimmerstone'))
    await putDocuments(db.orm, contractor.id, every)
    await putDocuments(db.orm, other.contractor.id, [makeDocument('document', 'foreign', 'glimmerstone')])
    await putDocuments(db.orm, PUBLIC_OWNER, [makeDocument('guide', 'shared', 'glimmerstone')])
    const found = async (text: string) => {
      const { name, arguments: asked } = searchFor('glimmerstone')
      const { body } = await post('/mcp/rpc', text, 'tools/call', { name, arguments: { ...asked, guides: true } })
      return body.result.structuredContent.hits.map(({ title }: { title: string }) => title).sort()
    }
    expect(await found(secret)).toEqual([...DOCUMENT_TYPES, 'shared'].sort())
    expect(await found((await key(['read:documents'])).text)).toEqual(['document', 'guide', 'shared'])
    expect(await found((await key(['read:documents', 'read:permits'])).text)).toEqual([
      'document',
      'guide',
      'permit',
      'shared',
    ])
    const without = (await key(['read:permits', 'read:projects'])).text
    expect((await post('/mcp/rpc', without, 'tools/call', searchFor('glimmerstone'))).status).toBe(403)
  })

  test('bad arguments are told apart, and stop words alone get a note', async () => {
    const { secret } = await searcher()
    const rpc = async (args: object) =>
      (await post('/mcp/rpc', secret, 'tools/call', { name: 'rag.search', arguments: args })).body.result
    for (const bad of [
      {},
      { query: '' },
      { query: ' ' },
      { query: 'x'.repeat(401) },
      { query: 'x', topK: 0 },
      { query: 'x', topK: 26 },
      { query: 'x', topK: 1.5 },
    ])
      expect((await rpc(bad)).isError, JSON.stringify(bad)).toBe(true)
    expect((await rpc({ query: 'of the' })).structuredContent).toMatchObject({ hits: [], note: expect.any(String) })
    expect((await rpc({ query: 'x'.repeat(400), topK: 25 })).isError).toBeUndefined()
  })
})

describe('tools/list', () => {
  const searchName = (body: { result: { tools: { name: string }[] } }) =>
    body.result.tools.map(({ name }) => name).filter((name) => name.startsWith('rag'))

  test.each([
    ['test', '', 'rag_search'],
    ['inspector', '', 'rag.search'],
    ['inspector', '?toolNames=safe', 'rag_search'],
    ['claude-ai', '?toolNames=own', 'rag.search'],
  ])('to %s at /mcp%s: %s, in both protocol modes', async (client, query, wanted) => {
    const { secret } = await searcher()
    const session = await connect(secret, client)
    const modern = stateless('tools/list', {}, client)
    expect(searchName((await post(`/mcp${query}`, secret, 'tools/list', {}, session)).body)).toEqual([wanted])
    expect(searchName((await post(`/mcp${query}`, secret, 'tools/list', modern.params, modern.headers)).body)).toEqual([
      wanted,
    ])
  })

  test('at /mcp/rpc by the address', async () => {
    const { secret } = await searcher()
    expect(searchName((await post('/mcp/rpc', secret, 'tools/list', {})).body)).toEqual(['rag.search'])
    expect(searchName((await post('/mcp/rpc?toolNames=safe', secret, 'tools/list', {})).body)).toEqual(['rag_search'])
  })
})

test('50 searches a minute by contractor: keys, endpoints, protocol modes and names share them; then a result that says when to go on, 429 at /mcp/rpc; other tools go on', async () => {
  const { key, secret } = await searcher()
  const second = (await key()).text
  const session = await connect(secret)
  const modern = stateless('tools/call', searchFor('roof'))
  const ways = [
    () => post('/mcp', secret, 'tools/call', searchFor('roof'), session),
    () => post('/mcp', second, 'tools/call', modern.params, modern.headers),
    () => post('/mcp/rpc', second, 'tools/call', searchFor('roof', 'rag_search')),
  ]
  for (let i = 0; i < 50; i++) {
    const answer = await ways[i % 3]?.()
    expect([answer?.status, answer?.headers.get('x-ratelimit-remaining')]).toEqual([200, String(49 - i)])
  }
  for (const way of ways) {
    const { status, headers, body } = await way()
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    const message = expect.stringContaining('50 searches')
    if (way === ways[2]) {
      expect(status).toBe(429)
      expect(body).toEqual({ error: 'rate_limited', message, code: 429 })
    } else {
      expect([status, body.result.isError]).toEqual([200, true])
      const told = { error: message, code: 'rate_limited', retryAfterSeconds: seconds }
      expect(JSON.parse(body.result.content[0].text)).toEqual(told)
    }
    expect(headers.get('x-ratelimit-limit')).toBe('50')
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000 - 1)
  }
  expect((await post('/mcp', secret, 'tools/list', {}, session)).status).toBe(200)
  const invoices = { name: 'list_invoices', arguments: {} }
  expect((await post('/mcp/rpc', secret, 'tools/call', invoices)).status).toBe(200)
  const other = await searcher()
  expect((await post('/mcp/rpc', other.secret, 'tools/call', searchFor('roof'))).status).toBe(200)
})
