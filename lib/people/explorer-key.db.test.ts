import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { listKeys } from '@/db/queries/keys'
import { openTestDatabase } from '@/db/testing'
import type { PersonActor } from '@/lib/auth/actor'
import { authenticate } from '@/lib/auth/authenticate'
import { type Role, scopesOfRole } from '@/lib/auth/roles'
import { makeTenant } from '@/lib/testing/tenant'
import { isExplorerKey, issueExplorerKey } from './explorer-key'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const person = (contractorId: string, role: Role, name = 'Ana Lopez'): PersonActor => ({
  kind: 'person',
  personId: `person_${contractorId}_${role}`,
  name,
  email: 'ana@example.com',
  role,
  contractorId,
  scopes: scopesOfRole(role),
  address: '203.0.113.9',
})

test('a developer gets a key that reads this contractor for an hour and writes nothing; it is written down', async () => {
  const { contractor } = await makeTenant(db)
  const before = Date.now()
  const { text, id } = await issueExplorerKey(person(contractor.id, 'developer'))
  const actor = await authenticate(new Headers({ 'x-api-key': text }))
  expect(actor.contractorId).toBe(contractor.id)
  expect([...actor.scopes].filter((scope) => !scope.startsWith('read:'))).toEqual([])
  expect(actor.scopes.has('read:invoices')).toBe(true)
  const [{ key } = { key: undefined }] = await listKeys(db.orm, contractor.id)
  expect(key?.name).toBe('Explorer, Ana Lopez')
  expect(key && isExplorerKey(key)).toBe(true)
  expect(key && isExplorerKey({ ...key, expiresAt: null })).toBe(false)
  expect(key && isExplorerKey({ ...key, name: 'Warehouse' })).toBe(false)
  const life = (key?.expiresAt?.getTime() ?? 0) - before
  expect(life).toBeGreaterThanOrEqual(3_600_000)
  expect(life).toBeLessThan(3_660_000)
  const [entry] = await listAudit(db.orm, { contractorId: contractor.id, limit: 1 })
  expect(entry).toMatchObject({ event: 'key_created', subject: id, actorName: 'Ana Lopez <ana@example.com>' })
  expect(JSON.stringify(entry)).not.toContain(text)
})

test('it is over after the hour', async () => {
  const { contractor } = await makeTenant(db)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_001 })
  const { text } = await issueExplorerKey(person(contractor.id, 'admin')).finally(() => vi.useRealTimers())
  await expect(authenticate(new Headers({ 'x-api-key': text }))).rejects.toMatchObject({ code: 'unauthorized' })
})

test('a viewer gets none, the sixth within a minute is refused, and a long name is cut', async () => {
  const { contractor } = await makeTenant(db)
  await expect(issueExplorerKey(person(contractor.id, 'viewer'))).rejects.toMatchObject({ code: 'forbidden' })
  const ana = person(contractor.id, 'developer', 'A'.repeat(100))
  for (let n = 0; n < 5; n++) expect((await issueExplorerKey(ana)).name).toHaveLength(100)
  await expect(issueExplorerKey(ana)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await listKeys(db.orm, contractor.id)).toHaveLength(5)
})
