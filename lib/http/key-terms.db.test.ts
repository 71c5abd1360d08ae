import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { openTestDatabase } from '@/db/testing'
import { changeKey, createKey, revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { scopesOfRole } from '@/lib/auth/roles'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const SCOPES = ['read:customers', 'read:projects', 'write:leads'] as const
const LEAD = { firstName: 'Ana', lastName: 'Ruiz', phone: '(615) 555-0142', leadSource: 'Referral', externalId: 'x-1' }
const admin = (contractorId: string) => ({
  kind: 'person' as const,
  personId: 'psn_test',
  name: 'Ana\nRuiz',
  email: 'ana@example.com',
  role: 'admin' as const,
  contractorId,
  scopes: scopesOfRole('admin'),
  address: '203.0.113.9',
})

test('a key that is bound to addresses: 403 from any other, over REST, webhook and MCP; the lead is kept', async () => {
  const { contractor } = await makeTenant(db)
  const allowedAddresses = ['203.0.113.0/24', ' 2001:db8::7 ']
  const { text: key } = await createKey(db.orm, contractor, { name: 'bound', scopes: SCOPES, allowedAddresses })
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
  const { text: key } = await createKey(db.orm, contractor, { name: 'slow', scopes: SCOPES, perMinute: 3 })
  const statuses: number[] = []
  for (const path of ['/api/v1/customers', '/api/v1/projects', '/api/v1/customers', '/api/v1/projects'])
    statuses.push((await call(path, { key })).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  const refused = await call('/api/v1/customers', { key })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(refused.body.error).toContain('3 requests')
})

test('terms that cannot be are refused in words; changes work at once; a successor has them too; all is in the audit log', async () => {
  const { contractor } = await makeTenant(db)
  const { contractor: other } = await makeTenant(db)
  const by = admin(contractor.id)
  const make = (terms: object) => createKey(db.orm, contractor, { name: 'k', scopes: SCOPES, ...terms }, by)
  await expect(make({ allowedAddresses: ['10', '203.0.113.0/33'] })).rejects.toThrow(
    '10, 203.0.113.0/33: not an address',
  )
  for (const perMinute of [0, 1.5, 100_001]) await expect(make({ perMinute })).rejects.toThrow('own limit')
  const made = await make({})
  expect((await call('/api/v1/customers', { key: made.text })).status).toBe(200)
  await changeKey(db.orm, made.id, { name: 'renamed', allowedAddresses: ['192.0.2.1'] }, by)
  expect((await call('/api/v1/customers', { key: made.text })).status).toBe(403)
  const next = await rotateKey(db.orm, made.id, '1h', by)
  expect((await call('/api/v1/customers', { key: next.text, address: '192.0.2.1' })).status).toBe(200)
  expect((await call('/api/v1/customers', { key: next.text, address: '192.0.2.2' })).status).toBe(403)
  const stranger = admin(other.id)
  for (const attempt of [
    () => changeKey(db.orm, next.id, { name: 'mine' }, stranger),
    () => rotateKey(db.orm, next.id, 'now', stranger),
    () => revokeKey(db.orm, next.id, stranger),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 })
  await revokeKey(db.orm, next.id, by)
  const events = await listAudit(db.orm, { contractorId: contractor.id, limit: 10 })
  expect(events.map(({ event, actorName }) => [event, actorName])).toEqual(
    ['key_revoked', 'key_rotated', 'key_changed', 'key_created'].map((event) => [event, 'Ana Ruiz <ana@example.com>']),
  )
  for (const secret of [made.text, next.text]) expect(JSON.stringify(events)).not.toContain(secret)
})
