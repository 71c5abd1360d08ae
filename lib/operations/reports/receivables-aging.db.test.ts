import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Database, shareDatabase } from '@/db/client'
import { SCOPES } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { getReceivablesAging } from './receivables-aging'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')
type Input = z.input<typeof getReceivablesAging.input>
const INVOICES = 'Invoice Number,Project ID,Amount,Currency,Date,Due Date,Paid Date'
const PAYMENTS = 'Payment ID,Project ID,Invoice Number,Amount,Currency,Date,Type'

/** A tenant with customers C1 to C5, each with a project of the same number, and these invoices and payments. */
async function tenantWith(invoices: string[], payments: string[] = [], mark = '') {
  const tenant = await makeTenant(db)
  const each = (line: (i: number) => string) => [1, 2, 3, 4, 5].map(line)
  const { faults } = await tenant.load({
    'customers.csv': ['Customer ID,Name', ...each((i) => `C${i},C${i}${mark}`)].join('\n'),
    'projects.csv': ['Project ID,Customer ID,Name', ...each((i) => `P${i},C${i},Project${mark}`)].join('\n'),
    'invoices.csv': [INVOICES, ...invoices].join('\n'),
    'payments.csv': [PAYMENTS, ...payments].join('\n'),
  })
  expect(faults).toEqual([])
  const actor = actorOf(tenant.contractor)
  const report = (input: Input = {}, now = NOW) => answerOf(getReceivablesAging, { actor, now, input })
  return { ...tenant, report }
}

/** Partial payments, refunds, a paid date without a payment, an invoice dated ahead, and a second currency. */
const books = (mark = '') =>
  tenantWith(
    [
      'I1,P1,100.00,,2026-09-01,2026-10-01,',
      'I2,P2,500.00,,2026-10-01,2026-10-31,',
      'I3,P2,80.00,,2026-11-01,2026-12-01,',
      'I4,P3,60.00,,2026-08-01,2026-08-15,2026-11-12',
      'I5,P4,69.90,,2026-10-01,2026-11-19,',
      'I6,P4,5.00,,2026-11-20,2026-12-20,',
      'I7,P5,1000.00,,2026-11-21,2026-11-21,',
      'I8,P2,7.77,EUR,2026-09-01,2026-10-01,',
    ],
    [
      'T1,P1,I1,40.10,,2026-10-05,payment',
      'R1,P1,I1,10.00,,2026-11-10,refund',
      'T2,P2,I2,500.00,,2026-11-15,payment',
      'T3,P1,,33.00,,2026-10-05,payment',
      'A1,P1,I1,-5.00,,2026-10-06,adjustment',
    ],
    mark,
  )

const brief = ({ customers }: { customers: { name: string; overdue: number; unpaid: number }[] }) =>
  customers.map(({ name, overdue, unpaid }) => [name, overdue, unpaid])

test('get_receivables_aging: unpaid balances by customer and in total, the most overdue first', async () => {
  const { answer, text } = await (await books()).report()
  expect(answer).toMatchObject({ asOf: '2026-11-20', currency: 'USD', more: 0, otherCurrencies: ['EUR'] })
  expect(answer.total).toEqual({
    unpaid: 229.8, // C4 69.90 + 5.00, C1 100.00 - 40.10 + 10.00 + 5.00, C2 80.00
    overdue: 144.8,
    current: 85,
    days1to30: 69.9,
    days31to60: 74.9,
    days61to90: 0,
    over90: 0,
    invoices: 4,
    retainage: 0,
    unapplied: 33, // T3
    writtenOff: 0,
    future: 1000, // I7
    paymentNotKnown: { invoices: 0, amount: 0 },
    oldestDueDate: '2026-10-01',
  })
  expect(brief(answer)).toEqual([
    ['C1', 74.9, 74.9],
    ['C4', 69.9, 74.9],
    ['C2', 0, 80],
  ])
  expect(answer.customers[1]).toMatchObject({ current: 5, days1to30: 69.9, invoices: 2, oldestDueDate: '2026-11-19' })
  expect(text).toContain('"total":{"unpaid":229.80,"overdue":144.80,"current":85.00,')
})

test('get_receivables_aging: the groups meet between 0 and 1, 30 and 31, 60 and 61, 90 and 91 days past due', async () => {
  const due: [day: string, amount: string][] = [
    ['2026-11-21', '256.56'],
    ['2026-11-20', '1.01'],
    ['2026-11-19', '2.02'],
    ['2026-10-21', '4.04'],
    ['2026-10-20', '8.08'],
    ['2026-09-21', '16.16'],
    ['2026-09-20', '32.32'],
    ['2026-08-22', '64.64'],
    ['2026-08-21', '128.28'],
  ]
  const lines = due.map(([day, amount], i) => `I${i},P1,${amount},,2026-08-01,${day},`)
  const { answer } = await (await tenantWith(lines)).report()
  expect(answer.total).toEqual({
    unpaid: 513.11,
    overdue: 255.54,
    current: 257.57,
    days1to30: 6.06,
    days31to60: 24.24,
    days61to90: 96.96,
    over90: 128.28,
    invoices: 9,
    retainage: 0,
    unapplied: 0,
    writtenOff: 0,
    future: 0,
    paymentNotKnown: { invoices: 0, amount: 0 },
    oldestDueDate: '2026-08-21',
  })
})

test('get_receivables_aging: a due moment counts as its whole day for the contractor', async () => {
  const { report } = await tenantWith([
    'I1,P1,1.00,,2026-08-01,2026-10-20T23:59:59Z,',
    'I2,P1,2.00,,2026-08-01,2026-10-20T18:00:00-06:00,',
  ])
  expect((await report()).answer.total).toMatchObject({ days31to60: 1, days1to30: 2, oldestDueDate: '2026-10-20' })
  const at = async (now: string) => (await report({}, new Date(now))).answer
  expect(await at('2026-10-21T03:59:59.999Z')).toMatchObject({ asOf: '2026-10-20', total: { overdue: 0, current: 3 } })
  expect(await at('2026-10-21T04:00:00.000Z')).toMatchObject({ asOf: '2026-10-21', total: { overdue: 1, current: 2 } })
})

test('get_receivables_aging: a past day counts what was dated up to it, and nothing later', async () => {
  const { report } = await books()
  const on = async (asOf: string) => (await report({ asOf })).answer
  const early = await on('2026-10-04')
  expect(early.total).toMatchObject({ unpaid: 729.9, overdue: 160, current: 569.9, days1to30: 100, days31to60: 60 })
  expect(brief(early)).toEqual([
    ['C1', 100, 100],
    ['C3', 60, 60],
    ['C2', 0, 500],
    ['C4', 0, 69.9],
  ])
  const owed = async (name: string, asOf: string) =>
    (await on(asOf)).customers.find((customer) => customer.name === name)?.unpaid
  expect(await owed('C1', '2026-08-31')).toBeUndefined()
  expect(await owed('C1', '2026-09-01')).toBe(100)
  expect(await owed('C1', '2026-10-05')).toBe(59.9)
  expect(await owed('C1', '2026-11-09')).toBe(64.9)
  expect(await owed('C1', '2026-11-10')).toBe(74.9)
  expect(await owed('C2', '2026-11-14')).toBe(580)
  expect(await owed('C2', '2026-11-15')).toBe(80)
  expect(await owed('C3', '2026-11-11')).toBe(60)
  expect(await owed('C3', '2026-11-12')).toBeUndefined()
  expect((await on('2026-11-11')).customers.find(({ name }) => name === 'C3')).toMatchObject({ days61to90: 60 })
})

test('get_receivables_aging: seen from the day after, today is the past and comes to the same', async () => {
  const { report } = await books()
  const { answer } = await report()
  expect((await report({ asOf: '2026-11-20' })).answer).toEqual(answer)
  expect((await report({ asOf: '2026-11-20' }, new Date('2026-11-21T00:00:00Z'))).answer).toEqual(answer)
})

test('get_receivables_aging: a day ahead counts invoices dated up to it', async () => {
  const { report } = await books()
  const on = async (asOf: string) => (await report({ asOf })).answer.total
  expect(await on('2026-11-21')).toMatchObject({ unpaid: 1229.8, overdue: 144.8, current: 1085 })
  expect(await on('2026-11-22')).toMatchObject({ unpaid: 1229.8, overdue: 1144.8, days1to30: 1069.9 })
  expect(await on('9999-12-31')).toMatchObject({ unpaid: 1229.8, over90: 1229.8 })
})

test('get_receivables_aging: customers beyond the limit are counted, and their sums are in the total', async () => {
  const { report } = await books()
  const { answer } = await report({ limit: 1 })
  expect(answer).toMatchObject({ more: 2, total: { unpaid: 229.8 }, customers: [{ name: 'C1' }] })
  expect((await report({ limit: 3 })).answer.more).toBe(0)
})

test('get_receivables_aging: another currency is reported for itself; nothing open is all zeros', async () => {
  const { report } = await books()
  expect((await report({ currency: 'EUR' })).answer).toMatchObject({
    currency: 'EUR',
    total: { unpaid: 7.77, days31to60: 7.77, invoices: 1 },
    customers: [{ name: 'C2', unpaid: 7.77 }],
    otherCurrencies: ['USD'],
  })
  const { answer, text } = await (await tenantWith([])).report()
  expect(answer).toMatchObject({
    customers: [],
    more: 0,
    otherCurrencies: [],
    total: { invoices: 0, oldestDueDate: null },
  })
  expect(text).toContain('"unpaid":0.00')
})

test('get_receivables_aging: another contractor’s invoices and payments are never counted', async () => {
  const a = await books()
  const alone = [(await a.report()).answer, (await a.report({ asOf: '2026-10-04' })).answer]
  await books('do-not-leak')
  const beside = [await a.report(), await a.report({ asOf: '2026-10-04' })]
  expect(beside.map(({ answer }) => answer)).toEqual(alone)
  for (const { text } of beside) expect(text).not.toContain('do-not-leak')
})

test.each([
  { asOf: '2026-02-30' },
  { asOf: '0000-01-01' },
  { asOf: '2026-11-20T00:00:00Z' },
  { limit: 0 },
  { limit: 26 },
  { limit: 1.5 },
  { currency: 'usd' },
  { contractorId: 'con_other' },
])('get_receivables_aging: %j is refused', async (input) => {
  expect(getReceivablesAging.input.safeParse(input).success).toBe(false)
})

test.each(['read:invoices', 'read:payments', 'read:customers'] as const)(
  'get_receivables_aging: forbidden when the key lacks %s',
  async (missing) => {
    const { contractor } = await makeTenant(db)
    const actor = actorOf(
      contractor,
      SCOPES.filter((scope) => scope !== missing),
    )
    await expect(answerOf(getReceivablesAging, { actor, now: NOW, input: {} })).rejects.toMatchObject({
      code: 'forbidden',
    })
  },
)
