import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type ElicitRequest, ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { PRESETS } from '@/lib/auth/scopes'
import { fetchInProcess } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { WAIT } from './questions'

let db: Database
const { forMs } = WAIT
beforeAll(async () => {
  process.env.RATE_LIMIT_MCP = '1000000'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterEach(() => {
  WAIT.forMs = forMs
})
afterAll(() => db.close())

const CHECK = {
  name: 'check_permit_requirements',
  arguments: { jurisdiction: 'us-tn-nashville', workTypes: ['fence'] },
}
type Params = ElicitRequest['params']

/** A client in a session that shows its person forms, and what it was asked. */
async function person(answer: (asked: Params) => ElicitResult | Promise<ElicitResult>) {
  const { text: key } = await (await makeTenant(db)).key(PRESETS.agent.scopes)
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  const asked: Params[] = []
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params)
    return answer(params)
  })
  const url = new URL('http://localhost/mcp')
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { 'x-api-key': key } },
    fetch: fetchInProcess(),
  })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  return { client, key, asked, transport, check: () => client.callTool(CHECK) }
}

const fieldsOf = (params: Params) =>
  'requestedSchema' in params ? Object.entries(params.requestedSchema.properties) : []
const filled = (params: Params) =>
  Object.fromEntries(fieldsOf(params).map(([name, { type }]) => [name, type === 'number' ? 6 : false]))
const missingOf = (result: unknown) => Object(result).structuredContent.requirements[0].missing
const left = () => rows(db.orm, sql`select id from mcp_questions`)

test('a permit check in a session asks its person until nothing is missing, and answers as if all had been given at once', async () => {
  const { client, asked, check } = await person((params) => ({ action: 'accept', content: filled(params) }))
  const result = await check()
  expect(missingOf(result)).toEqual([])
  expect(asked.length).toBeGreaterThan(0)
  for (const params of asked) {
    expect(params).toMatchObject({ mode: 'form', message: expect.stringContaining('permit check') })
    for (const [, { title }] of fieldsOf(params)) expect(title).toContain('?')
  }
  const facts = Object.assign({}, ...asked.map(filled))
  const quiet = await person(() => ({ action: 'decline' }))
  const atOnce = await quiet.client.callTool({ ...CHECK, arguments: { ...CHECK.arguments, facts } })
  expect(result.structuredContent).toEqual(atOnce.structuredContent)
  expect(quiet.asked).toEqual([])
  expect(await left()).toEqual([])
  await client.close()
})

test('who declines, cancels or knows nothing is asked once, and gets the answer that names what is missing', async () => {
  for (const answer of [{ action: 'decline' }, { action: 'cancel' }, { action: 'accept', content: {} }] as const) {
    const { asked, check } = await person(() => answer)
    expect(missingOf(await check()).length).toBeGreaterThan(0)
    expect(asked).toHaveLength(1)
  }
})

test('a client that does not answer in time gets the answer that names what is missing', async () => {
  WAIT.forMs = 50
  const { asked, check } = await person(() => new Promise(() => {}))
  expect(missingOf(await check()).length).toBeGreaterThan(0)
  expect(asked).toHaveLength(1)
  expect(await left()).toEqual([])
})

test('an answer counts in the session that was asked, once; another key’s and a made-up one change nothing', async () => {
  const other = await person(() => ({ action: 'decline' }))
  const { asked, check } = await person(async (params) => {
    const [{ id }] = (await rows<{ id: string }>(db.orm, sql`select id from mcp_questions where answer is null`)) as [
      { id: string },
    ]
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-session-id': other.transport.sessionId ?? '',
      'mcp-protocol-version': '2025-11-25',
    }
    for (const name of [id, 'ask_made_up', 7]) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: name, result: { action: 'decline' } })
      expect((await call('/mcp', { key: other.key, method: 'POST', headers, body })).status).toBe(202)
    }
    expect(await rows(db.orm, sql`select answer from mcp_questions where id = ${id}`)).toEqual([{ answer: null }])
    return { action: 'accept', content: filled(params) }
  })
  expect(missingOf(await check())).toEqual([])
  expect(asked.length).toBeGreaterThan(0)
})

test('a call that its client cancels asks nothing more and gets no answer; another session cancels nothing', async () => {
  const { text: key } = await (await makeTenant(db)).key(PRESETS.agent.scopes)
  const post = (message: object, session: Record<string, string> = {}) => {
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...session }
    return call('/mcp', { key, method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) })
  }
  const connect = async () => {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo }
    const { headers } = await post({ id: 0, method: 'initialize', params })
    return { 'mcp-session-id': headers.get('mcp-session-id') ?? '' }
  }
  const [session, other] = [await connect(), await connect()]
  const cancel = (requestId: unknown, by: Record<string, string>) =>
    post({ method: 'notifications/cancelled', params: { requestId } }, by)
  let ended = false
  const called = post({ id: 5, method: 'tools/call', params: CHECK }, session).finally(() => {
    ended = true
  })
  await expect.poll(async () => (await left()).length).toBe(1)
  for (const [requestId, by] of [
    [5, other],
    [6, session],
    ['5', session],
  ] as const)
    expect((await cancel(requestId, by)).status).toBe(202)
  expect([ended, (await left()).length]).toEqual([false, 1])
  expect((await cancel(5, session)).status).toBe(202)
  const { status, text } = await called
  expect([status, text.includes('elicitation/create'), text.includes('"id":5')]).toEqual([200, true, false])
  await expect.poll(left).toEqual([])
})
