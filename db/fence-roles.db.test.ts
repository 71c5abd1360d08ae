import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestPostgres, reaching, TEST_POSTGRES_URL } from '@/lib/testing/database'
import { operatorFor } from '../lib/auth/actor'
import { createKey, revokeKey } from '../lib/auth/manage-keys'
import { loadEnv } from '../lib/core/env'
import { newId } from '../lib/core/ids'
import { collectLog } from '../lib/testing/log'
import { openDatabase, rows, withinContractor } from './client'
import { insertContractor } from './queries/contractors'

const way = process.env.TEST_DRIVER === 'vercel' ? 'vercel' : 'pg'
let told: ReturnType<typeof collectLog>
beforeEach(() => {
  told = collectLog()
})
afterEach(() => told.end())
/** Returns the lines logged since a given line. */
const saidSince = (line: number) =>
  told
    .lines()
    .slice(line)
    .map(({ message }) => message)

async function asSuperuser(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: TEST_POSTGRES_URL })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a database whose owner is an ordinary user, as hosting platforms do. */
async function makeOwned() {
  const user = `plumbline_test_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  const { url, drop } = await createTestPostgres()
  const name = new URL(url).pathname.slice(1)
  await asSuperuser(`create role ${user} login password '${password}'`, `alter database ${name} owner to ${user}`)
  const owned = new URL(url)
  owned.username = user
  owned.password = password
  const open = () => openDatabase({ ...loadEnv(reaching(way, owned.href)), poolSize: 2 })
  return { user, open, drop: () => drop().then(() => asSuperuser(`drop role ${user}`)) }
}

const inside = async (db: Awaited<ReturnType<typeof openDatabase>>, contractorId: string) =>
  withinContractor(db.orm, contractorId, (tx) =>
    rows<{ role: string; n: number }>(tx, sql`select current_user::text as role, count(*)::int as n from contractors`),
  )

// The embedded database has one user, who is a superuser.
describe.runIf(process.env.TEST_DRIVER !== 'pglite')('an owner who is no administrator', () => {
  test('a database user without the role gets instructions, and works without the fence', async () => {
    // The role already exists, because another database of the cluster created it.
    await makeRole()
    const { user, open, drop } = await makeOwned()
    const db = await open()
    expect(saidSince(0)).toEqual([expect.stringContaining('GRANT plumbline_tenant TO')])
    expect(told.text()).not.toContain(user)
    const contractor = await insertContractor(db.orm, { id: newId('contractor'), slug: 'one', name: 'One' })
    if (!contractor) throw new Error('the database is new')
    await insertContractor(db.orm, { id: newId('contractor'), slug: 'two', name: 'Two' })
    const by = operatorFor(contractor.id)
    const key = await createKey(db.orm, contractor, { name: 'one', scopes: ['write:leads'] }, by)
    await revokeKey(db.orm, key.id, by)
    expect(await inside(db, contractor.id)).toEqual([{ role: user, n: 2 }])
    await db.close()

    const before = told.lines().length
    await asSuperuser(`grant plumbline_tenant to ${user}`)
    const again = await open()
    expect(saidSince(before)).toEqual([])
    expect(await inside(again, contractor.id)).toEqual([{ role: 'plumbline_tenant', n: 1 }])
    const next = await createKey(again.orm, contractor, { name: 'two', scopes: ['write:leads'] }, by)
    await revokeKey(again.orm, next.id, by)
    await again.close()

    await asSuperuser(`revoke plumbline_tenant from ${user}`)
    const without = await open()
    expect(saidSince(before)).toHaveLength(1)
    expect(await inside(without, contractor.id)).toEqual([{ role: user, n: 2 }])
    await without.close()
    await drop()
  })

  test('several databases of a cluster create the fence at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 4 }, makeOwned))
    await makeRole()
    await asSuperuser(...all.map(({ user }) => `alter role ${user} createrole`))
    await asSuperuser(...all.map(({ user }) => `grant plumbline_tenant to ${user} with admin option`))
    const opened = await Promise.all(all.map(({ open }) => open()))
    expect(saidSince(0)).toEqual([])
    for (const db of opened) {
      expect(await inside(db, 'con_none')).toEqual([{ role: 'plumbline_tenant', n: 0 }])
      await db.close()
    }
    for (const { drop } of all) await drop()
  })
})

const makeRole = () =>
  asSuperuser(
    'do $$ begin create role plumbline_tenant nologin; exception when duplicate_object or unique_violation then null; end $$',
  )
