import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const FILES = {
  'jobs.csv':
    'Job #,Client name,Title,Created date,Schedule start date,Closed date,Total revenue ($)\n33,Ana Reyes,Deck,2026-01-02,2026-01-05,2026-01-09,300.00\n',
  'housecall.csv':
    'Job #,Job status,Customer name,Job created date,Job scheduled start date,Job amount,Due amount\n5,Completed,Cy Fox,2026-02-01 08:00:00,2026-02-02 08:00:00,$80.00,$0.00\n',
  'bills.csv':
    'Invoice #,Client name,Issued date,Due date,Job #s,Status,Total ($),Balance ($)\n7,Ana Reyes,"Feb 3, 2026","Mar 5, 2026",33,Awaiting payment,300.00,300.00\n8,Bea Ott,"Feb 4, 2026","Mar 6, 2026",,Paid,50.00,0.00\n',
}

test('records of a load before sources were told apart are the same records in the next load, and nothing is added', async () => {
  const { contractor, load } = await makeTenant(db)
  await load(FILES)
  const ids = async () =>
    (
      await rows<{ id: string }>(
        db.orm,
        sql`select id from analytics_invoice_records where contractor_id = ${contractor.id}
          union all select id from projects where contractor_id = ${contractor.id}
          union all select id from users where contractor_id = ${contractor.id} order by 1`,
      )
    ).map(({ id }) => id)
  const before = await ids()
  // As the last version stored them: an invoice by its bare number, its own project by that, a job by its bare number.
  await db.orm.execute(sql`update projects p set source_reference = 'invoice ' || i.number from analytics_invoice_records i
    where i.project_id = p.id and p.contractor_id = ${contractor.id} and p.source_reference like 'invoice %'`)
  await db.orm.execute(
    sql`update projects set source_reference = case name when 'Deck' then '33' else '5' end
      where contractor_id = ${contractor.id} and source_reference like 'job-%'`,
  )
  await db.orm.execute(
    sql`update analytics_invoice_records set source_reference = number where contractor_id = ${contractor.id}`,
  )
  const again = await load(FILES)
  expect(again.files.reduce((n, { added }) => n + added, 0)).toBe(0)
  expect(await ids()).toEqual(before)
  expect((await load(FILES)).files.reduce((n, { added, updated }) => n + added + updated, 0)).toBe(0)
})
