import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Database, rows, shareDatabase } from '@/db/client'
import { numberChanges } from '@/db/queries/changes'
import { openTestDatabase } from '@/db/testing'
import { actorOf } from '@/lib/testing/answer-of'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { execute } from './execute'
import { operations } from './registry'

let db: Database
/** The statements that read a page. */
const pages: string[] = []
beforeAll(async () => {
  process.env.EXTERNAL_API_TOKEN_SECRET = 'a-secret-for-tests-of-32-characters'
  db = await openTestDatabase()
  const run: Database['run'] = (statement, values) => {
    if (statement.text.includes('string_agg(item')) pages.push(statement.name)
    return db.run(statement, values)
  }
  shareDatabase({ ...db, run })
})
afterAll(() => db.close())

const Told = z.object({
  items: z.array(z.object({ id: z.string(), amount: z.number(), status: z.string(), customerName: z.string() })),
  nextPageToken: z.string().nullable(),
})

async function books() {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(12))
  const { contractor } = tenant
  const ask = async (input: Record<string, unknown> = {}, actor = actorOf(contractor)) =>
    Told.parse(await execute(operations.tellInvoices, { actor, now: new Date() }, { limit: 25, ...input }))
  /** What the newest page would be, read by a question that nobody asked before. */
  let asked = 0
  const truth = async () => {
    const updatedAfter = new Date(++asked).toISOString()
    return (await ask({ updatedAfter })).items
  }
  const write = (statement: SQL) => rows(db.orm, statement)
  const [first] = await rows<{ id: string; customer: string }>(
    db.orm,
    sql`select id, customer_id as customer from analytics_invoice_records where contractor_id = ${contractor.id} order by id limit 1`,
  )
  if (!first) throw new Error('the books have invoices')
  return { contractor, ask, truth, write, first }
}

test('a page is read once while nothing changes, for each question and each set of names', async () => {
  const { ask, contractor } = await books()
  await numberChanges(db, contractor.id, 1_000)
  pages.length = 0
  const page = await ask({ limit: 2 })
  expect((await ask({ limit: 2 })).items).toEqual(page.items)
  expect(pages).toHaveLength(1)

  const next = { limit: 2, pageToken: page.nextPageToken }
  const second = await ask(next)
  expect(second.items).not.toEqual(page.items)
  expect((await ask(next)).items).toEqual(second.items)
  expect(pages).toHaveLength(2)

  const caller = { actor: actorOf(contractor, ['read:invoices']), now: new Date() }
  const unnamed = await execute(operations.tellInvoices, caller, { limit: 2 })
  expect(JSON.stringify(unnamed)).not.toContain('customerName')
  expect(pages).toHaveLength(3)
})

test('after every write a page is the truth, whether its change has its place in the feed or waits for it', async () => {
  const { ask, truth, write, first, contractor } = await books()
  const { id, customer } = first
  const copied = sql`insert into analytics_invoice_records
      (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
    select id || 'copy', contractor_id, project_id, customer_id, 'copy', amount, currency, invoice_date, due_date
      from analytics_invoice_records where id = ${id}`
  const writes = [
    sql`update analytics_invoice_records set amount = amount + 1 where id = ${id}`,
    sql`update users set name = name || ' and sons' where id = ${customer}`,
    copied,
    sql`update users set name = 'Renamed again' where id = ${customer}`,
    sql`delete from analytics_invoice_records where id = ${`${id}copy`}`,
  ]
  for (const isNumbered of [false, true]) {
    for (const each of writes) {
      const before = (await ask()).items
      await write(each)
      const after = (await ask()).items
      expect(after).not.toEqual(before)
      expect(after).toEqual(await truth())
      if (isNumbered) await numberChanges(db, contractor.id, 1_000)
      expect((await ask()).items).toEqual(after)
    }
  }
})

test('a status that turns with the time turns in a page that was read before', async () => {
  const { ask, write, first } = await books()
  const statusOf = async () => (await ask()).items.find(({ id }) => id === first.id)?.status
  const right = await statusOf()
  const other = right === 'current' ? 'overdue' : 'current'
  // As it was before its due date passed: without triggers, so that the feed does not notice.
  const storeAs = async (change: SQL) => {
    await write(sql`alter table analytics_invoice_records disable trigger user`)
    await write(sql`update analytics_invoice_records set ${change} where id = ${first.id}`)
    await write(sql`alter table analytics_invoice_records enable trigger user`)
  }
  await storeAs(sql`status = ${other}, turns_at = now() + interval '1 hour'`)
  // Any write ends what was kept.
  await write(sql`update users set name = 'Someone' where id = ${first.customer}`)
  expect(await statusOf()).toBe(other)
  await storeAs(sql`turns_at = now() - interval '1 second'`)
  expect(await statusOf()).toBe(right)
})

test('another contractor is told pages of their own', async () => {
  const [mine, other] = [await books(), await books()]
  const ids = new Set((await mine.ask()).items.map(({ id }) => id))
  const { items } = await other.ask()
  expect(items.length).toBeGreaterThan(0)
  expect(items.filter(({ id }) => ids.has(id))).toEqual([])
})
