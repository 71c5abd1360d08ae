import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { browsePage } from '@/db/queries/browse'
import { idsByBeginning } from '@/db/queries/by-number'
import { countFound, estimateFound } from '@/db/queries/count'
import { listPage } from '@/db/queries/list'
import { filtersInForce } from '@/lib/operations/filters'
import { MOST_EXPANDED } from '@/lib/operations/shape'
import { deskOf } from '@/lib/resources/desk'
import { resources } from '@/lib/resources/registry'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { rowsRead, withoutAutovacuum } from '@/lib/testing/plans'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { execute } from './execute'
import { operations } from './registry'

const COUNT = 12
/** The number of executions: after five of a named statement Postgres may choose a plan that is the same for all values. */
const EXECUTIONS = 6

let db: Database
beforeAll(async () => {
  // One connection keeps its plans, and reads its own counters.
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '1' })
  shareDatabase(db)
  await withoutAutovacuum(db)
})
afterAll(() => db.close())

/** Gives each project so many more invoices and payments. */
async function grow(contractorId: string, count: number): Promise<void> {
  await db.orm.execute(sql`insert into analytics_invoice_records
      (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
    select 'inv_' || p.id || n, contractor_id, p.id, customer_id, 'N' || n, n, 'USD', now(), now() + interval '1 day'
    from projects p cross join generate_series(1, ${count}::int) n where contractor_id = ${contractorId}`)
  await db.orm.execute(sql`insert into analytics_revenue_transactions
      (id, contractor_id, project_id, customer_id, invoice_id, type, amount, currency, date, method)
    select 'pay_' || p.id || n, contractor_id, p.id, customer_id, 'inv_' || p.id || n, 'payment_received', n, 'USD', now(), 'check'
    from projects p cross join generate_series(1, ${count}::int) n where contractor_id = ${contractorId}`)
}

/** Gives the tables so many rows of others that reading them whole, as a table of one block is read, costs more than an index does. */
async function stockOthers(count: number): Promise<void> {
  const { contractor } = await makeTenant(db)
  const of = sql`from generate_series(1, ${count}::int) n`
  await db.orm.execute(sql`insert into users (id, contractor_id, name, owns_project)
    select 'cus_other' || n, ${contractor.id}, 'Other', true ${of}`)
  await db.orm.execute(sql`insert into projects (id, contractor_id, customer_id, name, status, total_amount)
    select 'prj_other' || n, ${contractor.id}, 'cus_other' || n, 'Other', 'completed', 1 ${of}`)
  await db.orm.execute(sql`insert into estimates
      (id, contractor_id, project_id, customer_id, number, amount, currency, estimate_date, valid_until, stated_status)
    select 'est_other' || n, ${contractor.id}, 'prj_other' || n, 'cus_other' || n, 'E' || n, 1, 'USD', now(), now(), 'accepted' ${of}`)
}

const LISTED = ['users', 'projects', 'analytics_invoice_records', 'analytics_revenue_transactions', 'estimates']

/** The most rows of listed tables that some work read, of several executions. */
async function mostRead(work: () => Promise<unknown>): Promise<number> {
  let most = 0
  for (let i = 0; i < EXECUTIONS; i++) {
    const before = await rowsRead(db)
    await work()
    const after = await rowsRead(db)
    const read = LISTED.reduce((sum, table) => sum + (after.get(table) ?? 0) - (before.get(table) ?? 0), 0)
    most = Math.max(most, read)
  }
  return most
}

const asked = (path: string, key: string) => async () => {
  const { status, text } = await call(path, { key })
  expect(status, text).toBe(200)
}

async function tenantWith(grown: number) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(COUNT))
  await grow(tenant.contractor.id, grown)
  return (await tenant.key()).text
}

test('an expanded page reads a few rows for each record, however many belong to it, with and without statistics', async () => {
  await stockOthers(2_000)
  const keys = [await tenantWith(MOST_EXPANDED), await tenantWith(30 * MOST_EXPANDED)]
  // Of a project: its own row, its customer, and of three lists the latest changed and one more.
  const each = 2 + 3 * (MOST_EXPANDED + 1)
  const lists = [
    ['projects?expand=customer,invoices,payments,estimates', each],
    ['customers?expand=projects,invoices,payments,estimates', each + MOST_EXPANDED],
    // Without payments: nothing is found in the index that finds them.
    ['invoices?expand=project,customer,payments', 3],
    ['projects?fields=id,name&expand=invoices&include=details', each],
  ] as const
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await db.orm.execute(sql`analyze`)
    for (const [list, most] of lists)
      for (const key of keys) {
        const read = await mostRead(asked(`/api/v1/${list}&limit=${COUNT}`, key))
        // The page itself, and one more.
        expect(read, `${list} ${isAnalyzed ? 'analyzed' : 'new'}`).toBeLessThanOrEqual(COUNT * (most + 1) + 1)
        expect(read).toBeGreaterThan(COUNT)
      }
  }
}, 240_000)

test('a count reads what it counts up to its bound, and an estimate a sample, however many there are', async () => {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(1))
  const key = (await tenant.key()).text
  const { id } = tenant.contractor
  // Four rows fill a block, so that the table has more blocks than are sampled.
  const add = (from: number, to: number) =>
    db.orm.execute(sql`insert into analytics_revenue_transactions
        (id, contractor_id, project_id, customer_id, type, amount, currency, date, method, reference)
      select 'pay_' || p.id || '_' || n, contractor_id, p.id, customer_id, 'payment_received', n, 'USD', now(), 'check', repeat('x', 1800)
      from projects p cross join generate_series(${from}::int, ${to}::int) n where contractor_id = ${id}`)
  const all = asked('/api/v1/payments?count=true&limit=1', key)
  // A page of such filters reads what they find; what is counted of it does not grow.
  const { source, filters } = resources.payments
  const wide = {
    contractorId: id,
    filters: filtersInForce(Object.entries(filters), { from: '2000-01-01', minAmount: '0.5' }),
    sort: undefined,
  }
  const counted = async () => {
    expect(await countFound(db, source, undefined, wide)).toMatchObject({ count: null })
    return estimateFound(db, source, 'payments', wide)
  }
  await add(1, 10_500)
  // Gives the changes their positions, as the timer does, and so the number of records that an estimate begins with.
  while ((await call('/api/v1/payments/checksum', { key })).body.count < 10_500);
  // The count, and the two rows that a page of one reads.
  expect(await mostRead(all)).toBeLessThanOrEqual(10_001 + 2)
  const some = await mostRead(counted)
  expect(some).toBeGreaterThan(10_001)
  await add(10_501, 18_000)
  await db.orm.execute(sql`analyze analytics_revenue_transactions`)
  expect(await mostRead(all)).toBeLessThanOrEqual(10_001 + 2)
  // With fresh statistics the planner may scan a bitmap, which looks at the index entry of each row found, though at no row beyond the bound.
  expect(await mostRead(counted)).toBeLessThan(some + 7_500 * 1.1)
  while ((await call('/api/v1/payments/checksum', { key })).body.count < 18_000);
  expect(Math.abs((await counted()) / 18_000 - 1)).toBeLessThan(0.3)
}, 240_000)

test('what is asked by a name, of open leads and of the last week reads what it tells, however old and large the books are', async () => {
  const { contractor, load } = await makeTenant(db)
  await load({
    'customers.csv': 'Customer ID,Name\nC1,Wagner\n',
    'projects.csv': 'Project ID,Customer ID,Name,Status\nP1,C1,Kitchen,in_progress\nP2,C1,Attic,lead\n',
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date,Due Date\nI1,P1,10.00,2020-01-05,2020-02-05\n',
    'payments.csv': 'Payment ID,Project ID,Amount,Date\nT1,P1,5.00,2020-01-06\n',
  })
  const { id } = contractor
  const of = sql`from generate_series(1, 4000) n`
  await db.orm.execute(
    sql`insert into users (id, contractor_id, name, owns_project) select 'cus_old' || n, ${id}, 'Old', true ${of}`,
  )
  await db.orm.execute(sql`insert into projects (id, contractor_id, customer_id, name, status, total_amount)
    select 'prj_old' || n, ${id}, 'cus_old' || n, 'Roof', 'completed', 1 ${of}`)
  await db.orm.execute(sql`insert into analytics_invoice_records
      (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
    select 'inv_old' || n, ${id}, 'prj_old' || n, 'cus_old' || n, 'N' || n, n, 'USD', '2020-01-01', '2020-02-01' ${of}`)
  await db.orm.execute(sql`insert into analytics_revenue_transactions
      (id, contractor_id, project_id, customer_id, type, amount, currency, date, method)
    select 'pay_old' || n, ${id}, 'prj_old' || n, 'cus_old' || n, 'payment_received', n, 'USD', '2020-01-01', 'check' ${of}`)
  const ctx = { actor: actorOf(contractor), now: new Date() }
  const { items } = await execute(operations.tellCustomers, ctx, { query: 'wagner' })
  const customer = String(Object(items[0]).id)
  const questions: Record<string, () => Promise<unknown>> = {
    named: () => execute(operations.tellInvoices, ctx, { query: 'kitchen' }),
    'named, sorted and narrowed': () =>
      execute(operations.tellPayments, ctx, { query: 'wagner', from: '2020-01-01', sort: '-amount' }),
    'open leads': () => execute(operations.listLeads, ctx, { outcome: 'open' }),
    'the last week': () => execute(operations.getRecentActivity, ctx, {}),
    'a customer': () => execute(operations.getRecord, ctx, { id: customer }),
  }
  // The days of the other tests' records are all of now, which the planner would take for these.
  await db.orm.execute(sql`analyze`)
  for (const [question, ask] of Object.entries(questions)) expect(await mostRead(ask), question).toBeLessThanOrEqual(60)
}, 240_000)

test('short pages are not planned again and again: the same plan is as good', async () => {
  const { contractor } = await makeTenant(db)
  const source = { ...resources.invoices.source, variant: 'short', only: `'short' = 'short'` }
  for (let i = 0; i < 2 * EXECUTIONS; i++)
    await listPage(db, source, { contractorId: contractor.id, limit: 1, after: undefined, filters: [] })
  const found = await rows<{ generic: number }>(
    db.orm,
    sql`select generic_plans::int as generic from pg_prepared_statements where statement like ${`%${source.only}%`}`,
  )
  expect(found).toEqual([{ generic: 2 * EXECUTIONS - 5 }])
})

test('the beginning of a number reads what it finds, however many records there are', async () => {
  const { contractor, load } = await makeTenant(db)
  await load(sampleBooks(1))
  const { id } = contractor
  await db.orm.execute(sql`insert into analytics_invoice_records
      (id, contractor_id, project_id, customer_id, source_reference, number, amount, currency, invoice_date, due_date)
    select 'inv_' || p.id || n, contractor_id, p.id, customer_id, '23-' || n, '23-' || n, n, 'USD', now(), now() + interval '1 day'
    from projects p cross join generate_series(10000, 15000) n where contractor_id = ${id}`)
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await db.orm.execute(sql`analyze`)
    const read = await mostRead(async () => {
      const found = await idsByBeginning(db, resources.invoices.source, id, '23-1234', 25)
      expect(found).toHaveLength(10)
    })
    expect(read, isAnalyzed ? 'analyzed' : 'new').toBeLessThanOrEqual(10)
  }
}, 60_000)

test('invoices of a status by their balance: those that have none of its balances are not read', async () => {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(COUNT))
  const { id: contractorId } = tenant.contractor
  await grow(contractorId, 100)
  await db.orm.execute(sql`insert into analytics_invoice_records
      (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
    select 'inv_late' || p.id || n, contractor_id, p.id, customer_id, 'L' || n, n, 'USD', now() - interval '9 days', now() - interval '8 days'
    from projects p cross join generate_series(1, 100) n where contractor_id = ${contractorId}`)
  await db.orm.execute(sql`analyze analytics_invoice_records`)
  const { source } = resources.invoices
  const { balance } = deskOf(resources.invoices).sorts
  if (!balance) throw new Error('the list has no order by balance')
  const read = (status: string, down: boolean) =>
    mostRead(async () => {
      const filters = [{ column: 'status', operator: '=' as const, value: status }]
      const page = await browsePage(db, source, { contractorId, limit: 10, sort: balance, down, filters, many: true })
      expect(page).toMatchObject({ count: 10, more: true })
    })
  // Each status has half of them. So few the planner may sort, with those of the samples, and then it reads the page.
  const half = COUNT * 100
  expect(await read('overdue', false)).toBeLessThan(half * 1.2)
  expect(await read('paid', true)).toBeLessThan(half * 1.2)
})
