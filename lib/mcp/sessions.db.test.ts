import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { endSession, openSession, SESSIONS_PER_KEY } from '@/db/queries/mcp-sessions'
import { PRESETS } from '@/lib/auth/scopes'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const initialize = (capabilities: object, clientInfo: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo },
  })

test('initialize keeps a session’s few words, however much a client says of itself', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key(PRESETS.agent.scopes)
  const large = { experimental: { note: { text: 'x'.repeat(900_000) } } }
  const { status, headers } = await call('/mcp', {
    key,
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: initialize(large, { name: 'n'.repeat(50_000), version: 'v'.repeat(50_000) }),
  })
  expect(status).toBe(200)
  const [stored] = await rows<{ bytes: number }>(
    db.orm,
    sql`select length(t::text)::int as bytes from mcp_sessions t where id = ${headers.get('mcp-session-id')}`,
  )
  expect(stored?.bytes).toBeLessThan(600)
})

test('a key has as many sessions as it may and no more, also when they are opened beside each other; the idlest goes', async () => {
  const { contractor } = await makeTenant(db)
  const [keyLineage, other] = ['key_many', 'key_other']
  const open = (id: string, lineage = keyLineage) =>
    openSession(db.orm, {
      id,
      contractorId: contractor.id,
      keyLineage: lineage,
      protocolVersion: '2025-11-25',
      clientName: null,
    })
  const stored = async (lineage: string) =>
    (await rows<{ id: string }>(db.orm, sql`select id from mcp_sessions where key_lineage = ${lineage}`)).map(
      ({ id }) => id,
    )
  await rows(
    db.orm,
    sql`insert into mcp_sessions (id, contractor_id, key_lineage, protocol_version, seen_at)
      select 'mcp_' || i, ${contractor.id}, ${keyLineage}, '2025-11-25', now() - i * interval '1 second'
      from generate_series(1, ${SESSIONS_PER_KEY}::int) i`,
  )
  await open('mcp_of_another', other)
  await Promise.all(Array.from({ length: 40 }, (_, i) => open(`mcp_new_${i}`)))
  const left = await stored(keyLineage)
  expect(left).toHaveLength(SESSIONS_PER_KEY)
  for (let i = 0; i < 40; i++) {
    expect(left).toContain(`mcp_new_${i}`)
    expect(left).not.toContain(`mcp_${SESSIONS_PER_KEY - i}`)
  }
  expect(await stored(other)).toEqual(['mcp_of_another'])
})

test('a session that another process ended: 404 within five seconds', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key(PRESETS.agent.scopes)
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const opened = await call('/mcp', {
    key,
    method: 'POST',
    headers,
    body: initialize({}, { name: 'c', version: '1' }),
  })
  const id = opened.headers.get('mcp-session-id') ?? ''
  const params = { name: 'list_invoices', arguments: {} }
  const list = () =>
    call('/mcp', {
      key,
      method: 'POST',
      headers: { ...headers, 'mcp-session-id': id },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
  for (const _ of [1, 2]) expect(await list()).toMatchObject({ status: 200 })
  await endSession(db.orm, id)
  await expect.poll(async () => (await list()).status, { timeout: 5_000, interval: 500 }).toBe(404)
}, 15_000)
