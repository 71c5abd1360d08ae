import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { SCOPES, type Scope } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { getRecord } from './get-record'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')

const day = (i: number) => `2024-03-${String(i).padStart(2, '0')}`

/** Returns books in which Dana owns a roof and a shed, Eli a deck; the roof has 2 invoices, 3 payments (one names no invoice) and a refund. */
const books = (mark: string) => ({
  'customers.csv': `Customer ID,Name\nC1,Dana${mark}\nC2,Eli${mark}\n`,
  'projects.csv': `Project ID,Customer ID,Name,Created At\nP1,C1,Roof${mark},2024-01-01\nP2,C1,Shed${mark},2024-02-01\nP3,C2,Deck${mark},2024-03-01\n`,
  'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date
I1${mark},P1,100.10,2024-08-01,2024-08-31
I2${mark},P1,200.20,2024-09-01,2024-10-01
I3${mark},P3,50,2024-09-01,2024-10-01
`,
  'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date,Type,Reference
T1,P1,I1${mark},60.50,2024-08-10,payment,one${mark}
T2,P1,I1${mark},39.60,2024-09-10,payment,two${mark}
T3,P1,,5,2024-07-01,payment,three${mark}
T4,P3,I3${mark},50,2024-09-20,payment,four${mark}
R1,P1,I1${mark},1,2024-09-25,refund,back${mark}
`,
  'estimates.csv': `Estimate Number,Customer ID,Project ID,Amount,Date,Status
Q1${mark},C1,P1,300.30,2024-06-01,accepted
Q2${mark},C1,,40,2024-10-01,declined
`,
})

async function tenantWithBooks(mark = '') {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load(books(mark))
  expect(faults).toEqual([])
  const { id: contractorId } = tenant.contractor
  const found = await rows<{ id: string; name: string }>(
    db.orm,
    sql`select id, name from users where contractor_id = ${contractorId}
      union all select id, name from projects where contractor_id = ${contractorId}
      union all select id, number from analytics_invoice_records where contractor_id = ${contractorId}
      union all select id, reference from analytics_revenue_transactions where contractor_id = ${contractorId}
      union all select id, number from estimates where contractor_id = ${contractorId}`,
  )
  const ids = new Map(found.map(({ id, name }) => [name.replace(mark, ''), id]))
  const idOf = (name: string) => ids.get(name) ?? `no record is called ${name}`
  const record = (id: string, scopes?: readonly Scope[]) =>
    answerOf(getRecord, { actor: actorOf(tenant.contractor, scopes), now: NOW, input: { id } })
  const near = async (name: string, scopes?: readonly Scope[]) => (await record(idOf(name), scopes)).answer
  return { ...tenant, idOf, record, near }
}

const without = (...missing: Scope[]) => SCOPES.filter((scope) => !missing.includes(scope))

/** Reports whether these tests made records of a neighbor's kind; one of a kind that was added later may stand beside them. */
const isKnown = (neighbor: string) =>
  ['customer', 'project', 'projects', 'invoice', 'invoices', 'payments', 'estimates'].includes(neighbor)

test('get_record: a customer comes with their projects and estimates, newest first, and nobody else’s', async () => {
  const { near, idOf } = await tenantWithBooks()
  const answer = await near('Dana')
  expect(answer).toMatchObject({ type: 'customer', record: { id: idOf('Dana'), name: 'Dana' }, withheld: [] })
  expect(answer.neighbours).toMatchObject({
    projects: {
      items: [expect.objectContaining({ name: 'Shed' }), expect.objectContaining({ name: 'Roof' })],
      more: 0,
    },
    estimates: {
      items: [
        expect.objectContaining({ number: 'Q2', status: 'declined' }),
        expect.objectContaining({ number: 'Q1', status: 'accepted' }),
      ],
      more: 0,
    },
  })
})

test('get_record: a project comes with its customer, invoices, payments and estimates by date, refunds left out', async () => {
  const { near, idOf, record } = await tenantWithBooks()
  const answer = await near('Roof')
  expect(answer).toMatchObject({
    type: 'project',
    record: { id: idOf('Roof'), name: 'Roof', customerId: idOf('Dana') },
    neighbours: {
      customer: { id: idOf('Dana'), name: 'Dana' },
      invoices: { items: [{ number: 'I2', status: 'overdue' }, { number: 'I1' }], more: 0 },
      payments: { items: [{ reference: 'two' }, { reference: 'one' }, { reference: 'three' }], more: 0 },
      estimates: { items: [{ number: 'Q1' }], more: 0 },
    },
    withheld: [],
  })
  expect(Object.keys(answer.neighbours).filter(isKnown)).toEqual(['customer', 'invoices', 'payments', 'estimates'])
  // Amounts are sent as stored and never become JavaScript numbers.
  expect((await record(idOf('Roof'))).text).toContain('"amount":200.20')
})

test('get_record: a project without any has empty neighbours', async () => {
  const { near } = await tenantWithBooks()
  expect((await near('Shed')).neighbours).toMatchObject({
    invoices: { items: [], more: 0 },
    payments: { items: [], more: 0 },
  })
})

test('get_record: an invoice comes with its project, customer and the payments that name it', async () => {
  const { near, idOf } = await tenantWithBooks()
  expect(await near('I1')).toMatchObject({
    type: 'invoice',
    record: { id: idOf('I1'), amount: 100.1 },
    neighbours: {
      project: { id: idOf('Roof') },
      customer: { id: idOf('Dana') },
      payments: {
        items: [
          { reference: 'two', amount: 39.6 },
          { reference: 'one', amount: 60.5 },
        ],
        more: 0,
      },
    },
    withheld: [],
  })
})

test('get_record: a payment comes with its project, customer and invoice, or without one when it names none', async () => {
  const { near, idOf } = await tenantWithBooks()
  expect(await near('four')).toMatchObject({
    type: 'payment',
    record: { id: idOf('four'), amount: 50, reference: 'four' },
    neighbours: { project: { name: 'Deck' }, customer: { name: 'Eli' }, invoice: { number: 'I3', status: 'paid' } },
    withheld: [],
  })
  const { neighbours, withheld } = await near('three')
  expect([Object.keys(neighbours), withheld]).toEqual([['project', 'customer'], []])
})

test('get_record: an estimate comes with its customer, and its project when it is for one', async () => {
  const { near, idOf } = await tenantWithBooks()
  expect(await near('Q1')).toMatchObject({
    type: 'estimate',
    record: { id: idOf('Q1'), amount: 300.3, projectId: idOf('Roof') },
    neighbours: { project: { id: idOf('Roof') }, customer: { id: idOf('Dana') } },
    withheld: [],
  })
  const { record, neighbours } = await near('Q2')
  expect([Object.keys(neighbours), 'projectId' in record]).toEqual([['customer'], false])
})

test('get_record: ten neighbours of a kind, those of the latest date first, and the rest counted', async () => {
  const { near, load } = await tenantWithBooks()
  const lines = Array.from({ length: 13 }, (_, i) => `M${i},P2,1.01,${day(i + 1)},${day(28)}`)
  await load({ 'invoices.csv': ['Invoice Number,Project ID,Amount,Date,Due Date', ...lines].join('\n') })
  expect((await near('Shed')).neighbours).toMatchObject({
    invoices: { items: Array.from({ length: 10 }, (_, i) => ({ number: `M${12 - i}` })), more: 3 },
  })
})

const NEEDS = [
  ['Dana', 'read:customers'],
  ['Roof', 'read:projects'],
  ['I1', 'read:invoices'],
  ['one', 'read:payments'],
  ['Q1', 'read:estimates'],
] as const
test.each(NEEDS)('get_record: %s is forbidden when the key lacks %s, there or not', async (name, scope) => {
  const { record, idOf } = await tenantWithBooks()
  const forbidden = { code: 'forbidden', message: expect.stringContaining(scope) }
  await expect(record(idOf(name), without(scope))).rejects.toMatchObject(forbidden)
  await expect(record(`${idOf(name)}x`, without(scope))).rejects.toMatchObject(forbidden)
})

test('get_record: neighbours of a kind the key may not read are left out and named', async () => {
  const { near } = await tenantWithBooks()
  const seen = async (name: string, ...missing: Scope[]) => {
    const { neighbours, withheld } = await near(name, without(...missing))
    return [Object.keys(neighbours).filter(isKnown), withheld]
  }
  expect(await seen('Dana', 'read:projects')).toEqual([['invoices', 'payments', 'estimates'], ['projects']])
  expect(await seen('Roof', 'read:customers', 'read:payments')).toEqual([
    ['invoices', 'estimates'],
    ['customer', 'payments'],
  ])
  expect(await seen('I1', 'read:payments')).toEqual([['project', 'customer'], ['payments']])
  expect(await seen('one', 'read:invoices')).toEqual([['project', 'customer'], ['invoice']])
})

test('get_record: another contractor’s record is not_found, as if it did not exist, and never a neighbour', async () => {
  const [a, b] = [await tenantWithBooks(), await tenantWithBooks('do-not-leak')]
  for (const [name, type, list] of [
    ['Dana', 'customer', 'list_customers'],
    ['Roof', 'project', 'list_projects'],
    ['I1', 'invoice', 'list_invoices'],
    ['one', 'payment', 'list_payments'],
    ['Q1', 'estimate', 'list_estimates'],
  ] as const) {
    const absent = { code: 'not_found', message: `There is no ${type} with this id. Take ids from ${list}.` }
    await expect(a.record(b.idOf(name))).rejects.toMatchObject(absent)
    await expect(a.record(`${a.idOf(name)}x`)).rejects.toMatchObject(absent)
    expect((await a.record(a.idOf(name))).text).not.toContain('do-not-leak')
  }
})

test('get_record: rows that name another contractor’s record do not bring it, and are not brought by it', async () => {
  const [a, b] = [await tenantWithBooks(), await tenantWithBooks('do-not-leak')]
  // Data our code never writes: a contractor's payment that names another contractor's invoice.
  await rows(
    db.orm,
    sql`update analytics_revenue_transactions set invoice_id = ${b.idOf('I1')} where id = ${a.idOf('three')}`,
  )
  const { answer, text } = await a.record(a.idOf('three'))
  expect([Object.keys(answer.neighbours), text.includes('do-not-leak')]).toEqual([['project', 'customer'], false])
  expect((await b.near('I1')).neighbours).toMatchObject({ payments: { items: [{}, {}], more: 0 } })
})

test('get_record: a refund, and a person who owns no project, are no records of it', async () => {
  const { record, idOf, contractor } = await tenantWithBooks()
  const refund = `pay_refund_${contractor.id}`
  await rows(
    db.orm,
    sql`insert into analytics_revenue_transactions (id, contractor_id, project_id, customer_id, type, amount, currency, date, method)
      select ${refund}, contractor_id, project_id, customer_id, type, amount, currency, date, method
      from analytics_revenue_transactions where id = ${idOf('back')}`,
  )
  await expect(record(refund)).rejects.toMatchObject({ code: 'not_found' })
  await rows(
    db.orm,
    sql`insert into users (id, contractor_id, name) values (${`cus_idle_${contractor.id}`}, ${contractor.id}, 'Idle')`,
  )
  await expect(record(`cus_idle_${contractor.id}`)).rejects.toMatchObject({ code: 'not_found' })
})

test.each(['con_01jb2w7n6d8f0h2k4m6p8r0t2v', 'ref_prj_x_1', 'cus_', 'CUS_1', "cus_1' or true", ' cus_1'])(
  'get_record: %j is no record, and the answer says how to find one',
  async (id) => {
    const { record } = await tenantWithBooks()
    await expect(record(id)).rejects.toMatchObject({ code: 'not_found' })
  },
)

test('get_record: an empty id is refused', async () => {
  const { record } = await tenantWithBooks()
  await expect(record('')).rejects.toMatchObject({ code: 'bad_request', fields: [{ field: 'id' }] })
})

test('get_record: nothing but an id is taken', () => {
  expect(getRecord.input.safeParse({ id: 'cus_1', contractorId: 'con_1' }).success).toBe(false)
})
