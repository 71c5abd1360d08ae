import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Database, shareDatabase } from '@/db/client'
import { AGES } from '@/db/queries/reports/open-invoices'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { listOpenInvoices } from './list-open-invoices'
import { getReceivablesAging } from './receivables-aging'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')
type Input = z.input<typeof listOpenInvoices.input>

/** Invoices of two customers of every age, with retainage, early money, a credit memo, another currency, and one dated ahead. */
const BOOKS = {
  'customers.csv': 'Customer ID,Name\nC1,Dana\nC2,Ann\n',
  'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof\nP2,C2,Shed\n',
  'invoices.csv': `Invoice Number,Project ID,Amount,Currency,Date,Due Date,Retainage
I1,P1,100.00,,2026-07-01,2026-08-01,
I2,P1,500.00,,2026-09-01,2026-09-15,50.00
I3,P2,80.00,,2026-10-01,2026-10-15,
I4,P2,60.00,,2026-10-01,2026-11-19,
I5,P1,69.90,,2026-11-01,2026-11-20,
I6,P2,5.00,,2026-11-21,2026-12-20,
I7,P2,7.77,EUR,2026-09-01,2026-10-01,
I8,P1,-30.00,,2026-10-01,2026-10-01,
I9,P2,44.00,,2026-06-01,2026-07-01,
`,
  'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date,Type
T1,P1,I1,40.10,2026-08-05,payment
T2,P1,I1,10.00,2026-09-10,refund
T3,P2,I9,44.00,2026-10-20,payment
T4,P2,I3,20.00,2026-12-01,payment
`,
}

async function books() {
  const tenant = await makeTenant(db)
  expect((await tenant.load(BOOKS)).faults).toEqual([])
  const actor = actorOf(tenant.contractor)
  const list = async (input: Input = {}) => (await answerOf(listOpenInvoices, { actor, now: NOW, input })).answer
  const aging = async (input: z.input<typeof getReceivablesAging.input> = {}) =>
    (await answerOf(getReceivablesAging, { actor, now: NOW, input })).answer
  return { list, aging }
}

test.each(['2026-11-20', '2026-10-19', '2026-12-02', '2026-05-01'])(
  'on %s each age of the receivables equals its list, and each customer theirs',
  async (asOf) => {
    const { list, aging } = await books()
    const { total, customers } = await aging({ asOf })
    for (const age of Object.keys(AGES) as (keyof typeof AGES)[]) {
      const { total: listed, invoices } = await list({ asOf, age })
      expect(listed.unpaid, age).toBe(total[age])
      expect(listed.invoices, age).toBe(invoices.length)
    }
    expect((await list({ asOf })).total).toMatchObject({ unpaid: total.unpaid, invoices: total.invoices })
    for (const { customerId, unpaid, invoices } of customers)
      expect((await list({ asOf, customerId })).total).toMatchObject({ unpaid, invoices })
  },
)

test('a line has what the office asks of it', async () => {
  const { list } = await books()
  const { invoices, total } = await list({ limit: 2 })
  expect(invoices).toMatchObject([
    {
      number: 'I1',
      customer: 'Dana',
      project: 'Roof',
      dueDate: '2026-08-01',
      daysLate: 111,
      amount: 100,
      unpaid: 69.9,
      lastPaymentDate: '2026-08-05',
    },
    { number: 'I2', daysLate: 66, amount: 500, unpaid: 450, retainage: 50, lastPaymentDate: null },
  ])
  expect(total).toEqual({ invoices: 5, amount: 809.9, unpaid: 729.8, retainage: 50 })
})

test('the list is sorted as asked, and read on behind what was told', async () => {
  const { list } = await books()
  const numbers = async (input: Input) => (await list(input)).invoices.map(({ number }) => number)
  expect(await numbers({ sort: '-unpaid' })).toEqual(['I2', 'I3', 'I5', 'I1', 'I4'])
  expect(await numbers({ sort: 'customer', age: 'overdue' })).toEqual(['I3', 'I4', 'I1', 'I2'])
  expect(await numbers({ sort: '-number', limit: 2, skip: 2 })).toEqual(['I3', 'I2'])
  expect((await list({ limit: 2, skip: 2 })).more).toBe(1)
  expect((await list({ currency: 'EUR' })).total).toMatchObject({ unpaid: 7.77, invoices: 1 })
})
