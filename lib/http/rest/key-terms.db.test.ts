import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { type Actor, operatorFor } from '@/lib/auth/actor'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { changeKey, revokeKey, rotateKey } from '@/lib/operations/keys/change-keys'
import { createKey } from '@/lib/operations/keys/create-key'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const SCOPES = ['read:customers', 'read:projects', 'write:leads'] as const
const LEAD = { firstName: 'Ana', lastName: 'Ruiz', phone: '(615) 555-0142', leadSource: 'Referral', externalId: 'x-1' }
const admin = (contractorId: string) =>
  personActor({ id: 'psn_test', name: 'Ana\nRuiz', email: 'ana@example.com' }, contractorId)

const make = (contractorId: string, terms: object, actor: Actor = admin(contractorId)) =>
  execute(createKey, { actor, now: new Date() }, { name: 'k', scopes: [...SCOPES], ...terms })

test('a key with allowed IPs gets 403 from any other address, over REST, webhook and MCP; the refused lead is stored', async () => {
  const { contractor } = await makeTenant(db)
  const allowedAddresses = ['203.0.113.0/24', ' 2001:db8::7 ']
  const { secret: key } = await make(contractor.id, { name: 'bound', allowedAddresses })
  const from = (address: string, path = '/api/v1/customers', more = {}) => call(path, { key, address, ...more })
  expect((await from('203.0.113.7')).status).toBe(200)
  expect((await from('2001:db8::7')).status).toBe(200)
  const refused = await from('198.51.100.1')
  expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  expect(refused.body.error).toContain('198.51.100.1')
  const json = { 'content-type': 'application/json' }
  const lead = { method: 'POST', headers: json, body: JSON.stringify(LEAD) }
  expect((await from('198.51.100.1', '/api/webhooks/leads/inbound', lead)).status).toBe(403)
  const kept = await rows(db.orm, sql`select status from lead_deliveries where contractor_id = ${contractor.id}`)
  expect(kept).toEqual([{ status: 403 }])
  const ping = { method: 'POST', headers: json, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) }
  expect((await from('198.51.100.1', '/mcp/rpc', ping)).status).toBe(403)
})

test('a key’s own limit counts everything done with it, from any address, beside the usual limits', async () => {
  const { contractor } = await makeTenant(db)
  const { secret: key } = await make(contractor.id, { name: 'slow', perMinute: 3 })
  const statuses: number[] = []
  for (const path of ['/api/v1/customers', '/api/v1/projects', '/api/v1/customers', '/api/v1/projects'])
    statuses.push((await call(path, { key })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  const refused = await call('/api/v1/customers', { key })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(refused.body.error).toContain('3 requests')
  // At /mcp a call is answered with a result that says when to go on; what is no call, and every request to /mcp/rpc, with 429.
  const { secret: slow } = await make(contractor.id, { name: 'agent', perMinute: 1 })
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const post = (path: string, method: string, more: object, session = {}) =>
    call(path, {
      key: slow,
      method: 'POST',
      headers: { ...headers, ...session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: more }),
    })
  const opened = await post('/mcp', 'initialize', params)
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const LIST = { name: 'list_customers', arguments: {} }
  const told = await post('/mcp', 'tools/call', LIST, session)
  expect([told.status, told.body.result.isError]).toEqual([200, true])
  const seconds = Number(told.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  const error = expect.stringContaining('1 requests')
  expect(JSON.parse(told.body.result.content[0].text)).toEqual({
    error,
    code: 'rate_limited',
    retryAfterSeconds: seconds,
  })
  expect((await post('/mcp', 'tools/list', {}, session)).status).toBe(429)
  expect((await post('/mcp/rpc', 'tools/call', LIST)).status).toBe(429)
})

test('a key whose limit replaces the one per address goes on where its address is over that limit; others there do not', async () => {
  const { contractor } = await makeTenant(db)
  const address = '198.51.100.77'
  const { secret: plain } = await make(contractor.id, { name: 'plain' })
  const { secret: own } = await make(contractor.id, { name: 'platform', perMinute: 14, insteadOfAddress: true })
  for (let i = 0; i < 10; i++) expect((await call('/api/v1/projects', { key: plain, address })).status).toBe(200)
  expect((await call('/api/v1/projects', { key: plain, address })).status).toBe(429)
  // Not known to this process yet, and its address is over its limit.
  const shown: (string | null)[] = []
  for (let i = 0; i < 14; i++) {
    const { status, headers } = await call('/api/v1/projects', { key: own, address })
    expect(status).toBe(200)
    expect(headers.get('ratelimit-policy')).toBe('"key";q=14;w=60')
    shown.push(headers.get('x-ratelimit-remaining'))
  }
  expect(shown).toEqual(Array.from({ length: 14 }, (_, i) => String(13 - i)))
  const over = await call('/api/v1/customers', { key: own, address })
  expect(over).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(over.headers.get('x-ratelimit-remaining')).toBe('0')
  expect((await call('/api/v1/projects', { key: plain, address })).status).toBe(429)
  // The operator's bound holds whatever an administrator enters.
  const { secret: much } = await make(contractor.id, { name: 'much', perMinute: 5_000, insteadOfAddress: true })
  expect((await call('/api/v1/projects', { key: much })).headers.get('x-ratelimit-limit')).toBe('600')
})

test('of several limits the nearest is shown, and each by its name', async () => {
  const { contractor } = await makeTenant(db)
  const { secret: key } = await make(contractor.id, { name: 'both', perMinute: 3 })
  const address = '198.51.100.78'
  const first = await call('/api/v1/projects', { key, address })
  expect(first.headers.get('x-ratelimit-limit')).toBe('3')
  expect(first.headers.get('x-ratelimit-remaining')).toBe('2')
  expect(first.headers.get('ratelimit-policy')).toBe('"data-api";q=10;w=60, "key";q=3;w=60')
  expect(first.headers.get('ratelimit')).toMatch(/^"data-api";r=9;t=\d+, "key";r=2;t=\d+$/)
})

test('invalid key settings are refused with a reason; changes apply at once and to successors; all is in the audit log', async () => {
  const { contractor } = await makeTenant(db)
  const { contractor: other } = await makeTenant(db)
  const by = { actor: admin(contractor.id), now: new Date() }
  const refusals = [
    [{ allowedAddresses: ['10', '192.0.2.1', '203.0.113.0/33'] }, ['allowedAddresses.0', 'allowedAddresses.2']],
    [{ perMinute: 0, name: ' ' }, ['name', 'perMinute']],
    [{ perMinute: 1.5 }, ['perMinute']],
    [{ perMinute: 100_001 }, ['perMinute']],
    [{ insteadOfAddress: true }, ['perMinute']],
    [{ scopes: [] }, ['scopes']],
    [{ expiresAt: new Date(Date.now() - 1000) }, ['expiresAt']],
  ] as const
  for (const [terms, fields] of refusals) {
    const refused = await make(contractor.id, terms).catch((error) => error)
    expect(refused).toMatchObject({ code: 'bad_request' })
    expect(refused.fields.map(({ field }: { field: string }) => field)).toEqual(fields)
  }
  const made = await make(contractor.id, {})
  expect((await call('/api/v1/customers', { key: made.secret })).status).toBe(200)
  await execute(changeKey, by, { id: made.id, name: 'renamed', allowedAddresses: ['192.0.2.1'] })
  expect((await call('/api/v1/customers', { key: made.secret })).status).toBe(403)
  const next = await execute(rotateKey, by, { id: made.id, overlap: '1h' })
  expect((await call('/api/v1/customers', { key: next.secret, address: '192.0.2.1' })).status).toBe(200)
  expect((await call('/api/v1/customers', { key: next.secret, address: '192.0.2.2' })).status).toBe(403)
  const attempts = (ctx: Context) => [
    () => execute(changeKey, ctx, { id: next.id, name: 'mine' }),
    () => execute(rotateKey, ctx, { id: next.id, overlap: 'now' }),
    () => execute(revokeKey, ctx, { id: next.id }),
  ]
  const strangers = [admin(other.id), operatorFor(other.id)]
  for (const actor of strangers)
    for (const attempt of attempts({ ...by, actor })) await expect(attempt()).rejects.toMatchObject({ status: 404 })
  await execute(revokeKey, by, { id: next.id })
  const events = await listAudit(db.orm, { contractorId: contractor.id, limit: 10 })
  expect(events.map(({ event, actorName }) => [event, actorName])).toEqual(
    ['key_revoked', 'key_revoked', 'key_rotated', 'key_changed', 'key_created'].map((event) => [
      event,
      'Ana Ruiz <ana@example.com>',
    ]),
  )
  for (const secret of [made.secret, next.secret]) expect(JSON.stringify(events)).not.toContain(secret)
})
