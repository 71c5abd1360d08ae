import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { operatorFor, type PersonActor } from '@/lib/auth/actor'
import { revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { type Role, scopesOfRole } from '@/lib/auth/roles'
import { actorOf } from '@/lib/testing/answer-of'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { listKeyNames } from './key-names'
import { listRequests, tailRequests } from './log'
import { getUsage } from './usage'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const now = new Date()
const person = (contractorId: string, role: Role): PersonActor => ({
  kind: 'person',
  personId: 'person_1',
  name: 'Ana Lopez',
  email: 'ana@example.com',
  role,
  contractorId,
  scopes: scopesOfRole(role),
  address: '203.0.113.9',
})

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

test('developers read the log, its keys and usage; viewers and keys do not', async () => {
  const { contractor } = await makeTenant(db)
  const calls = [
    (actor: PersonActor) => execute(listKeyNames, { actor, now }, {}),
    (actor: PersonActor) => execute(listRequests, { actor, now }, {}),
    (actor: PersonActor) => execute(tailRequests, { actor, now }, {}),
    (actor: PersonActor) => execute(getUsage, { actor, now }, {}),
  ]
  for (const call of calls) {
    await call(person(contractor.id, 'developer'))
    await call(person(contractor.id, 'admin'))
    await expect(call(person(contractor.id, 'viewer'))).rejects.toMatchObject({ code: 'forbidden' })
  }
  await expect(execute(listKeyNames, { actor: actorOf(contractor), now }, {})).rejects.toMatchObject({
    code: 'forbidden',
  })
})
