import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESOURCES } from '@/lib/resources/registry'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { type Database, type Orm, rows, shareDatabase } from '../client'
import { noteTime } from './clock'

let db: Database
beforeAll(async () => {
  process.env.EXTERNAL_API_TOKEN_SECRET = 'a-secret-for-tests-of-32-characters'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const LISTS = RESOURCES.map(({ source }) => source.table)

/** Makes the database look as if its clock was set back: every row is in the future. */
async function setBack(contractorId: string, by: string): Promise<void> {
  for (const list of LISTS) {
    await rows(db.orm, sql`alter table ${sql.identifier(list)} disable trigger user`)
    await rows(
      db.orm,
      sql`update ${sql.identifier(list)} set updated_at = updated_at + ${by}::interval where contractor_id = ${contractorId}`,
    )
    await rows(db.orm, sql`alter table ${sql.identifier(list)} enable trigger user`)
  }
}

async function tenantWithBooks(count = 3) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(count))
  const { text: key } = await tenant.key()
  const list = async (resource: string, after = ''): Promise<{ id: string; updatedAt: string; name?: string }[]> => {
    const { body } = await call(`/api/v1/${resource}?limit=100${after && `&updatedAfter=${after}`}`, { key })
    return body.items
  }
  return { ...tenant, list }
}

describe.each(RESOURCES)('$name, after the clock was set back an hour', ({ name: resource, source: { table } }) => {
  test('a new or changed row comes after everything that was already listed', async () => {
    const tenant = await tenantWithBooks()
    const [oldest] = await tenant.list(resource)
    await setBack(tenant.contractor.id, '1 hour')
    const shown = await tenant.list(resource)
    const last = shown.at(-1)?.updatedAt ?? ''
    await tenant.load(sampleBooks(4))
    const added = await tenant.list(resource, last)
    expect(added.map(({ id }) => id)).toEqual([expect.not.stringMatching(shown.map(({ id }) => id).join('|'))])
    const then = added[0]?.updatedAt ?? ''
    await rows(db.orm, sql`update ${sql.identifier(table)} set source_reference = 'Other' where id = ${oldest?.id}`)
    expect((await tenant.list(resource, then)).map(({ id }) => id)).toEqual([oldest?.id])
  })
})

test('without recent writes, the last time that the service is known to have run is used', async () => {
  const tenant = await tenantWithBooks()
  await rows(
    db.orm,
    sql`insert into clock (name, seen_at) values ('service', now() + interval '1 hour') on conflict (name) do update set seen_at = excluded.seen_at`,
  )
  await noteTime(db.orm)
  const told = new Date(Date.now() + 3_600_000 - 120_000).toISOString()
  await tenant.load(sampleBooks(4))
  expect(await tenant.list('invoices', told)).toHaveLength(1)
  await rows(db.orm, sql`delete from clock`)
})

test('a recorded time more than a day ahead is ignored', async () => {
  await rows(db.orm, sql`insert into clock (name, seen_at) values ('service', now() + interval '400 days')`)
  const tenant = await tenantWithBooks()
  expect(await tenant.list('invoices', new Date(Date.now() + 3_600_000).toISOString())).toEqual([])
  await noteTime(db.orm)
  const [clock] = await rows<{ ahead: boolean }>(
    db.orm,
    sql`select seen_at > now() + interval '1 minute' as ahead from clock`,
  )
  expect(clock).toEqual({ ahead: false })
})

test('concurrent writers all come after what was already listed', async () => {
  const tenant = await tenantWithBooks()
  await setBack(tenant.contractor.id, '1 hour')
  const last = (await tenant.list('customers')).at(-1)?.updatedAt ?? ''
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      db.orm.execute(sql`insert into users (id, contractor_id, name, owns_project)
        values (${`cus_${tenant.contractor.id}_${i}`}, ${tenant.contractor.id}, 'At once', true)`),
    ),
  )
  expect(await tenant.list('customers', last)).toHaveLength(20)
})

test('finding the latest time reads one row, whatever the statistics say', async () => {
  const tenant = await tenantWithBooks(500)
  // Postgres may still include the reads of this connection's earlier transactions.
  const counted = async (tx: Orm) =>
    rows<{ whole: number; byIndex: number }>(
      tx,
      sql`select seq_tup_read::int as whole, idx_tup_fetch::int as "byIndex" from pg_stat_xact_user_tables where relname = 'users'`,
    )
  const [before, after] = await db.orm.transaction(async (tx) => {
    const [start] = await counted(tx)
    await tx.execute(
      sql`insert into users (id, contractor_id, name) values ('cus_look', ${tenant.contractor.id}, 'Look')`,
    )
    return [start, (await counted(tx))[0]]
  })
  expect(after?.whole).toBe(before?.whole)
  expect((after?.byIndex ?? 0) - (before?.byIndex ?? 0)).toBe(1)
})
