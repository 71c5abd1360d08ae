import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import type { DocumentType } from '@/db/schema'
import { afterWrite, webhookDriver } from '@/lib/sync/webhooks/after-write'
import { openTestDatabase } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { makeTenant } from '@/lib/testing/tenant'
import { indexBehindAnswer, keepIndexed } from './keep-indexed'
import { searchDocuments } from './search'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** Makes a contractor with leads that were posted, and not searched for since: all of them are queued. */
async function withLeads(count: number) {
  const { contractor, load } = await makeTenant(db)
  await load({ 'customers.csv': 'Customer ID,Name\nC1,Ana' })
  await db.orm.execute(sql`insert into projects (id, contractor_id, customer_id, name, status, description)
    select 'prj_' || ${contractor.id} || g, ${contractor.id}, (select id from users where contractor_id = ${contractor.id}), 'Roof', 'lead',
      'gutter number' || g from generate_series(1, ${count}::int) g`)
  return contractor.id
}
const queued = async (owner: string) =>
  (await rows<{ n: number }>(db.orm, sql`select count(*)::int as n from search_queue where owner = ${owner}`))[0]?.n
const find = (contractorId: string, query: string, types: DocumentType[] = ['project']) =>
  searchDocuments(db, { contractorId, types, query, limit: 5 })

test('the queue of every contractor is indexed, however long, so that a first search finds the last lead', async () => {
  const [one, other] = [await withLeads(260), await withLeads(30)]
  expect(await keepIndexed()).toEqual({ unfinished: [] })
  expect([await queued(one), await queued(other)]).toEqual([0, 0])
  expect(await find(one, 'number260')).toMatchObject({ hits: [{ title: 'Roof' }], behind: 0 })
})

test('without it a search indexes the first 200 changes, and counts the rest as far as its reader may find them', async () => {
  const owner = await withLeads(350)
  await db.orm.execute(
    sql`insert into search_queue (owner, kind, reference) values ('public', 'permit', 'a'), (${owner}, 'material', 'b')`,
  )
  expect(await find(owner, 'number350')).toMatchObject({ hits: [], behind: 150 })
  expect(await find(owner, 'number350', ['project', 'permit'])).toMatchObject({ behind: 1 })
  expect(await find(owner, 'number350', ['permit'])).toMatchObject({ behind: 1 })
  await keepIndexed()
  expect(await find(owner, 'number350', ['project', 'permit'])).toMatchObject({ hits: [{ title: 'Roof' }], behind: 0 })
})

test('its time is up, or one contractor’s records cannot be indexed: that is told, and the others’ are', async () => {
  const owner = await withLeads(3)
  expect(await keepIndexed(-1)).toEqual({ unfinished: ['changes of 1 owner'] })
  await db.orm.execute(sql`insert into search_queue (owner, kind, reference) values ('con_broken', 'material', 'x')`)
  await db.orm.execute(sql`alter function index_items(jsonb) rename to index_items_away`)
  const lines = collectLog()
  try {
    expect(await keepIndexed()).toEqual({ unfinished: ['changes of 1 owner'] })
    expect([await queued(owner), await queued('con_broken')]).toEqual([0, 1])
    expect(lines.lines()).toMatchObject([{ level: 'error', operation: 'index', owner: 'con_broken' }])
  } finally {
    lines.end()
    await db.orm.execute(sql`alter function index_items_away(jsonb) rename to index_items`)
    await db.orm.execute(sql`delete from search_queue`)
  }
})

test('where no timer runs, what a write queued is indexed behind its answer', async () => {
  const owner = await withLeads(2)
  const held: Promise<void>[] = []
  webhookDriver().kick = () => held.push(indexBehindAnswer())
  afterWrite()
  const later = await withLeads(2)
  afterWrite()
  await Promise.all(held)
  expect([await queued(owner), await queued(later)]).toEqual([0, 0])
  expect(await rows(db.orm, sql`select succeeded from job_runs where job = 'search'`)).toEqual([{ succeeded: true }])
})

// The embedded database has one process.
test.skipIf(process.env.TEST_DRIVER === 'pglite')(
  'a contractor whose changes another process is indexing is left to it, without waiting',
  async () => {
    const [theirs, ours] = [await withLeads(3), await withLeads(3)]
    await db.orm.transaction(async (other) => {
      await other.execute(sql`select pg_advisory_xact_lock(hashtextextended('search_queue ' || ${theirs}, 0))`)
      expect(await keepIndexed()).toEqual({ unfinished: [] })
      expect([await queued(theirs), await queued(ours)]).toEqual([3, 0])
    })
    await Promise.all([keepIndexed(), keepIndexed(), find(theirs, 'number3')])
    expect(await queued(theirs)).toBe(0)
    const documents = await rows<{ n: number }>(
      db.orm,
      sql`select count(*)::int as n from documents d join search_shelves s on s.id = d.shelf_id where s.owner = ${theirs}`,
    )
    expect(documents).toEqual([{ n: 3 }])
  },
)
