import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { findJournal } from '@/db/queries/load-journal'
import { execute } from '@/lib/operations/execute'
import { loadFolder } from '@/lib/operations/loads/load-folder'
import { getLastLoad, undoLoad } from '@/lib/operations/loads/undo-load'
import { booksOf, FIRST_MONTH, SECOND_MONTH } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { inFolder } from '@/lib/testing/folder'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { recoverInterruptedLoads } from './recover'
import { acquireLoadTurn } from './turn'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const now = new Date()

type Tenant = Awaited<ReturnType<typeof makeTenant>>
const caller = ({ operator: actor }: Tenant) => ({ actor, now })

/** Loads as the command does, so that it can be taken back. */
const loadNoted = (tenant: Tenant, files: Record<string, string>, options = {}) =>
  inFolder(files, (folder) => execute(loadFolder, caller(tenant), { folder, ...options }))

const lastOf = async (tenant: Tenant) => (await execute(getLastLoad, caller(tenant), {})).last

async function undo(tenant: Tenant) {
  const last = await lastOf(tenant)
  return await execute(undoLoad, caller(tenant), { load: last?.load ?? '' })
}

const countOf = async (table: string, contractorId: string) =>
  (
    await rows<{ n: number }>(
      db.orm,
      sql`select count(*)::int as n from ${sql.identifier(table)} where contractor_id = ${contractorId}`,
    )
  )[0]?.n

test('a load that adds, changes, voids, moves and deletes is taken back to what was before, and the feed tells of it', async () => {
  const tenant = await makeTenant(db)
  const { id } = tenant.contractor
  await loadNoted(tenant, FIRST_MONTH)
  const [before, images] = [await booksOf(db, id), await countOf('load_images', id)]
  await loadNoted(tenant, SECOND_MONTH, { complete: { delete: true, mostPercent: 100 } })
  expect(await booksOf(db, id)).not.toEqual(before)
  const queued = await countOf('change_queue', id)
  const { takesBack } = await execute(getLastLoad, caller(tenant), {})
  const { removed, putBack, restored, files } = await undo(tenant)
  expect(await booksOf(db, id)).toEqual(before)
  expect(Math.min(removed, putBack, restored)).toBeGreaterThan(0)
  const sum = (counts: { count: number }[] = []) => counts.reduce((all, each) => all + each.count, 0)
  expect([sum(takesBack?.removed), sum(takesBack?.putBack), sum(takesBack?.restored)]).toEqual([
    removed,
    putBack,
    restored,
  ])
  expect(files).toEqual(Object.keys(FIRST_MONTH))
  expect(await countOf('change_queue', id)).toBeGreaterThan(queued ?? 0)
  expect(await countOf('load_images', id)).toBe(images)
  expect(await listAudit(db.orm, { contractorId: id, event: 'load_taken_back', limit: 5 })).toMatchObject([
    { actorKind: 'operator', detail: { removed, putBack, restored } },
  ])
  await expect(undo(tenant)).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('already') })
  expect(await booksOf(db, id)).toEqual(before)
})

test('a load is not taken back once others changed what it wrote or added to it; the reason names the records', async () => {
  const tenant = await makeTenant(db)
  const { id } = tenant.contractor
  await loadNoted(tenant, FIRST_MONTH)
  await db.orm.execute(
    sql`update users set email = 'late@example.com' where contractor_id = ${id} and source_reference = 'C2'`,
  )
  await db.orm.execute(sql`insert into projects (id, contractor_id, customer_id, name, status)
    select 'prj_of_a_lead', contractor_id, id, 'A lead', 'lead' from users where contractor_id = ${id} and source_reference = 'C3'`)
  const before = await booksOf(db, id)
  await expect(undo(tenant)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringMatching(/2 records.*customers C[23].*customers C[23]/),
  })
  expect(await booksOf(db, id)).toEqual(before)
})

test('only the last load is taken back, by its contractor, within a day, and not while another one runs', async () => {
  const tenant = await makeTenant(db)
  const other = await makeTenant(db)
  await loadNoted(tenant, sampleBooks(2))
  const first = (await execute(getLastLoad, caller(tenant), {})).last?.load ?? ''
  await loadNoted(tenant, sampleBooks(3))
  const load = (await execute(getLastLoad, caller(tenant), {})).last?.load ?? ''
  const refused = (who: Tenant, load: string, at = now) =>
    expect(execute(undoLoad, { ...caller(who), now: at }, { load })).rejects
  await refused(tenant, first).toMatchObject({ code: 'not_found' })
  await refused(other, load).toMatchObject({ code: 'not_found' })
  await refused(tenant, load, new Date(Date.now() + 25 * 3_600_000)).toMatchObject({ code: 'conflict' })
  const giveBack = await acquireLoadTurn(tenant.contractor.id)
  await refused(tenant, load).toMatchObject({ message: expect.stringContaining('Another load is running') })
  await giveBack()
  const both = await Promise.allSettled([undo(tenant), undo(tenant)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await countOf('users', tenant.contractor.id)).toBe(2)
})

test('loads are taken back one by one, the latest first; one that changed nothing, or failed, takes no place', async () => {
  const tenant = await makeTenant(db)
  const { id } = tenant.contractor
  const books = [await booksOf(db, id)]
  const loads: string[] = []
  for (const files of [FIRST_MONTH, SECOND_MONTH, { 'customers.csv': 'Customer ID,Name\nC1,Ana Brooks\nC9,Zoe\n' }]) {
    await loadNoted(tenant, files)
    loads.unshift((await lastOf(tenant))?.load ?? '')
    books.unshift(await booksOf(db, id))
    await loadNoted(tenant, files)
    expect((await lastOf(tenant))?.load).toBe(loads[0])
  }
  const onProgress = () => {
    throw new Error('the reader is gone')
  }
  await expect(loadNoted(tenant, { 'customers.csv': 'Customer ID,Name\nC1,Bea\n' }, { onProgress })).rejects.toThrow()
  expect((await execute(getLastLoad, caller(tenant), {})).earlier.map(({ load }) => load)).toEqual(loads.slice(1))
  expect(new Set(loads).size).toBe(3)
  const takeBack = (load: string) => execute(undoLoad, caller(tenant), { load })
  for (const [i, load] of loads.entries()) {
    await expect(takeBack(loads[i + 1] ?? 'lod_none')).rejects.toMatchObject({ code: 'not_found' })
    expect((await takeBack(load)).files.length).toBeGreaterThan(0)
    expect(await booksOf(db, id)).toEqual(books[i + 1])
  }
  expect([await countOf('load_images', id), await countOf('earlier_loads', id)]).toEqual([0, 0])
})

test('what taking back the next load changes is counted by kinds of records; a record that a load changes twice counts once', async () => {
  const tenant = await makeTenant(db)
  const next = async () => (await execute(getLastLoad, caller(tenant), {})).takesBack
  expect(await next()).toBeNull()
  await loadNoted(tenant, { 'customers.csv': 'Customer ID,Name\nC1,Ana\nC2,Ben\n' })
  const first = await next()
  await loadNoted(tenant, { 'customers.csv': 'Customer ID,Name\nC1,Anna\nC3,Cleo\n' })
  const { contractor } = tenant
  await db.orm.execute(sql`insert into load_images (contractor_id, step, table_name, record_id, before, after)
    select contractor_id, step, table_name, record_id, to_jsonb(1), 1 from load_images where contractor_id = ${contractor.id} order by n desc limit 2`)
  expect(await next()).toMatchObject({
    removed: [{ records: 'customer', count: 1 }],
    putBack: [{ records: 'customer', count: 1 }],
    restored: [],
  })
  await db.orm.execute(sql`delete from load_images where contractor_id = ${contractor.id} and before = to_jsonb(1)`)
  await undo(tenant)
  expect(await next()).toEqual(first)
  expect(first).toMatchObject({ removed: [{ records: 'customers', count: 2 }], putBack: [], restored: [] })
})

test('a load that fails half way leaves nothing of the file it was at, and the files before it', async () => {
  const tenant = await makeTenant(db)
  const { id } = tenant.contractor
  await loadNoted(tenant, FIRST_MONTH)
  const onProgress = ({ file }: { file: string }) => {
    if (file === 'invoices.csv') throw new Error('the reader is gone')
  }
  const { 'customers.csv': customers = '', ...rest } = SECOND_MONTH
  const half = { 'customers.csv': customers, 'projects.csv': rest['projects.csv'] ?? '' }
  const before = await makeTenant(db)
  await loadNoted(before, FIRST_MONTH)
  await loadNoted(before, half)
  await expect(loadNoted(tenant, SECOND_MONTH, { onProgress })).rejects.toThrow('the reader is gone')
  const counts = (of: string) =>
    Promise.all(['users', 'projects', 'analytics_invoice_records'].map((t) => countOf(t, of)))
  expect(await counts(id)).toEqual(await counts(before.contractor.id))
  const dry = await loadNoted(tenant, half, { dryRun: true })
  expect(dry.files).toMatchObject([
    { added: 0, updated: 0 },
    { added: 0, updated: 0 },
  ])
  expect(await findJournal(db.orm, id)).toMatchObject({ state: 'ended' })
})

test('a folder with exports that fails half way leaves nothing of it, because they refer to each other', async () => {
  const tenant = await makeTenant(db)
  await loadNoted(tenant, FIRST_MONTH)
  const before = await booksOf(db, tenant.contractor.id)
  const folder = {
    'customers.csv': SECOND_MONTH['customers.csv'],
    'jobs.csv':
      'Job #,Client name,Lead source,Client email,Client phone,Service street,Service city,Service state,Service ZIP,Title,Created date,Schedule start date,Closed date,Line items,Invoice #s,Total revenue ($)\n31,Ana Brook,Web,ana@example.com,(615) 555-0151,1 Oak Ave,Nashville,TN,37203,Gutters,"Nov 5, 2025","Nov 10, 2025",-,Gutter (2),J-1,700.00\n',
  }
  const seen: string[] = []
  const onProgress = ({ file }: { file: string }) => {
    seen.push(file)
    if (file === 'jobs.csv (projects)') throw new Error('the reader is gone')
  }
  await expect(loadNoted(tenant, folder, { onProgress })).rejects.toThrow('the reader is gone')
  expect(seen).toEqual(['customers.csv', 'jobs.csv (its customers)', 'jobs.csv (projects)'])
  expect(await booksOf(db, tenant.contractor.id)).toEqual(before)
})

test('what a killed process left of a file is taken back when the service starts, or before the next load', async () => {
  const leave = async (tenant: Tenant) => {
    await loadNoted(tenant, sampleBooks(40))
    // As a killed process leaves it: the last step is still open.
    await db.orm.execute(
      sql`update load_journals set state = 'running', step = 'payments.csv', ended_at = null where contractor_id = ${tenant.contractor.id}`,
    )
  }
  const [started, loaded] = [await makeTenant(db), await makeTenant(db)]
  await leave(started)
  await leave(loaded)
  await recoverInterruptedLoads(db)
  const payments = (tenant: Tenant) => countOf('analytics_revenue_transactions', tenant.contractor.id)
  expect([await payments(started), await countOf('analytics_invoice_records', started.contractor.id)]).toEqual([0, 40])
  await leave(loaded)
  await loadNoted(loaded, { 'customers.csv': 'Customer ID,Name\nC1,Ana\n' })
  expect(await payments(loaded)).toBe(0)
})
