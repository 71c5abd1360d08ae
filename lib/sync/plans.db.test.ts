import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { feedText } from '@/db/queries/changes'
import { RESOURCES } from '@/lib/resources/registry'
import { openTestDatabase } from '@/lib/testing/database'
import { explained, readBy } from '@/lib/testing/plans'
import { makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const RESOURCE_LIST = sql`(array['customers', 'projects', 'invoices', 'payments', 'estimates'])[1 + n % 5]`

/** Makes the feed of a contractor, with positions from the first on. */
async function fill(contractorId: string, count: number): Promise<void> {
  await db.orm.execute(sql`insert into changes (contractor_id, resource, position, record_id, change, version, numbered_at, count_before, sum_before)
    select ${contractorId}, ${RESOURCE_LIST}, n, 'rec_' || n, 'updated', now(), now(), 1, 1 from generate_series(1, ${count}::int) n`)
  await db.orm.execute(
    sql`insert into change_heads (contractor_id, position, numbered_at) values (${contractorId}, ${count}, now())`,
  )
}

async function rowsOfPage(contractorId: string, names: string[], position: number): Promise<number> {
  const [at] = await rows<{ stamp: string }>(
    db.orm,
    sql`select (extract(epoch from numbered_at) * 1000000)::bigint::text as stamp from changes
      where contractor_id = ${contractorId} and position = ${position}`,
  )
  const values = [contractorId, JSON.stringify(names), String(position), at?.stamp ?? '0', '100']
  const text = feedText(RESOURCES).replace(/\$(\d)/g, (_, n) => `'${values[Number(n) - 1]}'`)
  return readBy(await explained(db, text))
}

test('a page reads its changes, however many there are before and behind it, with and without statistics', async () => {
  const [few, many] = [await makeTenant(db), await makeTenant(db)]
  await fill(few.contractor.id, 1_000)
  await fill(many.contractor.id, 100_000)
  const all = RESOURCES.map(({ name }) => name)
  for (const analyze of [false, true]) {
    if (analyze) await db.orm.execute(sql`analyze changes, change_heads, change_totals, change_queue`)
    const small = await rowsOfPage(few.contractor.id, all, 100)
    expect(small).toBeLessThan(700)
    for (const position of [1, 50_000, 99_850])
      expect(await rowsOfPage(many.contractor.id, all, position)).toBeLessThanOrEqual(small + 20)
    expect(await rowsOfPage(many.contractor.id, ['invoices'], 50_000)).toBeLessThan(150)
  }
})

test('a numbering reads what it numbers, however long the queue is, also where the planner knows it as empty', async () => {
  const { contractor } = await makeTenant(db)
  const fillQueue = () =>
    db.orm.execute(sql`insert into change_queue (contractor_id, resource, record_id, change, version)
      select ${contractor.id}, ${RESOURCE_LIST}, 'rec_' || n, 'created', now() from generate_series(1, 20000) n`)
  await fillQueue()
  await db.orm.execute(sql`delete from change_queue`)
  await db.orm.execute(sql`analyze change_queue`)
  await fillQueue()
  const read = await db.orm.transaction(async (tx) => {
    const numbered = await rows<{ n: number }>(tx, sql`select number_changes(${contractor.id}, 500) as n`)
    expect(numbered).toEqual([{ n: 500 }])
    return rows<{ read: number }>(
      tx,
      sql`select idx_tup_fetch::int as read from pg_stat_xact_user_tables where relname = 'change_queue'`,
    )
  })
  expect(read[0]?.read).toBeGreaterThanOrEqual(500)
  expect(read[0]?.read).toBeLessThan(2_000)
})
