import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { listKeys } from '@/db/queries/keys'
import { putMember } from '@/db/queries/members'
import { newId } from '@/lib/core/ids'
import type { Role } from '@/lib/core/roles'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import type { PersonActor } from '../actor'
import { authenticate } from '../authenticate'
import { forgetKeys } from '../key-cache'
import { rotateKey } from '../manage-keys'
import { isExplorerKey, issueExplorerKey } from './explorer-key'
import { changeMember } from './members'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** Creates a member of a contractor without a password. */
async function person(contractorId: string, role: Role, name = 'Ana Lopez'): Promise<PersonActor> {
  const id = newId('person')
  await db.orm.execute(sql`insert into people (id, name, email) values (${id}, ${name}, ${`${id}.ana@example.com`})`)
  await putMember(db.orm, { contractorId, personId: id, role })
  return personActor({ id, name, email: 'ana@example.com' }, contractorId, role)
}

const reads = (text: string) => authenticate(new Headers({ 'x-api-key': text }))

test('a developer gets a read-only key for this contractor for an hour; the audit log records it', async () => {
  const { contractor } = await makeTenant(db)
  const before = Date.now()
  const { text, id } = await issueExplorerKey(await person(contractor.id, 'developer'))
  const actor = await authenticate(new Headers({ 'x-api-key': text }))
  expect(actor.contractorId).toBe(contractor.id)
  expect([...actor.scopes].filter((scope) => !scope.startsWith('read:'))).toEqual([])
  expect(actor.scopes.has('read:invoices')).toBe(true)
  const [key] = await listKeys(db.orm, contractor.id)
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

test('it expires after an hour', async () => {
  const { contractor } = await makeTenant(db)
  const holder = await person(contractor.id, 'admin')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_001 })
  const { text } = await issueExplorerKey(holder).finally(() => vi.useRealTimers())
  await expect(authenticate(new Headers({ 'x-api-key': text }))).rejects.toMatchObject({ code: 'unauthorized' })
})

test('the sixth within a minute is refused, and a long name is cut', async () => {
  const { contractor } = await makeTenant(db)
  const ana = await person(contractor.id, 'developer', 'A'.repeat(100))
  for (let n = 0; n < 5; n++) expect((await issueExplorerKey(ana)).name).toHaveLength(100)
  await expect(issueExplorerKey(ana)).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await listKeys(db.orm, contractor.id)).toHaveLength(5)
})

test('it ends with its holder’s access, and so does its successor; other keys and those of other people stay', async () => {
  const { contractor, key } = await makeTenant(db)
  const admin = await person(contractor.id, 'admin')
  const { text: plain } = await key()
  const kept = await issueExplorerKey(await person(contractor.id, 'developer'))
  for (const [role, after] of [
    ['developer', null],
    ['admin', 'viewer'],
  ] as const) {
    const holder = await person(contractor.id, role)
    const first = await issueExplorerKey(holder)
    const second = await issueExplorerKey(holder)
    const successor = await rotateKey(db.orm, second.id, '1h', admin)
    await changeMember(admin, holder.personId, 'developer')
    for (const { text } of [first, second, successor]) expect((await reads(text)).contractorId).toBe(contractor.id)
    await changeMember(admin, holder.personId, after)
    for (const { text } of [first, second, successor])
      await expect(reads(text)).rejects.toMatchObject({ code: 'unauthorized' })
    const events = await listAudit(db.orm, { contractorId: contractor.id, event: 'key_revoked', limit: 3 })
    expect(events.map(({ subject }) => subject).sort()).toEqual([first.id, second.id, successor.id].sort())
  }
  await reads(plain)
  await reads(kept.text)
})

test('it also ends when its holder’s membership is removed in any other way', async () => {
  const { contractor } = await makeTenant(db)
  const holder = await person(contractor.id, 'developer')
  const { text } = await issueExplorerKey(holder)
  await reads(text)
  await db.orm.execute(sql`delete from members where person_id = ${holder.personId}`)
  forgetKeys()
  await expect(reads(text)).rejects.toMatchObject({ code: 'unauthorized' })
})
