import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { type Database, rows } from '../client'
import { numberChanges } from './changes'
import { noteTaken } from './tidy'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const vacuumed = (queue: string) =>
  rows<{ n: number }>(
    db.orm,
    sql`select vacuum_count::int as n from pg_stat_user_tables where relname = ${queue}`,
  ).then(([row]) => row?.n)

test('a queue is vacuumed once for every ten thousand rows that were taken from it', async () => {
  const { contractor } = await makeTenant(db)
  await db.orm.execute(sql`insert into change_queue (contractor_id, resource, record_id, change, version)
    select ${contractor.id}, 'projects', 'prj_' || n, 'created', now() from generate_series(1, 10500) n`)
  for (let taken = 0; taken < 9_500; taken += 500) await numberChanges(db, contractor.id, 500)
  expect(await vacuumed('change_queue')).toBe(0)
  await numberChanges(db, contractor.id, 500)
  await numberChanges(db, contractor.id, 500)
  expect([await vacuumed('change_queue'), await vacuumed('search_queue')]).toEqual([1, 0])
  for (let batch = 0; batch < 200; batch++) await noteTaken(db, 'search_queue', 50)
  expect([await vacuumed('change_queue'), await vacuumed('search_queue')]).toEqual([1, 1])
})

test('where a queue cannot be vacuumed, what took its rows goes on', async () => {
  await db.orm.execute(sql`alter table search_queue rename to search_queue_elsewhere`)
  await expect(noteTaken(db, 'search_queue', 10_000)).resolves.toBeUndefined()
  await db.orm.execute(sql`alter table search_queue_elsewhere rename to search_queue`)
})
