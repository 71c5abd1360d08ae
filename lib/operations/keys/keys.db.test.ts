import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import type { PersonActor } from '@/lib/auth/actor'
import { createKey, revokeKey, rotateKey } from '@/lib/auth/manage-keys'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { revokeKey as revoke } from './change-keys'
import { listKeys } from './list-keys'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const ANA = { id: 'psn_test', email: 'ana@example.com' }
const list = async (actor: PersonActor) => (await execute(listKeys, { actor, now: new Date() }, {})).items

test('list_keys: the contractor’s own keys with terms and state, newest first; no secret, and nobody else’s', async () => {
  const { contractor, operator } = await makeTenant(db)
  const { contractor: other, key: othersKey } = await makeTenant(db)
  await othersKey()
  const terms = { allowedAddresses: ['203.0.113.0/24'], perMinute: 30 }
  const first = await createKey(db.orm, contractor, { name: 'first', scopes: ['read:invoices'], ...terms }, operator)
  const leads = { name: 'second', scopes: ['write:leads'], preset: 'lead-source' } as const
  const second = await createKey(db.orm, contractor, leads, operator)
  const next = await rotateKey(db.orm, first.id, '1h', operator)
  await revokeKey(db.orm, second.id, operator)
  const keys = await list(personActor(ANA, contractor.id))
  expect(keys.map(({ id, state, rotatedTo }) => [id, state, rotatedTo])).toEqual([
    [next.id, 'active', null],
    [second.id, 'revoked', null],
    [first.id, 'overlap', next.id],
  ])
  expect(keys[0]).toMatchObject({ name: 'first', masked: `plb_live_…${next.text.slice(-4)}`, ...terms })
  expect(JSON.stringify(keys)).not.toContain('ecret')
  for (const { text } of [first, second, next]) expect(JSON.stringify(keys)).not.toContain(text.slice(9, -4))
  expect((await list(personActor(ANA, other.id))).map(({ name }) => name)).toEqual(['test'])
})

test('revoke_key: of a rotated key both secrets, only the new one or only the old one; the default is both', async () => {
  const { contractor, operator } = await makeTenant(db)
  const actor = personActor(ANA, contractor.id)
  const now = new Date()
  const statesAfter = async (secrets?: 'both' | 'new' | 'old') => {
    const first = await createKey(db.orm, contractor, { name: 'rotated', scopes: ['read:invoices'] }, operator)
    const second = await rotateKey(db.orm, first.id, '24h', operator)
    const third = await rotateKey(db.orm, second.id, '24h', operator)
    const { revoked } = await execute(revoke, { actor, now }, { id: third.id, ...(secrets && { secrets }) })
    const states = new Map((await list(actor)).map(({ id, state }) => [id, state]))
    const ended = [first, second, third].filter(({ id }) => revoked.includes(id)).length
    return [ended, ...[third, second, first].map(({ id }) => states.get(id))]
  }
  expect(await statesAfter()).toEqual([3, 'revoked', 'revoked', 'revoked'])
  expect(await statesAfter('new')).toEqual([1, 'revoked', 'overlap', 'overlap'])
  expect(await statesAfter('old')).toEqual([2, 'active', 'revoked', 'revoked'])
  const alone = await createKey(db.orm, contractor, { name: 'alone', scopes: ['read:invoices'] }, operator)
  await expect(execute(revoke, { actor, now }, { id: alone.id, secrets: 'old' })).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('nothing left to revoke'),
  })
})
