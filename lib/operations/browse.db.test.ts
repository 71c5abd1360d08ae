import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { resources } from '@/lib/resources/registry'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { browseOperation } from './browse'
import { browseTransactions } from './browse-transactions'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date()
const invoices = browseOperation(resources.invoices)
const customers = browseOperation(resources.customers)
const projects = browseOperation(resources.projects)
const payments = browseOperation(resources.payments)

/** Nine invoices of Dana's two projects and one of Ann's, all of them overdue but the one that is paid. */
const BOOKS = {
  'customers.csv': 'Customer ID,Name\nC1,Dana Whitfield\nC2,Ann Lee\n',
  'projects.csv': 'Project ID,Customer ID,Name,Total Amount\nP1,C1,Roof,900\nP2,C1,Shed,100\nP3,C2,Deck,500\n',
  'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date,Retainage\n${[1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((n) => `26-010${n}-2,P${n % 2 === 0 ? 2 : 1},${n}0,2024-08-0${n},2024-09-0${n},${n === 4 ? '5' : ''}`)
    .join('\n')}\n27-0001,P3,15.50,2024-07-01,2024-07-31,\n`,
  'payments.csv':
    'Payment ID,Project ID,Invoice Number,Amount,Date\nT1,P1,26-0101-2,10.00,2024-09-01\nT2,P2,26-0102-2,5.00,2024-09-02\n',
}

async function tenantWithBooks() {
  const tenant = await makeTenant(db)
  expect((await tenant.load(BOOKS)).faults).toEqual([])
  const actor = actorOf(tenant.contractor)
  const page = async (input: object) =>
    (await answerOf(invoices, { actor, now: NOW, input: { limit: 4, ...input } })).answer
  return { ...tenant, actor, page }
}

const numbers = ({ items }: { items: Record<string, unknown>[] }) => items.map(({ number }) => number)
/** The invoices of Dana by the last digit before their end. */
const dana = (...digits: number[]) => digits.map((digit) => `26-010${digit}-2`)

test.each(['-updated', 'updated', 'number', '-number', 'customer', 'date', '-due', 'amount', '-balance', 'status'])(
  'browse by %s: forth to the end and back again by the same pages, each with its place',
  async (sort) => {
    const { page } = await tenantWithBooks()
    const all = numbers(await page({ sort, limit: 100 }))
    const first = await page({ sort })
    expect([numbers(first), first.previous, first.first, first.count]).toEqual([all.slice(0, 4), null, 1, 10])
    const second = await page({ sort, after: first.next })
    expect([numbers(second), second.first]).toEqual([all.slice(4, 8), 5])
    const last = await page({ sort, after: second.next })
    expect([numbers(last), last.next, last.first]).toEqual([all.slice(8), null, 9])
    const back = await page({ sort, before: last.previous })
    expect([numbers(back), back.first]).toEqual([numbers(second), 5])
    const start = await page({ sort, before: back.previous })
    expect([numbers(start), start.previous, start.first]).toEqual([numbers(first), null, 1])
  },
)

test('browse: orders are what they say', async () => {
  const { page } = await tenantWithBooks()
  const by = async (sort: string) => numbers(await page({ sort, limit: 100 }))
  expect(await by('number')).toEqual([...dana(1, 2, 3, 4, 5, 6, 7, 8, 9), '27-0001'])
  expect(await by('-due')).toEqual([...dana(9, 8, 7, 6, 5, 4, 3, 2, 1), '27-0001'])
  expect((await by('customer'))[0]).toBe('27-0001')
  expect((await by('-balance')).slice(0, 3)).toEqual(dana(9, 8, 7))
  expect((await by('balance'))[0]).toBe(dana(1)[0])
  expect((await by('-status'))[0]).toBe(dana(1)[0])
})

test('browse: rows have balance and days late; the tabs count what the other filters find; sums are of all that is found', async () => {
  const { page } = await tenantWithBooks()
  const { items, statuses, total, names } = await page({ sort: 'number', limit: 2, to: '2024-08-04' })
  expect(items).toMatchObject([
    { status: 'paid', balance: 0, unpaid: 0 },
    { status: 'overdue', balance: 15, unpaid: 15, daysLate: expect.any(Number) },
  ])
  expect(statuses).toEqual({ paid: 1, overdue: 4, current: 0, future: 0 })
  expect(total).toEqual([{ currency: 'USD', amount: 115.5, balance: 100.5, unpaid: 95.5 }])
  expect(Object.values(names).sort()).toEqual(['Dana Whitfield', 'Roof', 'Shed'])
  const overdue = await page({ to: '2024-08-04', status: 'overdue', sort: 'number' })
  expect([overdue.count, overdue.statuses]).toEqual([4, statuses])
  expect((await page({ unpaid: 'true', to: '2024-08-04' })).statuses).toEqual(statuses)
  expect((await page({ unpaid: 'true' })).total).toMatchObject([{ unpaid: 445.5 }])
})

test('browse: a number’s beginning, half a name, a street find their records', async () => {
  const { page, actor } = await tenantWithBooks()
  expect(numbers(await page({ query: '26-0103' }))).toEqual(dana(3))
  expect((await page({ query: '26-01' })).count).toBe(9)
  expect(numbers(await page({ query: 'ann l' }))).toEqual(['27-0001'])
  expect((await page({ query: 'whitf', unpaid: true, minAmount: '80' })).count).toBe(2)
  const { answer } = await answerOf(customers, { actor, now: NOW, input: { query: 'whi' } })
  expect(answer.items).toMatchObject([{ name: 'Dana Whitfield' }])
})

test('browse: customers, projects and payments have what is owed and paid beside them', async () => {
  const { actor } = await tenantWithBooks()
  const ask = async <T extends typeof customers | typeof projects | typeof payments>(operation: T, input: object) =>
    (await answerOf(operation, { actor, now: NOW, input })).answer
  expect((await ask(customers, { sort: 'customer' })).items).toMatchObject([
    { name: 'Ann Lee', unpaid: 15.5, overdue: 15.5 },
    { name: 'Dana Whitfield', unpaid: 430, overdue: 430 },
  ])
  expect((await ask(projects, { sort: '-amount' })).items).toMatchObject([
    { name: 'Roof', unpaid: 240 },
    { name: 'Deck', unpaid: 15.5 },
    { name: 'Shed', unpaid: 190 },
  ])
  expect(await ask(payments, { sort: 'date' })).toMatchObject({
    items: [{ invoiceNumber: '26-0101-2' }, { invoiceNumber: '26-0102-2' }],
    total: [{ currency: 'USD', amount: 15 }],
  })
})

test('browse: refunds and credits are counted and summed by themselves, though payments stand in the same table', async () => {
  const { actor } = await tenantWithBooks()
  await db.orm.execute(sql`insert into analytics_revenue_transactions
      (id, contractor_id, project_id, customer_id, type, amount, currency, date, method)
    select 'txn_' || p.id, contractor_id, p.id, customer_id, 'write_off', 3, 'USD', now(), 'other'
    from projects p where contractor_id = ${actor.contractorId} order by id limit 1`)
  const paid = await answerOf(payments, { actor, now: NOW, input: {} })
  const others = await answerOf(browseTransactions, { actor, now: NOW, input: {} })
  expect(paid.answer).toMatchObject({ count: 2, total: [{ currency: 'USD', amount: 15 }] })
  expect(others.answer).toMatchObject({ count: 1, types: { write_off: 1 }, total: [{ currency: 'USD', amount: 3 }] })
})

test('browse: days are the contractor’s', async () => {
  const { load, page } = await tenantWithBooks()
  const late =
    'Invoice Number,Project ID,Amount,Date,Due Date\nL1,P1,7,2025-03-01T03:30:00Z,2025-03-02\nL2,P1,8,2025-03-01,2025-03-02\n'
  expect((await load({ 'invoices.csv': late })).faults).toEqual([])
  expect(numbers(await page({ from: '2025-03-01', to: '2025-03-01' }))).toEqual(['L2'])
  expect(numbers(await page({ from: '2025-02-28', to: '2025-02-28' }))).toEqual(['L1'])
  expect((await page({ dueFrom: '2025-03-02', dueTo: '2025-03-02' })).count).toBe(2)
  await expect(page({ from: '2025-03-01T00:00:00Z' })).rejects.toMatchObject({ code: 'bad_request' })
})

test('browse: what the list does not take is refused', async () => {
  const { page } = await tenantWithBooks()
  for (const input of [{ after: 'yesterday' }, { sort: 'color' }, { due: '2024-01-01' }, { unpaid: 'perhaps' }])
    await expect(page(input)).rejects.toMatchObject({ code: 'bad_request' })
  const { next } = await page({ sort: 'number' })
  await expect(page({ sort: 'date', after: next })).rejects.toMatchObject({ code: 'bad_request' })
})

test('browse: another contractor’s records and names are not there', async () => {
  const [own, other] = [await tenantWithBooks(), await makeTenant(db)]
  const first = await own.page({})
  const ask = async (input: object) =>
    (await answerOf(invoices, { actor: actorOf(other.contractor), now: NOW, input })).answer
  expect(await ask({})).toMatchObject({ items: [], names: {}, count: 0, first: 0, previous: null, next: null })
  expect((await ask({ after: first.next })).items).toEqual([])
  expect((await ask({ query: 'Dana' })).items).toEqual([])
})
