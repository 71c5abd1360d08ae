import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { RESOURCES } from '@/lib/resources/registry'
import { WAITERS } from '@/lib/sync/waiters'
import { openTestDatabase } from '@/lib/testing/database'
import { FeedClient, truthOf } from '@/lib/testing/feed-client'
import { collectLog } from '@/lib/testing/log'
import { askAs, call, makeTenant, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

async function tenantWithBooks(count = 3) {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(count))
  return { ...tenant, id: tenant.contractor.id, secret: (await tenant.key()).text }
}
type Tenant = Awaited<ReturnType<typeof tenantWithBooks>>

async function clientOf({ secret }: Pick<Tenant, 'secret'>, limit = 100): Promise<FeedClient> {
  const client = new FeedClient(askAs(secret), limit)
  await client.begin()
  return client
}

const idOf = async (table: string, { id }: Pick<Tenant, 'id'>): Promise<string> => {
  const [row] = await rows<{ id: string }>(
    db.orm,
    sql`select id from ${sql.identifier(table)} where contractor_id = ${id} order by id limit 1`,
  )
  return row?.id ?? ''
}

const raise = (id: string) =>
  db.orm.execute(sql`update analytics_invoice_records set amount = amount + 1 where id = ${id}`)
const changes = (key: string, query = '') => call(`/api/v1/changes?${query}`, { key })

test('a feed begins now: no items, a cursor, and the totals of what is there', async () => {
  const tenant = await tenantWithBooks()
  const { status, body } = await changes(tenant.secret)
  expect(status).toBe(200)
  expect(body).toMatchObject({ apiVersion: 'v1', items: [], more: false })
  expect(body.totals).toEqual(await truthOf(db, tenant.id))
})

test('what was created, updated and deleted comes in order, each with the record as it is now', async () => {
  const tenant = await tenantWithBooks()
  const client = await clientOf(tenant)
  const invoice = await idOf('analytics_invoice_records', tenant)
  const payment = await idOf('analytics_revenue_transactions', tenant)
  await raise(invoice)
  await tenant.load({
    'customers.csv': 'Customer ID,Name\nCX,Xenia',
    'projects.csv': 'Project ID,Customer ID,Name\nPX,CX,Porch',
  })
  await db.orm.execute(sql`delete from analytics_revenue_transactions where id = ${payment}`)
  const { body } = await changes(tenant.secret, `cursor=${client.cursor}`)
  expect(
    body.items.map(({ resource, change }: { resource: string; change: string }) => `${resource} ${change}`),
  ).toEqual(['invoices updated', 'customers created', 'projects created', 'payments deleted'])
  const [updated, created, , deleted] = body.items
  expect(updated.record).toEqual((await call(`/api/v1/invoices/${invoice}`, { key: tenant.secret })).body)
  expect(updated.updatedAt).toBe(updated.record.updatedAt)
  expect(created.record).toMatchObject({ name: 'Xenia' })
  expect(Object.keys(deleted)).toEqual(['resource', 'change', 'id', 'at'])
  expect(deleted.id).toBe(payment)
  await client.catchUp()
  expect(client.proof()).toEqual(await truthOf(db, tenant.id))
  expect(client.totals).toEqual(client.proof())
})

test('a customer without projects is deleted from the feed, and created again with the next', async () => {
  const tenant = await tenantWithBooks(1)
  const client = await clientOf(tenant)
  await tenant.load({
    'customers.csv': 'Customer ID,Name\nCX,Xenia',
    'projects.csv': 'Project ID,Customer ID,Name\nP0,CX,Moved',
  })
  await client.catchUp()
  const told = client.items.filter(({ resource }) => resource === 'customers').map(({ change }) => change)
  expect(told.sort()).toEqual(['created', 'deleted'])
  // What belongs to the project follows it.
  expect(new Set(client.items.map(({ resource }) => resource))).toEqual(new Set(RESOURCES.map(({ name }) => name)))
  expect(client.proof()).toEqual(await truthOf(db, tenant.id))
})

test('a status that the clock changes is a change of its own kind', async () => {
  const tenant = await tenantWithBooks(1)
  const client = await clientOf(tenant)
  const invoice = await idOf('analytics_invoice_records', tenant)
  // As it was before its due date passed: without triggers, so that nothing else notices.
  await db.orm.transaction(async (tx) => {
    await tx.execute(sql`alter table analytics_invoice_records disable trigger user`)
    await tx.execute(
      sql`update analytics_invoice_records set status = 'current', turns_at = now() - interval '1 minute' where id = ${invoice}`,
    )
    await tx.execute(sql`alter table analytics_invoice_records enable trigger user`)
  })
  const { body } = await changes(tenant.secret, `cursor=${client.cursor}`)
  expect(body.items).toMatchObject([
    { resource: 'invoices', change: 'turned', id: invoice, record: { status: 'overdue' } },
  ])
})

test('a post-dated payment counts from its day on: the list, the feed and updatedAt show the turn', async () => {
  const tenant = await tenantWithBooks(0)
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
  const { faults } = await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,Dana\n',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof\n',
    'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date\nA1,P1,500.00,${day(-60)},${day(-30)}\n`,
    'payments.csv': `Payment ID,Invoice Number,Amount,Date\nT1,A1,500.00,${day(3)}\n`,
  })
  expect(faults).toEqual([])
  const client = await clientOf(tenant)
  const invoice = await idOf('analytics_invoice_records', tenant)
  const read = async () => (await call(`/api/v1/invoices/${invoice}?include=details`, { key: tenant.secret })).body
  const before = await read()
  expect(before).toMatchObject({ status: 'overdue', paidAmount: 0, balance: 500 })
  // Five days later, as what was stored then is found: without triggers, so that nothing else notices.
  await db.orm.transaction(async (tx) => {
    for (const table of ['analytics_invoice_records', 'analytics_revenue_transactions'])
      await tx.execute(sql`alter table ${sql.identifier(table)} disable trigger user`)
    await tx.execute(
      sql`update analytics_revenue_transactions set date = date - interval '5 days' where contractor_id = ${tenant.id}`,
    )
    await tx.execute(
      sql`update analytics_invoice_records set turns_at = turns_at - interval '5 days', pending_at = pending_at - interval '5 days'
        where id = ${invoice}`,
    )
    for (const table of ['analytics_invoice_records', 'analytics_revenue_transactions'])
      await tx.execute(sql`alter table ${sql.identifier(table)} enable trigger user`)
  })
  const { body } = await changes(tenant.secret, `cursor=${client.cursor}`)
  expect(body.items).toMatchObject([
    { resource: 'invoices', change: 'turned', id: invoice, record: { status: 'paid' } },
  ])
  const after = await read()
  expect(after).toMatchObject({ status: 'paid', paidAmount: 500, balance: 0 })
  expect(after.updatedAt > before.updatedAt).toBe(true)
})

test('pages of one follow each other without a gap, and every page proves itself', async () => {
  const tenant = await tenantWithBooks(2)
  const client = await clientOf(tenant, 1)
  await tenant.load(sampleBooks(4, 'x'))
  const read = await client.catchUp()
  expect(read).toBe(4 * RESOURCES.length)
  expect(client.totals).toEqual(await truthOf(db, tenant.id))
  expect(client.proof()).toEqual(client.totals)
})

test('a rolled back change is told to nobody, and an unchanged row is no change', async () => {
  const tenant = await tenantWithBooks(1)
  const client = await clientOf(tenant)
  const undone = db.orm.transaction(async (tx) => {
    await tx.execute(sql`update analytics_invoice_records set amount = 7 where contractor_id = ${tenant.id}`)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await tenant.load(sampleBooks(1))
  expect(await client.catchUp()).toBe(0)
})

describe.runIf(process.env.TEST_DRIVER !== 'pglite')('a transaction that is open while others commit', () => {
  test('is not missed, holds nobody up, and its change comes when it is committed', async () => {
    const tenant = await tenantWithBooks(2)
    const [first, second] = [await clientOf(tenant), await clientOf(tenant)]
    const [one, two] = await rows<{ id: string }>(
      db.orm,
      sql`select id from analytics_invoice_records where contractor_id = ${tenant.id} order by id`,
    )
    let commit = () => {}
    const mayCommit = new Promise<void>((done) => {
      commit = done
    })
    let wrote = () => {}
    const hasWritten = new Promise<void>((done) => {
      wrote = done
    })
    const late = db.orm.transaction(async (tx) => {
      await tx.execute(sql`update analytics_invoice_records set amount = 5 where id = ${one?.id}`)
      wrote()
      await mayCommit
    })
    await hasWritten
    await raise(two?.id ?? '')
    expect(await first.catchUp()).toBe(1)
    await raise(two?.id ?? '')
    expect(await first.catchUp()).toBe(1)
    commit()
    await late
    expect(await first.catchUp()).toBe(1)
    expect(first.items.at(-1)?.id).toBe(one?.id)
    await second.catchUp()
    // Both saw the same order.
    expect(second.items).toEqual(first.items)
    expect(first.proof()).toEqual(await truthOf(db, tenant.id))
    expect(second.proof()).toEqual(first.totals)
  })
})

describe('a cursor', () => {
  test.each([
    ['with a letter changed', (cursor: string) => `A${cursor.slice(1)}`],
    ['with something behind it', (cursor: string) => `${cursor}.x`],
    ['without its signature', (cursor: string) => cursor.split('.')[0] ?? ''],
    ['that is something else', () => 'nothing'],
  ])('%s is 400', async (_, change) => {
    const tenant = await tenantWithBooks(1)
    const { body } = await changes(tenant.secret)
    const refused = await changes(tenant.secret, `cursor=${change(body.cursor)}`)
    expect(refused).toMatchObject({ status: 400, body: { fields: [{ field: 'cursor' }] } })
  })

  test('of another contractor is 400; another key of the same contractor may use it', async () => {
    const [mine, other] = [await tenantWithBooks(1), await tenantWithBooks(1)]
    const { cursor } = (await changes(other.secret)).body
    expect((await changes(mine.secret, `cursor=${cursor}`)).status).toBe(400)
    expect((await call(`/api/v1/invoices/checksum?cursor=${cursor}`, { key: mine.secret })).status).toBe(400)
    expect((await changes((await other.key()).text, `cursor=${cursor}`)).status).toBe(200)
  })

  test('is 410 when what follows it was deleted', async () => {
    const tenant = await tenantWithBooks(1)
    const old = await clientOf(tenant)
    await raise(await idOf('analytics_invoice_records', tenant))
    const recent = await clientOf(tenant)
    await db.orm.execute(sql`delete from changes where contractor_id = ${tenant.id}`)
    const gone = await changes(tenant.secret, `cursor=${old.cursor}`)
    expect(gone).toMatchObject({ status: 410, body: { code: 'gone' } })
    expect((await call(`/api/v1/invoices/checksum?cursor=${old.cursor}`, { key: tenant.secret })).status).toBe(410)
    expect(await recent.catchUp()).toBe(0)
    expect(recent.proof()).toEqual(recent.totals)
  })

  test('of a time that a restored backup does not know is 410, also once the feed has grown past it', async () => {
    const tenant = await tenantWithBooks(1)
    const invoice = await idOf('analytics_invoice_records', tenant)
    const before = await clientOf(tenant)
    await raise(invoice)
    const { cursor } = (await changes(tenant.secret)).body
    // What a restore leaves: the feed ends where the backup was made.
    await db.orm.execute(sql`alter table changes disable trigger user`)
    await db.orm.execute(sql`delete from changes where contractor_id = ${tenant.id} and position = (
      select position from change_heads where contractor_id = ${tenant.id})`)
    await db.orm.execute(sql`alter table changes enable trigger user`)
    await db.orm.execute(sql`update change_heads set position = position - 1 where contractor_id = ${tenant.id}`)
    expect((await changes(tenant.secret, `cursor=${cursor}`)).status).toBe(410)
    await raise(invoice)
    await raise(invoice)
    expect(await before.catchUp()).toBe(2)
    expect((await changes(tenant.secret, `cursor=${cursor}`)).status).toBe(410)
  })

  test('covers the resources it was given for, and no others', async () => {
    const tenant = await tenantWithBooks(1)
    const { cursor } = (await changes(tenant.secret, 'resources=invoices')).body
    await tenant.load(sampleBooks(2, 'x'))
    const { body } = await changes(tenant.secret, `cursor=${cursor}`)
    expect(Object.keys(body.totals)).toEqual(['invoices'])
    expect(new Set(body.items.map(({ resource }: { resource: string }) => resource))).toEqual(new Set(['invoices']))
    const more = await changes(tenant.secret, `cursor=${cursor}&resources=invoices,payments`)
    expect(more).toMatchObject({ status: 400, body: { fields: [{ field: 'cursor' }] } })
  })
})

test('a key is shown only what it may read, and 403 for what it names beyond', async () => {
  const tenant = await tenantWithBooks(1)
  const { text: narrow } = await tenant.key(['read:payments'])
  const { body } = await changes(narrow)
  expect(Object.keys(body.totals)).toEqual(['payments'])
  await tenant.load(sampleBooks(2, 'x'))
  const { items } = (await changes(narrow, `cursor=${body.cursor}`)).body
  expect(new Set(items.map(({ resource }: { resource: string }) => resource))).toEqual(new Set(['payments']))
  expect((await changes(narrow, 'resources=invoices')).status).toBe(403)
  expect((await call('/api/v1/invoices/checksum', { key: narrow })).status).toBe(403)
  expect((await changes((await tenant.key(['write:leads'])).text)).status).toBe(403)
})

test.each([
  'limit=0',
  'limit=501',
  'wait=26',
  'wait=-1',
  'resources=',
  'resources=cats',
  'updatedAfter=2026-01-01T00:00:00Z',
])('%s is 400', async (query) => {
  const tenant = await tenantWithBooks(1)
  expect((await changes(tenant.secret, query)).status).toBe(400)
})

test('GET /v1/<resource>/checksum: the totals now, and as they were at a cursor', async () => {
  const tenant = await tenantWithBooks(2)
  const before = await truthOf(db, tenant.id)
  const { cursor } = (await changes(tenant.secret)).body
  await raise(await idOf('analytics_invoice_records', tenant))
  const truth = await truthOf(db, tenant.id)
  expect(truth.invoices).not.toEqual(before.invoices)
  for (const { name } of RESOURCES) {
    const now = await call(`/api/v1/${name}/checksum`, { key: tenant.secret })
    expect(now).toMatchObject({ status: 200, body: { resource: name, ...truth[name] } })
    const then = await call(`/api/v1/${name}/checksum?cursor=${cursor}`, { key: tenant.secret })
    expect(then.body).toEqual({ resource: name, ...before[name], cursor })
  }
})

describe('a request that waits', () => {
  test('is answered when something changes, without holding a connection', async () => {
    const tenant = await tenantWithBooks(1)
    const client = await clientOf(tenant)
    const other = await tenantWithBooks(1)
    const { cursor } = await clientOf(other)
    // Begun first and with nothing to tell, so its time would be over first.
    const idle = changes(other.secret, `cursor=${cursor}&wait=20`)
    const waiting = changes(tenant.secret, `cursor=${client.cursor}&wait=20`)
    await sleep(300)
    await raise(await idOf('analytics_invoice_records', tenant))
    expect((await Promise.race([idle, waiting])).body.items).toHaveLength(1)
    await raise(await idOf('analytics_invoice_records', other))
    expect((await idle).body.items).toHaveLength(1)
  })

  test('ends with no items when its time is over', async () => {
    const tenant = await tenantWithBooks(1)
    const { cursor } = (await changes(tenant.secret)).body
    const began = performance.now()
    expect((await changes(tenant.secret, `cursor=${cursor}&wait=1`)).body).toMatchObject({ items: [], more: false })
    expect(performance.now() - began).toBeGreaterThan(950)
  })

  test('has a bounded number of places for each key', async () => {
    const tenant = await tenantWithBooks(1)
    const { cursor } = (await changes(tenant.secret)).body
    const wait = () => changes(tenant.secret, `cursor=${cursor}&wait=20`)
    const asked = Array.from({ length: WAITERS.ofKey + 1 }, wait)
    // Those that have a place wait for a change, so the one without is answered first.
    const refused = await Promise.race(asked)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await changes((await tenant.key()).text, `cursor=${cursor}&wait=1`)).status).toBe(200)
    await raise(await idOf('analytics_invoice_records', tenant))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([...Array(WAITERS.ofKey).fill(200), 429])
    expect((await wait()).status).toBe(200)
  })

  test('an outage of the database meanwhile is logged once, and the poll goes on after it', async () => {
    const tenant = await tenantWithBooks(1)
    const invoice = await idOf('analytics_invoice_records', tenant)
    const log = collectLog()
    const run = db.run
    try {
      for (const outages of [1, 2]) {
        const { cursor } = (await changes(tenant.secret)).body
        let failed = 0
        db.run = async (statement, values) => {
          if (statement.name !== 'plumbline_feed_news' || failed === 3) return await run(statement, values)
          failed++
          return await run({ name: 'plumbline_of_outage', text: 'select from table_that_is_gone' }, [])
        }
        const waiting = changes(tenant.secret, `cursor=${cursor}&wait=20`)
        await vi.waitFor(() => expect(failed).toBe(3), { timeout: 15_000 })
        await raise(invoice)
        expect((await waiting).body.items).toHaveLength(1)
        expect(log.lines()).toHaveLength(outages)
      }
    } finally {
      db.run = run
      log.end()
    }
  })
})
