import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { listKeyNames } from './key-names'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

test('every key of the contractor, those that are over too; nothing of another contractor, and no secret', async () => {
  const tenant = await makeTenant(db)
  const other = await makeTenant(db)
  await other.key()
  const living = await tenant.key()
  const revoked = await tenant.key()
  const rotated = await tenant.key()
  await revokeKey(db.orm, revoked.id, tenant.operator)
  const successor = await rotateKey(db.orm, rotated.id, 'now', tenant.operator)
  const { items } = await execute(listKeyNames, { actor: operatorFor(tenant.contractor.id), now: new Date() }, {})
  const over = Object.fromEntries(items.map(({ keyId, isOver }) => [keyId, isOver]))
  expect(over).toEqual({ [living.id]: false, [revoked.id]: true, [rotated.id]: true, [successor.id]: false })
  for (const item of items) expect(Object.keys(item).sort()).toEqual(['isOver', 'keyId', 'last4', 'name'])
})
