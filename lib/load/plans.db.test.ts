import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, type Orm, rows, shareDatabase } from '@/db/client'
import { pageText } from '@/db/queries/list'
import type { ListSource, PageQuery } from '@/db/queries/list-types'
import type { ResourceName } from '@/lib/core/resource-names'
import { filtersInForce, sortNames, sortOf } from '@/lib/operations/filters'
import { statusesOf } from '@/lib/resources/define'
import { resources } from '@/lib/resources/registry'
import { openTestDatabase } from '@/lib/testing/database'
import { explained, type Plan, readBy, rowsRead, withoutAutovacuum } from '@/lib/testing/plans'
import { makeTenant } from '@/lib/testing/tenant'

/** A database where only the test updates statistics: no autovacuum, and no `analyze` by the loader. */
function withoutAnalyze(db: Database): Database {
  const orm = new Proxy(db.orm, {
    get(target, name, receiver) {
      if (name !== 'execute') return Reflect.get(target, name, receiver)
      return (statement: Parameters<Orm['execute']>[0]) =>
        JSON.stringify(statement).includes('analyze') ? Promise.resolve({ rows: [] }) : target.execute(statement)
    },
  })
  return { ...db, orm }
}

/** Returns files with `count` invoices, a customer and a project for every ten, and a payment and an estimate for each. */
function books(count: number): Record<string, string> {
  const lines = (header: string, n: number, line: (i: number) => string) =>
    [header, ...Array.from({ length: n }, (_, i) => line(i))].join('\n')
  const of = (i: number) => Math.floor(i / 10)
  const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + (i % 700))).toISOString().slice(0, 10)
  return {
    'customers.csv': lines('Customer ID,Name', count / 10, (i) => `C${i},Customer ${i}`),
    'projects.csv': lines(
      'Project ID,Customer ID,Name,Status',
      count / 10,
      (i) => `P${i},C${i},Project ${i},completed`,
    ),
    'invoices.csv': lines(
      'Invoice Number,Project ID,Amount,Date,Paid Date',
      count,
      (i) => `I${i},P${of(i)},10.00,${day(i)},${i % 2 ? day(i) : ''}`,
    ),
    'payments.csv': lines(
      'Payment ID,Project ID,Invoice Number,Amount,Date',
      count,
      (i) => `T${i},P${of(i)},I${i},1.00,${day(i)}`,
    ),
    'estimates.csv': lines(
      'Estimate Number,Customer ID,Project ID,Amount,Date,Valid Until,Status',
      count,
      (i) => `E${i},C${of(i)},P${of(i)},10.00,${day(i)},2999-01-01,${i % 2 ? 'sent' : 'accepted'}`,
    ),
    'materials.csv': lines('Item,Name,Unit,Unit Cost,Date', 200, (i) => `item-${i},Item ${i},each,1.50,${day(i)}`),
    'project-materials.csv': lines('Project ID,Item,Quantity', count / 10, (i) => `P${i},item-${i % 200},2`),
  }
}

/** Returns a program's export with `count` invoices, ten for a customer, and a payment of each that does not name it. */
function exported(count: number): Record<string, string> {
  const day = (i: number) => new Date(Date.UTC(2024, 0, 1 + (i % 700))).toLocaleDateString('en-US', { timeZone: 'UTC' })
  const lines = Array.from({ length: count }, (_, i) => {
    const [customer, amount] = [`Customer ${i % (count / 10)}`, (10 + (i % 900) / 100).toFixed(2)]
    return [
      `${day(i)},Invoice,${1000 + i},Y,${customer},,Accounts Receivable,Sales,${amount}`,
      `${day(i + 7)},Payment,${i},Y,${customer},,Undeposited Funds,Accounts Receivable,${amount}`,
    ].join('\n')
  })
  const header = 'Date,Transaction type,Num,Posting (Y/N),Name,Memo,Account name,Split,Amount'
  return { 'transaction-list.csv': [header, ...lines].join('\n') }
}

let db: Database
let read: Database
beforeAll(async () => {
  // One connection keeps its plans from load to load, and reads its own counters.
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '1' })
  shareDatabase(db)
  await withoutAutovacuum(db)
  read = withoutAnalyze(db)
})
afterAll(() => db.close())

/** Loads files for a new contractor; returns how many rows it read per row written, by table. */
async function load(files: Record<string, string>) {
  const tenant = await makeTenant(read)
  const before = await rowsRead(db)
  const report = await tenant.load(files)
  expect(report.faults).toEqual([])
  const written = report.files.reduce((sum, { added }) => sum + added, 0)
  const perRow = [...(await rowsRead(db))].map(
    ([table, n]) => [table, (n - (before.get(table) ?? 0)) / written] as const,
  )
  return { tenant, written, perRow: Object.fromEntries(perRow.filter(([, n]) => n > 0.01)) }
}

const COUNT = 3_000
const analyze = () => db.orm.execute(sql`analyze`)

/**
 * Returns a check of how many rows of a table may be read per row written; all contractors may be read, and once more in a batch for the
 * time zone.
 */
const flat = (contractors: number) => (perRow: Record<string, number>) =>
  Object.entries(perRow).filter(([table, n]) => n > (table === 'contractors' ? contractors + 0.1 : 4))

async function explain(source: ListSource, query: PageQuery): Promise<Plan> {
  const values = [query.contractorId, query.limit, ...query.filters.map(({ value }) => value)]
  if (query.after) values.push(query.after.at)
  if (query.after?.id !== undefined) values.push(query.after.id)
  const text = pageText(source, query).replace(/\$(\d+)/g, (_, n) => {
    const value = values[Number(n) - 1]
    return typeof value === 'number' ? String(value) : `'${value}'`
  })
  return await explained(db, text)
}

/** Returns every set of at most so many of a list's filters. */
function subsets<T>([first, ...others]: T[], most: number): T[][] {
  if (first === undefined || most === 0) return [[]]
  return [...subsets(others, most), ...subsets(others, most - 1).map((set) => [first, ...set])]
}

/** A status that some records have. */
const STATUS: Partial<Record<ResourceName, string>> = {
  projects: 'completed',
  invoices: 'paid',
  estimates: 'sent',
}

type Sorted = { name: string; source: ListSource } & Pick<PageQuery, 'filters' | 'after' | 'sort'>

/** The lists, each in each of its own orders, without filters and with several statuses, from the beginning and behind a place. */
const SORTED: Sorted[] = Object.values(resources).flatMap((resource) => {
  const { name, source } = resource
  const several = { status: name === 'projects' ? 'completed,lead' : 'current,overdue,sent' }
  const filterings = [[], filtersInForce(Object.entries(resource.filters), several)]
  return sortNames(resource).flatMap((order) => {
    const sort = sortOf(resource, order)
    const behind = { at: sort?.type === 'numeric' ? '10.00' : '2024-06-01', id: 'a' }
    return filterings.flatMap((filters) =>
      [undefined, behind].map((after) => ({
        name: `${name} ${filters[0]?.column} ${order}`,
        source,
        filters,
        after,
        sort,
      })),
    )
  })
})

/** Returns how many rows each of them reads. */
async function readBySorts(contractorId: string): Promise<[list: string, n: number][]> {
  const found: [string, number][] = []
  for (const { name, source, ...query } of SORTED)
    found.push([name, readBy(await explain(source, { contractorId, limit: 50, ...query }))])
  return found
}

/** Returns how many rows a list reads for each set of its filters, from its beginning and from the middle. */
async function readByLists(contractorId: string): Promise<Map<string, number>> {
  const [any] = await rows<{ project: string; customer: string; middle: string }>(
    db.orm,
    sql`select p.id as project, p.customer_id as customer, (select (avg(extract(epoch from updated_at)))::text as middle
      from analytics_invoice_records where contractor_id = ${contractorId})
      from projects p where p.contractor_id = ${contractorId} and p.source_reference = 'P7'`,
  )
  const middle = new Date(Number(any?.middle) * 1000).toISOString()
  const values = {
    customerId: any?.customer ?? '',
    projectId: any?.project ?? '',
    from: '2024-03-01',
    to: '2024-04-01',
    dueFrom: '2024-03-01',
    dueTo: '2024-04-01',
    startFrom: '2024-03-01',
    startTo: '2024-04-01',
    completedFrom: '2024-03-01',
    completedTo: '2024-04-01',
    minAmount: '5',
  }
  const found = new Map<string, number>()
  const places = [
    { name: '', after: undefined },
    { name: ' after', after: { at: middle } },
    { name: ' behind', after: { at: middle, id: 'a' } },
  ]
  const lists = Object.values(resources).flatMap((resource) =>
    subsets(Object.entries(resource.filters), 3).map((set) => ({ ...resource, set })),
  )
  for (const { name, source, output, set } of lists) {
    const filters = filtersInForce(set, { ...values, status: STATUS[name] ?? statusesOf({ output })[0] ?? '' })
    const title = [name, ...set.map(([filter]) => filter)].join(' ')
    for (const place of places) {
      const plan = await explain(source, { contractorId, limit: 50, filters, after: place.after })
      found.set(`${title}${place.name}`, readBy(plan))
    }
  }
  return found
}

describe('with the statistics of the first contractor', () => {
  let third: Awaited<ReturnType<typeof load>>
  const loads: Awaited<ReturnType<typeof load>>['perRow'][] = []
  beforeAll(async () => {
    await load(books(COUNT))
    await analyze()
    loads.push((await load(books(COUNT))).perRow)
    third = await load(books(COUNT))
    loads.push(third.perRow)
  }, 240_000)

  test('the second and third loads read a few rows of each table per row written', () => {
    expect(loads.flatMap(flat(3))).toEqual([])
  })

  test('the second and third loads of a program’s export read a few rows of each table per row written', async () => {
    await load(exported(COUNT / 3))
    await analyze()
    const [second, third] = [await load(exported(COUNT / 3)), await load(exported(COUNT / 3))]
    // Payments look for their invoices, which they then change.
    expect(Object.entries(third.perRow).filter(([table, n]) => n > 8 && table !== 'contractors')).toEqual([])
    const more = Object.entries(third.perRow).map(([table, n]) => [table, n - (second.perRow[table] ?? 0)] as const)
    expect(more.filter(([table, n]) => n > 0.1 && table !== 'contractors')).toEqual([])
  })

  test('a load that gives every project to another customer reads no more', async () => {
    const before = await rowsRead(db)
    const { 'projects.csv': projects = '' } = books(COUNT)
    const report = await third.tenant.load({
      'projects.csv': projects.replace(/,C(\d+)$/gm, '').replace(/,C\d+,/g, ',C1,'),
    })
    const changed = report.files[0]?.updated ?? 0
    expect(changed).toBe(COUNT / 10 - 1)
    // Ten invoices, payments and estimates per project, which are written too; the invoices are read once more for contradictions, where
    // payments are allocated, and where balances are compared.
    const perRow = [...(await rowsRead(db))].map(
      ([table, n]) => [table, (n - (before.get(table) ?? 0)) / changed] as const,
    )
    expect(perRow.filter(([table, n]) => n > (/search_terms|invoice/.test(table) ? 115 : 60))).toEqual([])
  })

  test('a list reads its page, or at most the rows of the requested project, customer, status or dates', async () => {
    const [{ most } = { most: 0 }] = await rows<{ most: number }>(
      db.orm,
      sql`select max(n)::int as most from (select count(*) as n from analytics_invoice_records
        where contractor_id = ${third.tenant.contractor.id} group by project_id) x`,
    )
    for (const [list, n] of await readByLists(third.tenant.contractor.id)) {
      const bySelf = /projectId/.test(list)
        ? most
        : /customerId/.test(list)
          ? COUNT
          : /from|to|From|To|minAmount/.test(list)
            ? COUNT
            : 51
      // One row more: the next whose status changes.
      expect(n, list).toBeLessThanOrEqual(bySelf + 1)
    }
  })

  test('a list in several statuses reads a page of each of them', async () => {
    const contractorId = third.tenant.contractor.id
    const statuses = 'current,overdue,paid'
    const filters = filtersInForce(Object.entries(resources.invoices.filters), { status: statuses })
    for (const after of [undefined, { at: '2020-01-01', id: 'a' }]) {
      const plan = await explain(resources.invoices.source, { contractorId, limit: 50, filters, after })
      expect(readBy(plan)).toBeLessThanOrEqual(3 * 101 + 1)
    }
  })

  test('a list in an order of its own reads its page, or what its filter finds; a short table may be sorted', async () => {
    const most = (list: string) => (/projects/.test(list) ? COUNT / 10 : COUNT) + 101
    for (const [list, n] of await readBySorts(third.tenant.contractor.id))
      expect(n, list).toBeLessThanOrEqual(most(list))
    // As the planner sees a table of a million rows.
    for (const { source } of Object.values(resources))
      await db.orm.execute(sql`update pg_class set reltuples = 1000000 where relname = ${source.table}`)
    const long = await readBySorts(third.tenant.contractor.id)
    await analyze()
    for (const [list, n] of long) if (!list.includes('status')) expect(n, list).toBeLessThanOrEqual(102)
  })

  test('complete files without a tenth of their rows read a few rows of each table for each one', async () => {
    const { tenant } = await load(books(COUNT))
    const before = await rowsRead(db)
    const report = await tenant.load(books((COUNT * 9) / 10), { complete: { delete: true } })
    expect(report.faults).toEqual([])
    const of = (share: number) => COUNT / share
    expect(report.files.map(({ removal }) => removal?.deleted)).toEqual([
      of(100),
      of(100),
      of(10),
      of(10),
      of(10),
      undefined,
      of(100),
    ])
    const perRow = [...(await rowsRead(db))].map(
      ([table, n]) => [table, (n - (before.get(table) ?? 0)) / COUNT] as const,
    )
    expect(perRow.filter(([table, n]) => n > (table === 'search_terms' ? 60 : 13))).toEqual([])
  })

  test('a list keeps its plan after all tables are analyzed', async () => {
    const settled = (found: Map<string, number>) =>
      [...found].filter(([list]) => !/from|to|From|To|minAmount|customer/.test(list))
    const before = settled(await readByLists(third.tenant.contractor.id))
    await analyze()
    expect(settled(await readByLists(third.tenant.contractor.id))).toEqual(before)
  })
})

test('the planner has no statistics on how rows are spread over contractors, in any table', async () => {
  await analyze()
  const known = await rows(
    db.orm,
    sql`select tablename from pg_stats where schemaname = 'public' and attname in ('contractor_id')`,
  )
  expect(known).toEqual([])
})

test('a column is hidden from the planner, with its earlier statistics, without rewriting the table', async () => {
  const known = () =>
    rows(db.orm, sql`select 1 from pg_stats where tablename = 'projects' and attname = 'contractor_id'`)
  const file = () =>
    rows(db.orm, sql`select pg_relation_filenode('projects') as file, pg_relation_filenode('projects_source') as index`)
  await db.orm.execute(sql`alter table projects alter column contractor_id set statistics -1`)
  await analyze()
  expect(await known()).toHaveLength(1)
  const before = await file()
  await db.orm.execute(sql`select hide_owner_from_planner('projects')`)
  expect(await known()).toEqual([])
  expect(await file()).toEqual(before)
})
