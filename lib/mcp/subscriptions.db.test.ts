import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { sessionSubscriptions } from '@/db/queries/mcp-sessions'
import { revokeKey } from '@/lib/auth/manage-keys'
import { PRESETS, type Scope } from '@/lib/auth/scopes'
import { watches } from '@/lib/sync/watch'
import { fetchInProcess } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { MOST_URIS } from './subscriptions'
import { STREAMS, streams } from './update-streams'

let db: Database
const { lookMs } = STREAMS
beforeAll(async () => {
  process.env.RATE_LIMIT_MCP = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
  STREAMS.lookMs = 200
})
const opened = new Set<() => Promise<void>>()
afterEach(async () => {
  for (const close of opened) await close()
  opened.clear()
  await vi.waitFor(() => expect([streams().size, watches().size]).toEqual([0, 0]), soon)
})
afterAll(async () => {
  STREAMS.lookMs = lookMs
  await db.close()
})

const ACCEPT = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const ask = fetchInProcess()
const soon = { timeout: 8_000, interval: 50 }

/** Books with their ids by table, and a way to change a record as a load does. */
async function books(scopes: readonly Scope[] = PRESETS.agent.scopes) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(3))
  const key = await tenant.key(scopes)
  const projects = await rows<{ id: string }>(
    db.orm,
    sql`select id from projects where contractor_id = ${tenant.contractor.id} order by source_reference`,
  )
  const touch = (id: string) =>
    db.orm.execute(sql`update projects set name = name || '.' where id = ${id}`).then(() => {})
  return { tenant, key, projects: projects.map(({ id }) => id), touch }
}

/** A client in a session and what it was told. */
async function client(key: string) {
  const told: string[] = []
  const made = new Client({ name: 'test', version: '1' })
  made.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri))
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    requestInit: { headers: { 'x-api-key': key } },
    fetch: ask,
    reconnectionOptions: {
      initialReconnectionDelay: 50,
      maxReconnectionDelay: 50,
      reconnectionDelayGrowFactor: 1,
      maxRetries: 20,
    },
  })
  await made.connect(transport as Parameters<typeof made.connect>[0])
  opened.add(() => made.close())
  await vi.waitFor(() => expect(streams().size).toBeGreaterThan(0), soon)
  return { client: made, told, session: transport.sessionId ?? '' }
}

/** Reads a stream of events as raw text. */
function reading(response: Response) {
  const state = { text: '', ended: false }
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  const pump = async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
      state.text += decoder.decode(part.value)
    state.ended = true
  }
  const done = pump().catch(() => {})
  opened.add(async () => {
    await reader?.cancel().catch(() => {})
    await done
  })
  const messages = () =>
    [...state.text.matchAll(/^data: (.+)$/gm)].map(([, json = '']): ReturnType<typeof JSON.parse> => JSON.parse(json))
  return { state, messages }
}

const open = (key: string, session: string, headers: Record<string, string> = {}) =>
  ask('http://localhost/mcp', {
    headers: { 'x-api-key': key, accept: 'text/event-stream', 'mcp-session-id': session, ...headers },
  })

const listenTo = (key: string, uris: string[], id: unknown = 5) =>
  ask('http://localhost/mcp', {
    method: 'POST',
    headers: {
      ...ACCEPT,
      'x-api-key': key,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'subscriptions/listen',
      params: {
        notifications: { resourceSubscriptions: uris },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })

test('a session is told of the records it subscribed to, and of no others, until it unsubscribes', async () => {
  const { key, projects, touch } = await books()
  const [first = '', second = '', third = ''] = projects
  const { client: agent, told } = await client(key.text)
  expect(agent.getServerCapabilities()?.resources).toEqual({ listChanged: false, subscribe: true })
  const uri = `plumbline://projects/${first}`
  await agent.subscribeResource({ uri })
  await agent.subscribeResource({ uri: 'plumbline://metadata' })
  await touch(second)
  await touch(first)
  await vi.waitFor(() => expect(told).toEqual([uri]), soon)
  await agent.unsubscribeResource({ uri })
  const other = `plumbline://projects/${third}`
  await agent.subscribeResource({ uri: other })
  await touch(first)
  await touch(third)
  await vi.waitFor(() => expect(told).toEqual([uri, other]), soon)
})

test('a list is updated with any of its records', async () => {
  const { key, projects, touch } = await books()
  const { client: agent, told } = await client(key.text)
  const uri = 'plumbline://projects?status=completed'
  await agent.subscribeResource({ uri })
  await touch(projects[0] ?? '')
  await vi.waitFor(() => expect(told).toEqual([uri]), soon)
})

test('another contractor’s record, one that is not there and one without the scope are refused as in reading', async () => {
  const { key } = await books(['read:projects'])
  const stranger = await books()
  const { client: agent } = await client(key.text)
  const refused = (uri: string) => agent.subscribeResource({ uri }).catch((error) => error)
  expect(await refused(`plumbline://projects/${stranger.projects[0]}`)).toMatchObject({ code: -32002 })
  expect(await refused('plumbline://projects/prj_none')).toMatchObject({ code: -32002 })
  expect(await refused('plumbline://nothing/at-all')).toMatchObject({ code: -32002 })
  expect(String((await refused('plumbline://invoices')).message)).toContain('Forbidden')
})

test('a session has so many subscriptions and no more; the sentence says what to do', async () => {
  const { key } = await books()
  const { client: agent, session } = await client(key.text)
  const many = Object.fromEntries(
    Array.from({ length: MOST_URIS }, (_, i) => [`plumbline://projects/prj_${i}`, { position: 0, stamp: '0' }]),
  )
  await db.orm.execute(
    sql`update mcp_sessions set subscriptions = ${JSON.stringify(many)}::jsonb where id = ${session}`,
  )
  const error = await agent.subscribeResource({ uri: 'plumbline://projects' }).catch((thrown) => thrown)
  expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('Unsubscribe from one') })
})

test('a client that comes back with Last-Event-ID is told what changed in between; the newest stream of a session counts', async () => {
  const { key, projects, touch } = await books()
  const [id = ''] = projects
  const { client: agent, session } = await client(key.text)
  await agent.subscribeResource({ uri: `plumbline://projects/${id}` })
  const first = reading(await open(key.text, session))
  await vi.waitFor(() => expect(first.state.text).toMatch(/^id: \S+$/m), soon)
  await agent.close()
  const second = reading(await open(key.text, session))
  await vi.waitFor(() => expect(first.state.ended).toBe(true), soon)
  const place = /^id: (\S+)$/m.exec(first.state.text)?.[1] ?? ''
  await touch(id)
  await vi.waitFor(() => expect(second.messages()).toHaveLength(1), soon)
  const places = [...second.state.text.matchAll(/^id: (\S+)$/gm)].map(([, found = '']) => found)
  for (const [lastEventId, told] of [
    [place, 1],
    [places.at(-1) ?? '', 0],
    // Of a place that the feed never had, nothing is known.
    ['999999-1', 1],
    // Without one, what changed since it was subscribed to.
    ['made up', 1],
  ] as const) {
    const again = reading(await open(key.text, session, { 'last-event-id': lastEventId }))
    await vi.waitFor(() => expect(again.state.text).toMatch(/^id: /m), soon)
    if (told > 0) await vi.waitFor(() => expect(again.messages()).toHaveLength(told), soon)
    else {
      await new Promise((done) => setTimeout(done, 300))
      expect(again.messages(), lastEventId).toEqual([])
    }
  }
})

test('what another instance was told reaches the stream here, with what changed before it did', async () => {
  const { tenant, key, projects, touch } = await books()
  const [id = ''] = projects
  const { told, client: agent, session } = await client(key.text)
  await agent.subscribeResource({ uri: `plumbline://projects/${projects[1]}` })
  const uri = `plumbline://projects/${id}`
  const since = Object.values((await sessionSubscriptions(db, session)) ?? {})[0] ?? { position: 0, stamp: '0' }
  await touch(id)
  await touch(projects[1] ?? '')
  await vi.waitFor(() => expect(told).toHaveLength(1), soon)
  await db.orm.execute(
    sql`update mcp_sessions set subscriptions = subscriptions || jsonb_build_object(${uri}::text, ${JSON.stringify(since)}::jsonb)
      where id = ${session} and contractor_id = ${tenant.contractor.id}`,
  )
  await vi.waitFor(() => expect(told).toContain(uri), soon)
})

test('streams end with their key and with their session; a key has so many; without events nothing opens', async () => {
  const { tenant, key } = await books()
  const { session } = await client(key.text)
  const ended = reading(await open(key.text, session))
  expect((await open(key.text, session, { accept: 'application/json' })).status).toBe(406)
  expect((await open(key.text, 'mcp_none')).status).toBe(404)
  expect((await call('/mcp', { key: key.text, headers: { accept: 'text/event-stream' } })).status).toBe(400)
  const projects = ['plumbline://projects']
  const heard = reading(await listenTo(key.text, projects))
  const end = { method: 'DELETE', headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' } }
  expect((await call('/mcp', { key: key.text, ...end })).status).toBe(200)
  await vi.waitFor(() => expect(ended.state.ended).toBe(true), soon)
  for (let i = streams().size; i < STREAMS.ofKey; i++) reading(await listenTo(key.text, projects, i))
  const full = await listenTo(key.text, projects)
  expect([full.status, (await full.json()).message]).toEqual([429, expect.stringContaining('Too many streams')])
  await revokeKey(db.orm, key.id, tenant.operator)
  await vi.waitFor(() => expect(heard.state.ended).toBe(true), soon)
  expect(heard.messages().at(-1)).toMatchObject({ id: 5, result: { resultType: 'complete' } })
  await vi.waitFor(() => expect(streams().size).toBe(0), soon)
})

test('the stateless revision: acknowledges what it honors, tells it under the request’s id, and nothing else', async () => {
  const { key, projects, touch } = await books()
  const stranger = await books()
  const mine = `plumbline://projects/${projects[0]}`
  const theirs = `plumbline://projects/${stranger.projects[0]}`
  const heard = reading(await listenTo(key.text, [mine, theirs, 'plumbline://projects/prj_none'], 1.5))
  await vi.waitFor(() => expect(heard.messages()).toHaveLength(1), soon)
  await stranger.touch(stranger.projects[0] ?? '')
  await touch(projects[1] ?? '')
  await touch(projects[0] ?? '')
  await vi.waitFor(() => expect(heard.messages()).toHaveLength(2), soon)
  const _meta = { 'io.modelcontextprotocol/subscriptionId': 1.5 }
  expect(heard.messages()).toEqual([
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: [mine] }, _meta },
    },
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: mine, _meta } },
  ])
  const nothing = reading(await listenTo(key.text, [theirs], 9))
  await vi.waitFor(() => expect(nothing.state.ended).toBe(true), soon)
  expect(nothing.messages()).toMatchObject([{ params: { notifications: {} } }, { id: 9, result: {} }])
  const many = await listenTo(
    key.text,
    Array.from({ length: MOST_URIS + 1 }, (_, i) => `plumbline://projects/prj_${i}`),
  )
  expect(await many.json()).toMatchObject({
    id: 5,
    error: { code: -32602, data: { reason: expect.stringContaining('100') } },
  })
})
