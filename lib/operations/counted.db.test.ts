import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type Database, rows, shareDatabase } from '@/db/client'
import { numberChanges } from '@/db/queries/changes'
import { actorOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { execute } from './execute'
import { operations } from './registry'

let db: Database
/** The texts of the statements that count. */
const counts: string[] = []
beforeAll(async () => {
  db = await openTestDatabase()
  const run: Database['run'] = (statement, values) => {
    if (statement.text.includes('by_currency')) counts.push(statement.text)
    return db.run(statement, values)
  }
  shareDatabase({ ...db, run })
})
afterAll(() => db.close())

const Told = z.object({ count: z.int(), total: z.array(z.object({ currency: z.string(), amount: z.number() })) })

async function books() {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(12))
  const { id } = tenant.contractor
  const ask = async (input: Record<string, unknown> = {}) => {
    const caller = { actor: actorOf(tenant.contractor), now: new Date() }
    const { count, total } = Told.parse(await execute(operations.tellInvoices, caller, { limit: 1, ...input }))
    return { count, amount: total[0]?.amount ?? 0 }
  }
  const truth = async () => {
    const [row] = await rows<{ count: number; amount: number }>(
      db.orm,
      sql`select count(*)::int as count, coalesce(sum(amount), 0)::float8 as amount from analytics_invoice_records where contractor_id = ${id}`,
    )
    return row
  }
  const [first] = await rows<{ id: string }>(
    db.orm,
    sql`select id from analytics_invoice_records where contractor_id = ${id} order by id limit 1`,
  )
  if (!first) throw new Error('the books have invoices')
  /** A copy of the first invoice under another number. */
  const copied = (number: string) => sql`insert into analytics_invoice_records
      (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
    select id || ${number}, contractor_id, project_id, customer_id, ${number}, amount, currency, invoice_date, due_date
      from analytics_invoice_records where id = ${first.id}`
  const removed = (number: string) =>
    sql`delete from analytics_invoice_records where contractor_id = ${id} and number = ${number}`
  return { ...tenant, id, first: first.id, ask, truth, copied, removed }
}

test('what is counted is counted once while nothing changes, for each question', async () => {
  const { ask, id } = await books()
  await numberChanges(db, id, 1_000)
  counts.length = 0
  const whole = await ask()
  expect(await ask()).toEqual(whole)
  expect(await ask({ limit: 5 })).toEqual(whole)
  expect(counts).toHaveLength(1)
  const some = await ask({ minAmount: 5_000 })
  expect(await ask({ minAmount: 5_000 })).toEqual(some)
  expect(counts).toHaveLength(2)
  expect(await ask()).toEqual(whole)
  expect(counts).toHaveLength(2)
})

test('after every write it is the truth, whether its change has its place in the feed or waits for it', async () => {
  const { ask, truth, id, first, copied, removed } = await books()
  const writes = [
    copied('W-1'),
    sql`update analytics_invoice_records set amount = amount + 1 where id = ${first}`,
    copied('W-2'),
    removed('W-1'),
    copied('W-1'),
    removed('W-2'),
    sql`update analytics_invoice_records set amount = amount + 1 where id = ${first}`,
  ]
  for (const isNumbered of [false, true]) {
    for (const write of writes) {
      await rows(db.orm, write)
      expect(await ask()).toMatchObject((await truth()) ?? {})
      if (isNumbered) await numberChanges(db, id, 1_000)
      expect(await ask()).toMatchObject((await truth()) ?? {})
    }
    await rows(db.orm, removed('W-1'))
  }
})

// The embedded database has one connection, so its transactions follow each other.
test.skipIf(process.env.TEST_DRIVER === 'pglite')(
  'a change that is queued first and committed last is counted, too',
  async () => {
    const { ask, truth, id, copied } = await books()
    await numberChanges(db, id, 1_000)
    await db.orm.transaction(async (tx) => {
      await rows(tx, copied('late'))
      await rows(db.orm, copied('early'))
      expect(await ask()).toMatchObject((await truth()) ?? {})
    })
    expect(await ask()).toMatchObject((await truth()) ?? {})
  },
)

test('sums of projects are told in the contractor’s currency, at once after it changed', async () => {
  const { contractor, id } = await books()
  const caller = { actor: actorOf(contractor), now: new Date() }
  const currency = async () =>
    Told.parse(await execute(operations.tellProjects, caller, { limit: 1 })).total[0]?.currency
  expect(await currency()).toBe('USD')
  await rows(db.orm, sql`update contractors set currency = 'CAD' where id = ${id}`)
  expect(await currency()).toBe('CAD')
})
