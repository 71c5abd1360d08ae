import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { SCOPES } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { getProjectFinancials } from './project-financials'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')

/** Returns books of P1 with partial payments, refunds, a paid date without a payment, money that names no invoice, and a second currency. */
const books = (mark = '') => ({
  'customers.csv': `Customer ID,Name\nC1,Dana${mark}\n`,
  'projects.csv': `Project ID,Customer ID,Name,Status,Total Amount\nP1,C1,Roof${mark},in_progress,"10,000.00"\nP2,C1,Shed${mark},lead,0\n`,
  'invoices.csv': `Invoice Number,Project ID,Amount,Currency,Date,Due Date,Paid Date
I1${mark},P1,1000.00,,2026-08-01,2026-08-31,
I2${mark},P1,2000.50,,2026-09-01,2026-10-01,
I3${mark},P1,300.10,,2026-11-01,2026-11-20,
I4${mark},P1,700.00,,2026-12-01,2026-12-31,
I5${mark},P1,50.05,,2026-07-01,2026-07-15,2026-07-20
I6${mark},P1,999.99,EUR,2026-07-01,2026-07-15,
`,
  'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Currency,Date,Type
T1,P1,I1${mark},600,,2026-08-10,payment
T2,P1,I1${mark},400,,2026-09-10,payment
T3,P1,I2${mark},500.25,,2026-09-20,payment
R1,P1,I2${mark},100.00,,2026-09-25,refund
T4,P1,,250,,2026-10-01,payment
R2,P1,,75,,2026-10-02,refund
A1,P1,,-20,,2026-10-03,adjustment
T5,P1,,10,EUR,2026-10-01,payment
`,
})

async function tenantWithBooks(mark = '') {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load(books(mark))
  expect(faults).toEqual([])
  const projects = await rows<{ id: string; reference: string }>(
    db.orm,
    sql`select id, source_reference as reference from projects where contractor_id = ${tenant.contractor.id}`,
  )
  const id = new Map(projects.map((project) => [project.reference, project.id]))
  const projectId = (reference: string) => id.get(reference) ?? ''
  const actor = actorOf(tenant.contractor)
  const report = (input: { projectId: string; currency?: string }, now = NOW) =>
    answerOf(getProjectFinancials, { actor, now, input })
  return { ...tenant, projectId, report }
}

test('get_project_financials: contract, invoices, payments and refunds set against each other, to the cent', async () => {
  const { projectId, report } = await tenantWithBooks()
  const { answer, text } = await report({ projectId: projectId('P1') })
  expect(answer).toMatchObject({
    project: { id: projectId('P1'), name: 'Roof', status: 'in_progress', totalAmount: 10000, currency: 'USD' },
    currency: 'USD',
    invoiced: 4050.65, // 1000.00 + 2000.50 + 300.10 + 700.00 + 50.05
    paid: 1750.25, // 600.00 + 400.00 + 500.25 + 250.00
    refunded: 175,
    credited: -20,
    balance: 2445.35, // 1900.35 + 700.00 - 155.00
    unpaid: 1900.35, // (2000.50 - 500.25 + 100.00) + 300.10
    overdue: 1600.25,
    notYetDue: 300.1,
    future: 700,
    unapplied: 155,
    withoutInvoice: 155, // 250.00 - 75.00 - 20.00
    nextDueDate: '2026-11-20',
    counts: { invoices: 5, paid: 2, overdue: 1, current: 1, future: 1, payments: 4, refunds: 2 },
    more: 0,
    otherCurrencies: ['EUR'],
  })
  expect(
    answer.invoices.map(({ number, dueDate, status, paid, unpaid, future, daysPastDue }) =>
      [number, dueDate, status, paid, unpaid, future, daysPastDue].join(' '),
    ),
  ).toEqual([
    'I5 2026-07-15 paid 0 0 0 0',
    'I1 2026-08-31 paid 1000 0 0 0',
    'I2 2026-10-01 overdue 400.25 1600.25 0 50',
    'I3 2026-11-20 current 0 300.1 0 0',
    'I4 2026-12-31 future 0 0 700 0',
  ])
  for (const [amount] of text.matchAll(/(?<="(?:\w*[aA]mount|invoiced|balance|refunded|withoutInvoice)":)[^,}]+/g))
    expect(amount).toMatch(/^-?\d+\.\d\d$/)
  expect(text).toContain('"balance":2445.35')
})

test('get_project_financials: an invoice is overdue when its due day is over for the contractor, whatever status is stored', async () => {
  const { projectId, report } = await tenantWithBooks()
  const at = async (now: string) => (await report({ projectId: projectId('P1') }, new Date(now))).answer
  expect(await at('2026-11-21T04:59:59.999Z')).toMatchObject({ overdue: 1600.25, nextDueDate: '2026-11-20' })
  expect(await at('2026-11-21T05:00:00.000Z')).toMatchObject({ overdue: 1900.35, nextDueDate: '2026-12-31' })
  expect(await at('2027-01-01T05:00:00.000Z')).toMatchObject({ overdue: 2600.35, unpaid: 2600.35, nextDueDate: null })
})

test('get_project_financials: another currency is reported for itself, never mixed in', async () => {
  const { projectId, report } = await tenantWithBooks()
  const { answer } = await report({ projectId: projectId('P1'), currency: 'EUR' })
  expect(answer).toMatchObject({
    currency: 'EUR',
    invoiced: 999.99,
    paid: 10,
    balance: 989.99,
    overdue: 999.99,
    withoutInvoice: 10,
    counts: { invoices: 1, payments: 1, refunds: 0 },
    otherCurrencies: ['USD'],
    project: { currency: 'USD' },
  })
  expect((await report({ projectId: projectId('P1'), currency: 'JPY' })).answer).toMatchObject({
    invoiced: 0,
    otherCurrencies: ['EUR', 'USD'],
  })
})

test('get_project_financials: a project without invoices is all zeros', async () => {
  const { projectId, report } = await tenantWithBooks()
  const { answer, text } = await report({ projectId: projectId('P2') })
  expect(answer).toMatchObject({
    invoiced: 0,
    paid: 0,
    balance: 0,
    overdue: 0,
    nextDueDate: null,
    more: 0,
    invoices: [],
  })
  expect(text).toContain('"unpaid":0.00')
})

test('get_project_financials: 25 invoices are told one by one, those due first first, and the rest counted', async () => {
  const { projectId, report, load } = await tenantWithBooks()
  const day = (i: number) => `2026-03-${String(i).padStart(2, '0')}`
  const lines = Array.from({ length: 27 }, (_, i) => `M${i},P2,1.01,${day(1)},${day(28 - i)}`)
  await load({ 'invoices.csv': ['Invoice Number,Project ID,Amount,Date,Due Date', ...lines].join('\n') })
  const { answer } = await report({ projectId: projectId('P2') })
  expect(answer).toMatchObject({ invoiced: 27.27, more: 2, counts: { invoices: 27 } })
  expect(answer.invoices.map(({ dueDate }) => dueDate)).toEqual(Array.from({ length: 25 }, (_, i) => day(i + 2)))
})

test('get_project_financials: another contractor’s project is not_found, as if it did not exist', async () => {
  const [a, b] = [await tenantWithBooks(), await tenantWithBooks('do-not-leak')]
  const absent = { code: 'not_found', message: 'There is no project with this id. Take ids from list_projects.' }
  await expect(a.report({ projectId: b.projectId('P1') })).rejects.toMatchObject(absent)
  await expect(a.report({ projectId: 'prj_none' })).rejects.toMatchObject(absent)
  const { text, answer } = await a.report({ projectId: a.projectId('P1') })
  expect(text).not.toContain('do-not-leak')
  expect(answer.invoiced).toBe(4050.65)
})

test.each(['read:projects', 'read:invoices', 'read:payments'] as const)(
  'get_project_financials: forbidden when the key lacks %s',
  async (missing) => {
    const { contractor, projectId } = await tenantWithBooks()
    const actor = actorOf(
      contractor,
      SCOPES.filter((scope) => scope !== missing),
    )
    const call = answerOf(getProjectFinancials, { actor, now: NOW, input: { projectId: projectId('P1') } })
    await expect(call).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining(missing) })
  },
)
