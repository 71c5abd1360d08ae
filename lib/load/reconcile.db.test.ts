import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { getRevenueSummary } from '@/lib/operations/reports/revenue-summary'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { CHICAGO, makeOffice } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { qboInvoices, qboTransactions } from '@/lib/testing/exports'
import { makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

test('a load ends with documents by type, the books before and after, and the customers that differ', async () => {
  const { load } = await makeTenant(db)
  const list = qboInvoices(
    '08/14/2025 | Invoice | 1 | Acre | | 30.00 | 30.00',
    '08/15/2025 | Invoice | 2 | Moss | | 20.00 | 0.00',
    '08/16/2025 | Credit Memo | 3 | Moss | | -5.00 | 0.00',
  )
  const first = await load({ 'list.csv': list })
  expect(first.reconciliation).toMatchObject({
    documents: [
      { file: 'list.csv', type: 'invoice', count: 2, amount: '50.00' },
      { file: 'list.csv', type: 'creditMemo', count: 1, amount: '-5.00' },
    ],
    before: { receivable: '0.00', credit: '0.00' },
    after: { receivable: '30.00', credit: '0.00' },
    differences: [],
  })
  const second = await load({ 't.csv': qboTransactions('08/20/2025 | Payment | 411 | Acre | | 12.00') })
  expect(second.reconciliation).toMatchObject({
    before: { receivable: '30.00' },
    after: { receivable: '30.00', credit: '12.00' },
    differences: [{ customer: 'Acre', stated: '30.00', books: '18.00' }],
  })
  expect(second.reconciliation?.differences[0]?.reason).toContain('12.00 is in credit')
})

test('a report states its own total beside what was read; a dry run and a load that asks write nothing', async () => {
  const { load } = await makeTenant(db)
  const list = `${qboInvoices('08/14/2025 | Invoice | 1 | Acre | | 30.00 | 30.00').trimEnd()}\nTOTAL,,,,,$30.00,$30.00\n`
  const dry = await load({ 'list.csv': list }, { dryRun: true })
  expect(dry.reconciliation).toMatchObject({
    totals: [{ file: 'list.csv', column: 'Amount', stated: '30.00', read: '30.00' }],
    after: null,
  })
  const asked = await load({ 't.csv': qboTransactions('08/20/2025 | Swap | 9 | Acre | | 12.00') })
  expect([asked.questions?.length, asked.reconciliation?.after]).toEqual([1, null])
})

test('months are those of the office’s clock, as the revenue report has them, in a dry run and in the load', async () => {
  const { contractor, load } = await makeOffice(db, CHICAGO)
  const files = {
    'customers.csv': 'Customer ID,Name\nC1,Acre',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof',
    'invoices.csv':
      'Invoice Number,Project ID,Amount,Date\n1,P1,70.00,2025-06-01T03:30:00Z\n2,P1,20.00,2025-06-01\n3,P1,5.00,2025-07-01T05:30:00Z',
    'payments.csv': 'Payment ID,Project ID,Amount,Date\nT1,P1,30.00,2025-07-01T04:30:00Z',
  }
  const dry = await load(files, { dryRun: true })
  const months = dry.report.reconciliation?.months ?? []
  expect(months.map(({ file, month, after }) => [file, month, after])).toEqual([
    ['invoices.csv', '2025-07', '5.00'],
    ['invoices.csv', '2025-06', '20.00'],
    ['invoices.csv', '2025-05', '70.00'],
    ['payments.csv', '2025-06', '30.00'],
  ])
  expect((await load(files)).report.reconciliation?.months).toEqual(months)
  const { answer } = await answerOf(getRevenueSummary, {
    actor: actorOf(contractor),
    now: new Date('2025-08-01T12:00:00Z'),
    input: { by: 'month', from: '2025-05-01', to: '2025-07-31' },
  })
  const told = (file: string) =>
    Object.fromEntries(months.filter((each) => each.file === file).map(({ month, after }) => [month, Number(after)]))
  const revenue = (of: 'invoiced' | 'received') =>
    Object.fromEntries(answer.lines.filter((line) => line[of] !== 0).map((line) => [line.key, line[of]]))
  expect([told('invoices.csv'), told('payments.csv')]).toEqual([revenue('invoiced'), revenue('received')])
  // A correction moves an amount from one of its months to another.
  const later = { ...files, 'invoices.csv': files['invoices.csv'].replace('06-01T03:30', '06-01T05:30') }
  const moved = [
    { month: '2025-06', stored: '20.00', after: '90.00' },
    { month: '2025-05', stored: '70.00', after: '0.00' },
  ]
  expect((await load(later, { dryRun: true })).report.reconciliation?.months).toMatchObject(moved)
  expect((await load(later)).report.reconciliation?.months).toMatchObject(moved)
})
