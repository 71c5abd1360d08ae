import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { countRecords, numberChanges } from '@/db/queries/changes'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { openTestDatabase } from '@/lib/testing/database'
import { FeedClient, truthOf } from '@/lib/testing/feed-client'
import { askAs, call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { numberAll } from './numbering'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** Leaves the database as the migration leaves one that has records already. */
async function asMigrated(): Promise<void> {
  for (const table of ['changes', 'change_queue', 'change_totals', 'change_heads'])
    await db.orm.execute(sql`truncate ${sql.identifier(table)}`)
  await db.orm.execute(sql`insert into change_base (resource)
    select unnest(${`{${RESOURCE_NAMES}}`}::text[]) on conflict (resource) do update set reached = ''`)
}

/** Writes to records all over the order of ids, so that both those already counted and those to come are changed. */
async function changeSome(contractorId: string): Promise<void> {
  const found = await rows<{ id: string }>(
    db.orm,
    sql`select id from analytics_invoice_records where contractor_id = ${contractorId} order by random() limit 4`,
  )
  const [one, two, three] = found.map(({ id }) => id)
  await db.orm.execute(
    sql`update analytics_invoice_records set amount = amount + 1 where id = any(array[${one}, ${two}]::text[])`,
  )
  await db.orm.execute(sql`insert into analytics_invoice_records
      (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
    select 'inv_' || gen_random_uuid(), contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date
    from analytics_invoice_records where id = ${two}`)
  await db.orm.execute(sql`delete from analytics_invoice_records where id = ${three}`)
}

test('records of before the feed are counted in steps, exactly, while they change', async () => {
  const [tenant, other] = [await makeTenant(db), await makeTenant(db)]
  for (const { load } of [tenant, other]) await load(sampleBooks(12))
  await asMigrated()
  const { id } = tenant.contractor
  const key = (await tenant.key()).text
  // Invoices are written while they are counted: before, between and after numberings.
  for (let step = 0; !(await countRecords(db, 5)); step++) {
    await changeSome(id)
    if (step % 2) await numberChanges(db, id, step % 3 ? 2 : 500)
  }
  const client = new FeedClient(askAs(key))
  await client.begin()
  await client.catchUp()
  expect(client.totals).toEqual(await truthOf(db, id))
  expect(client.proof()).toEqual(client.totals)
  const { body } = await call('/api/v1/changes', { key: (await other.key()).text })
  expect(body.totals).toEqual(await truthOf(db, other.contractor.id))
}, 240_000)

test('until they are counted, totals are null and a checksum is 503; requests and the timer count on', async () => {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(4))
  await asMigrated()
  const key = (await tenant.key()).text
  const { status, body } = await call('/api/v1/changes', { key })
  expect([status, body.totals.invoices]).toEqual([200, null])
  const early = await call('/api/v1/projects/checksum', { key })
  expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
  await numberAll()
  expect((await call('/api/v1/changes', { key })).body.totals).toEqual(await truthOf(db, tenant.contractor.id))
})
