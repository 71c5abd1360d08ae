import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const BASE = {
  'customers.csv': 'Customer ID,Name\nC1,A\n',
  'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,A\nP2,C1,B\n',
}

test('payments settle their invoice, one that comes back reopens it, and the status follows', async () => {
  const tenant = await makeTenant(db)
  const status = async () =>
    (
      await rows<{ status: string }>(
        db.orm,
        sql`select status from analytics_invoice_records where contractor_id = ${tenant.contractor.id}`,
      )
    )[0]?.status
  await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,A\n',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,A\nP2,C1,B\n',
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date,Due Date\nI1,P1,100.00,2024-01-05,2024-02-05\n',
  })
  expect(await status()).toBe('overdue')
  const header = 'Payment ID,Invoice Number,Amount,Date,Type\n'
  await tenant.load({ 'payments.csv': `${header}T1,I1,60,2024-02-01,\n` })
  expect(await status()).toBe('overdue')
  await tenant.load({ 'payments.csv': `${header}T2,I1,40,2024-02-01,payment\n` })
  expect(await status()).toBe('paid')
  await tenant.load({ 'payments.csv': `${header}T3,I1,5,2024-02-03,refund\n` })
  expect(await status()).toBe('paid')
  await tenant.load({ 'payments.csv': `${header}T4,I1,40,2024-02-03,returned check\n` })
  expect(await status()).toBe('overdue')
  const report = await tenant.load({
    'payments.csv':
      'Payment ID,Project ID,Invoice Number,Amount,Date,Type\nT2,P1,I1,40,2024-02-01,refund\nT9,P2,I1,1,2024-02-01,\n',
  })
  expect(report.faults.map(({ field, reason }) => [field, reason])).toEqual([
    ['Type', expect.stringContaining('keeps its type')],
    ['Project ID', expect.stringContaining('not the project of this invoice')],
  ])
})

test('without their columns, a payment keeps its type and invoice, and rows that contradict them are refused', async () => {
  const tenant = await makeTenant(db)
  await tenant.load({
    ...BASE,
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nI1,P1,100,2024-01-05\n',
    'payments.csv':
      'Payment ID,Project ID,Invoice Number,Amount,Date,Type\nT1,P1,I1,5,1/2/24,refund\nT2,P1,,-7,1/2/24,adjustment\n',
  })
  const load = (lines: string) => tenant.load({ 'payments.csv': `Payment ID,Project ID,Amount,Date\n${lines}` })
  const same = await load('T1,P1,5,1/2/24\nT2,P1,-8,1/2/24\n')
  expect(same.files).toMatchObject([{ updated: 1, unchanged: 1, refused: 0 }])
  const moved = await load('T1,P2,5,1/2/24\nT2,P2,-8,1/2/24\n')
  expect(moved.files).toMatchObject([{ updated: 1, refused: 1 }])
  expect(moved.faults).toMatchObject([{ line: 2, field: 'Project ID', value: 'P2' }])
})

test('a payment of an invoice that is void or a draft is unapplied in the project it names, and refused without one', async () => {
  const tenant = await makeTenant(db)
  const invoices =
    'Invoice Number,Project ID,Amount,Date,Status\nV1,P1,100,2024-01-05,Void\nD1,P1,100,2024-01-05,Draft\n'
  const payments =
    'Payment ID,Project ID,Invoice Number,Amount,Date\nT1,P1,V1,5,1/2/24\nT2,P1,D1,6,1/2/24\nT3,,V1,7,1/2/24\nT4,P1,X1,8,1/2/24\n'
  const report = await tenant.load({ ...BASE, 'invoices.csv': invoices, 'payments.csv': payments })
  expect(report.faults.map(({ line, reason }) => [line, reason])).toEqual([
    [4, expect.stringContaining('void or a draft')],
    [5, expect.stringContaining('no invoice with this number')],
  ])
  const stored = await rows(
    db.orm,
    sql`select source_reference as id, invoice_id, amount::text from analytics_revenue_transactions
      where contractor_id = ${tenant.contractor.id} order by 1`,
  )
  expect(stored).toEqual([
    { id: 'T1', invoice_id: null, amount: '5.00' },
    { id: 'T2', invoice_id: null, amount: '6.00' },
  ])
})

test('a status of an invoice that nobody knows, or of bad debt, is named and counts as none; the invoice and its payments are loaded', async () => {
  const tenant = await makeTenant(db)
  const words = ['Bad debt', 'Disputed', 'Refunded', 'On hold', 'Processing']
  const report = await tenant.load({
    ...BASE,
    'invoices.csv': `Invoice Number,Project ID,Amount,Date,Status\n${words.map((word, i) => `I${i},P1,100,2024-01-05,${word}\n`).join('')}`,
    'payments.csv': 'Payment ID,Invoice Number,Amount,Date\nT1,I0,40,1/2/24\n',
  })
  expect(report.faults).toEqual([])
  expect(report.contradictions?.map(({ line, field, value }) => [line, field, value])).toEqual(
    words.map((word, i) => [i + 2, 'Status', i === 0 ? 'uncollectible' : word]),
  )
  const open = await rows(
    db.orm,
    sql`select open_amount::text as open from analytics_invoice_records where contractor_id = ${tenant.contractor.id} order by number`,
  )
  expect(open).toEqual(['60.00', '100.00', '100.00', '100.00', '100.00'].map((amount) => ({ open: amount })))
})

test('a payment may name only its invoice; it gets the invoice’s project', async () => {
  const tenant = await makeTenant(db)
  const report = await tenant.load({
    ...BASE,
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nI1,P2,100,2024-01-05\n',
    'payments.csv':
      'Payment ID,Invoice Number,Amount,Date,Type\nT1,I1,5,1/2/24,\nT2,I9,-5,1/2/24,gift\nT3,,5,1/2/24,\n',
  })
  expect(report.files.at(-1)).toMatchObject({ added: 1, refused: 2 })
  expect(report.faults.map(({ line, field }) => [line, field])).toEqual([
    [3, 'Type'],
    [3, 'Invoice Number'],
    [4, 'Invoice Number'],
  ])
})

test('a row that only the database refuses does not stop the other rows', async () => {
  const tenant = await makeTenant(db)
  const lines = Array.from({ length: 300 }, (_, i) => `T${i},I1,${i === 70 || i === 200 ? '599999999999' : 1},1/2/24\n`)
  const report = await tenant.load({
    ...BASE,
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nI1,P1,100,2024-01-05\n',
    'payments.csv': `Payment ID,Invoice Number,Amount,Date\n${lines.join('')}`,
  })
  expect(report.files.at(-1)).toMatchObject({ rows: 300, added: 299, refused: 1 })
  expect(report.faults).toMatchObject([{ line: 202, reason: expect.stringContaining('22003') }])
})

test('estimates belong to a customer, with or without one of their projects; other projects are refused', async () => {
  const tenant = await makeTenant(db)
  const header = 'Quote Number,Customer ID,Job Number,Total,Quote Date,Expires,Status\n'
  const stored = () =>
    rows(
      db.orm,
      sql`select e.number, u.source_reference as customer, p.source_reference as project, e.amount::text, e.currency, e.status
        from estimates e join users u on u.id = e.customer_id left join projects p on p.id = e.project_id
        where e.contractor_id = ${tenant.contractor.id} order by e.number`,
    )
  const first = await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,A\nC2,B\n',
    'projects.csv': BASE['projects.csv'],
    'estimates.csv': `${header}Q1,C1,P1,"$1,200.50",1/5/24,2/5/24,Pending\nQ2,C2,,80,1/6/24,,won\nQ3,C2,,0,1/7/24,,\n`,
  })
  expect(first.faults).toEqual([])
  const usd = { currency: 'USD' }
  expect(await stored()).toEqual([
    { number: 'Q1', customer: 'C1', project: 'P1', amount: '1200.50', ...usd, status: 'expired' },
    { number: 'Q2', customer: 'C2', project: null, amount: '80.00', ...usd, status: 'accepted' },
    { number: 'Q3', customer: 'C2', project: null, amount: '0.00', ...usd, status: 'draft' },
  ])
  // An expired estimate that is loaded with a later date is open again, and a project added later is stored.
  const again = await tenant.load({
    'estimates.csv': `${header}Q1,C1,P1,"$1,200.50",1/5/24,2/5/2999,Pending\nQ2,C1,P2,80,1/6/24,,won\nQ3,C2,,0,1/7/24,,\n`,
  })
  expect(again.files).toMatchObject([{ added: 0, updated: 2, unchanged: 1, refused: 0 }])
  expect((await stored()).slice(0, 2)).toMatchObject([{ status: 'sent' }, { customer: 'C1', project: 'P2' }])
  const bad = await tenant.load({
    'estimates.csv': `${header}Q4,C9,P1,1,1/1/24,,\nQ5,C1,P9,1,1/1/24,,\nQ6,C2,P1,1,1/1/24,,\nQ7,C1,,-1,1/1/24,,maybe\n`,
  })
  expect(bad.faults.map(({ line, field, reason }) => [line, field, reason])).toEqual([
    [2, 'Customer ID', 'no customer with this id is loaded; add it to customers.csv'],
    [3, 'Project ID', 'no project with this id is loaded; add it to projects.csv'],
    [4, 'Project ID', 'belongs to another customer'],
    [5, 'Amount', 'is not an amount of zero or more such as $1,250.00'],
    [5, 'Status', expect.stringContaining('is not one of draft, sent')],
  ])
})
