import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { type Books, type Files, importBooks, makeOffice, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { jobberInvoices, ownFiles, qboInvoices, qboTransactions, sheet } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const OWN_INVOICES = 'Invoice Number | Project ID | Amount | Date | Status | Balance'
const OWN_PAYMENTS = 'Payment ID | Project ID | Invoice Number | Amount | Date | Type'

const cases: { title: string; files: Files; saveMap?: boolean; books: Partial<Books> }[] = [
  {
    title: 'one payment is the sum of two invoices, two payments leave a part open, a credit memo settles another',
    files: {
      'list.csv': qboInvoices(
        '08/14/2025 | Invoice | 1 | Acre | | 30.00 | 0.00',
        '08/15/2025 | Invoice | 2 | Acre | | 20.00 | 0.00',
        '08/16/2025 | Invoice | 3 | Moss | | 100.00 | 45.00',
        '08/17/2025 | Invoice | 4 | Fern | | 10.00 | 0.00',
        '08/18/2025 | Credit Memo | 5 | Fern | | -10.00 | 0.00',
      ),
      't.csv': qboTransactions(
        '08/20/2025 | Payment | 411 | Acre | | 50.00',
        '08/21/2025 | Payment | 412 | Moss | | 35.00',
        '08/22/2025 | Payment | 413 | Moss | | 20.00',
      ),
    },
    books: {
      invoices: [
        '1 Acre 30 2025-08-14 due 2025-08-14 open 0',
        '2 Acre 20 2025-08-15 due 2025-08-15 open 0',
        '3 Moss 100 2025-08-16 due 2025-08-16 open 45',
        '4 Fern 10 2025-08-17 due 2025-08-17 open 0',
        '5 Fern -10 2025-08-18 due 2025-08-18 open 0',
      ],
      payments: ['Acre 50 2025-08-20', 'Moss 20 2025-08-22', 'Moss 35 2025-08-21'],
      receivable: 45,
      unapplied: 0,
    },
  },
  {
    title: 'a payment of an invoice’s whole amount is for another one, where the file says that the first is all open',
    files: {
      'list.csv': qboInvoices(
        '08/14/2025 | Invoice | 1 | Acre | | 50.00 | 20.00',
        '08/15/2025 | Invoice | 2 | Acre | | 30.00 | 30.00',
      ),
      't.csv': qboTransactions('08/20/2025 | Payment | 411 | Acre | | 30.00'),
    },
    books: {
      invoices: ['1 Acre 50 2025-08-14 due 2025-08-14 open 20', '2 Acre 30 2025-08-15 due 2025-08-15 open 30'],
      receivable: 50,
      unapplied: 0,
    },
  },
  {
    title: 'a payment that two sets of invoices add up to pays none of them, where no file says which are paid',
    files: {
      't.csv': qboTransactions(
        '08/01/2025 | Invoice | 1 | Acre | | 10.00',
        '08/02/2025 | Invoice | 2 | Acre | | 40.00',
        '08/03/2025 | Invoice | 3 | Acre | | 30.00',
        '08/04/2025 | Invoice | 4 | Acre | | 20.00',
        '08/20/2025 | Payment | 411 | Acre | | 50.00',
      ),
    },
    books: { receivable: 100, unapplied: 50 },
  },
  {
    title: 'a check pays the two invoices that it names',
    files: {
      't.csv': sheet(
        'Client name | Date | Type | Total $ | Tip $ | Note | Check # | Invoice # | Method | Transaction ID | Job # | Refunded on',
        'Totals | - | - | 0.00 | 2.00 | - | - | - | - | - | - | -',
        'Acre | Aug 1, 2025 | Invoice | 30.00 | - | - | - | 7 | - | - | 4 | -',
        'Acre | Aug 2, 2025 | Invoice | 20.00 | - | - | - | 8 | - | - | 4 | -',
        'Acre | Aug 6, 2025 | Payment | -50.00 | 2.00 | - | 411 | 7, 8 | Check | - | 4 | -',
      ),
    },
    books: {
      invoices: ['7 Acre 30 2025-08-01 due 2025-08-01 open 0', '8 Acre 20 2025-08-02 due 2025-08-02 open 0'],
      receivable: 0,
      unapplied: 0,
    },
  },
  {
    title: 'a deposit explains why nothing is open, and is not counted beside it',
    files: ownFiles('Wren Court', {
      'invoices.csv': sheet(OWN_INVOICES, '1 | P1 | 90 | 2025-08-01 | Paid | 0.00'),
      'payments.csv': sheet(OWN_PAYMENTS, 'T1 | P1 | | 90 | 2025-07-01 | deposit'),
    }),
    books: {
      invoices: ['1 Wren Court 90 2025-08-01 due 2025-08-01 open 0'],
      payments: ['Wren Court 90 2025-07-01'],
      receivable: 0,
      unapplied: 0,
    },
  },
  {
    title: 'a deposit pays no invoice whose file does not say that it is paid',
    files: ownFiles('Wren Court', {
      'invoices.csv': sheet('Invoice Number | Project ID | Amount | Date', '1 | P1 | 90 | 2025-08-01'),
      'payments.csv': sheet(OWN_PAYMENTS, 'T1 | P1 | | 90 | 2025-07-01 | deposit'),
    }),
    books: { receivable: 90, unapplied: 90 },
  },
  {
    title: 'money does not pay a part of what its file says was paid before',
    files: ownFiles('Wren Court', {
      'invoices.csv': sheet(
        'Invoice Number | Project ID | Amount | Date | Paid Date',
        '1 | P1 | 90 | 2025-06-01 | 2025-06-20',
      ),
      'payments.csv': sheet(OWN_PAYMENTS, 'T1 | P1 | | 200 | 2025-07-01 | payment'),
    }),
    books: { receivable: 0, unapplied: 200 },
  },
  {
    title: 'sheets of one’s own name two invoices in one cell',
    saveMap: true,
    files: {
      'inv.csv': sheet(
        'Invoice No | Customer | Invoice Date | Total',
        '201 | Acre | 08/13/2025 | 10.00',
        '202 | Acre | 08/13/2025 | 20.00',
      ),
      'pay.csv': sheet(
        'Check # | Customer | Invoice(s) | Date Paid | Amount Paid',
        '411 | Acre | 201 & 202 | 08/20/2025 | $30.00',
      ),
    },
    books: {
      invoices: ['201 Acre 10 2025-08-13 due 2025-08-13 open 0', '202 Acre 20 2025-08-13 due 2025-08-13 open 0'],
      payments: ['Acre 30 2025-08-20'],
      unapplied: 0,
    },
  },
  {
    title: 'a payment that fits nothing stays the customer’s credit',
    files: {
      't.csv': qboTransactions(
        '08/14/2025 | Invoice | 1 | Acre | | 30.00',
        '08/20/2025 | Payment | 411 | Acre | | 7.00',
        '08/20/2025 | Payment | 412 | Moss | | 30.00',
      ),
    },
    books: { receivable: 30, unapplied: 37 },
  },
]

test.each(cases)('allocation: $title', async ({ files, saveMap, books }) => {
  const imported = await importBooks(db, US, files, { saveMap })
  expect([imported.report.questions, imported.report.faults]).toEqual([undefined, []])
  expect(imported.books).toMatchObject(books)
})

test('what stays a credit is noted, and the next file of invoices uses it once', async () => {
  const { load } = await makeOffice(db, US)
  const paid = await load({ 't.csv': qboTransactions('08/20/2025 | Payment | 411 | Acre | | 30.00') })
  expect(paid.report.contradictions).toMatchObject([
    { file: 't.csv (payments)', value: '411', reason: expect.stringMatching(/30\.00 USD.*credit/) },
  ])
  expect(paid.books.unapplied).toBe(30)
  const list = { 'list.csv': qboInvoices('08/14/2025 | Invoice | 1 | Acre | | 30.00 | 0.00') }
  for (const again of [1, 2])
    expect((await load(list)).books, `${again}`).toMatchObject({ receivable: 0, unapplied: 0 })
})

/** One customer who owes 30 and 20 and paid both by one check of 50. */
const oneCheck = {
  'list.csv': qboInvoices('08/14/2025 | Invoice | 1 | Acre | | 30.00 |', '08/15/2025 | Invoice | 2 | Acre | | 20.00 |'),
  't.csv': qboTransactions('08/20/2025 | Payment | 411 | Acre | | 50.00'),
}
const SETTLED = { receivable: 0, unapplied: 0, payments: ['Acre 50 2025-08-20'] }

test('what was allocated of a payment goes with the payment: another amount, no payment, its invoice named later', async () => {
  const { load, change } = await makeOffice(db, US)
  expect((await load(oneCheck)).books).toMatchObject(SETTLED)
  // Each of these changes the payment behind the loader's back, as a connector or a complete file does.
  await change(
    (contractorId) => sql`update analytics_revenue_transactions set amount = 45
    where contractor_id = ${contractorId} and type = 'payment_received'`,
  )
  expect((await load({ 'list.csv': oneCheck['list.csv'] })).books).toMatchObject({ receivable: 50, unapplied: 45 })
  await change(
    (contractorId) => sql`update analytics_revenue_transactions set amount = 50
    where contractor_id = ${contractorId} and type = 'payment_received'`,
  )
  expect((await load({ 'more.csv': qboInvoices('08/16/2025 | Invoice | 3 | Acre | | 7.00 |') })).books).toMatchObject({
    receivable: 7,
    unapplied: 0,
  })
  await change(
    (contractorId) => sql`delete from analytics_revenue_transactions
    where contractor_id = ${contractorId} and type = 'payment_received'`,
  )
  expect((await load({ 'none.csv': qboInvoices('08/17/2025 | Invoice | 4 | Moss | | 1.00 |') })).books).toMatchObject({
    receivable: 58,
    unapplied: 0,
    payments: [],
  })
})

test('an invoice that is voided gives back what was allocated to it', async () => {
  const { load } = await makeOffice(db, US)
  const list = (status: string) => ({
    'i.csv': jobberInvoices(
      `1 | Acre | 2025-08-14 | 2025-08-14 | | ${status} | 30.00 | 30.00`,
      '2 | Acre | 2025-08-15 | 2025-08-15 | | Awaiting payment | 20.00 | 20.00',
    ),
  })
  const check = sheet(
    'Client name | Date | Type | Total $ | Invoice # | Method | Transaction ID',
    'Totals | - | - | -50.00 | - | - | -',
    'Acre | Aug 20, 2025 | Payment | -50.00 | 1, 2 | Check | -',
  )
  const first = await load({ ...list('Awaiting payment'), 't.csv': check })
  expect(first.books.payments).toEqual(['Acre 50 2025-08-20'])
  const { books } = await load(list('Void'))
  expect(books.invoices).toHaveLength(1)
  expect(books.unapplied + 20 - books.receivable).toBe(50)
})

test('a payment that names its invoice later takes the place of money that was allocated to it', async () => {
  const { load } = await makeOffice(db, US)
  const files = ownFiles('Wren Court', {
    'invoices.csv': sheet(OWN_INVOICES, '1 | P1 | 90 | 2025-08-01 | Paid | 0.00'),
    'payments.csv': sheet(OWN_PAYMENTS, 'T1 | P1 | | 90 | 2025-07-01 | deposit'),
  })
  expect((await load(files)).books.unapplied).toBe(0)
  const { books } = await load({ 'payments.csv': sheet(OWN_PAYMENTS, 'T2 | P1 | 1 | 90 | 2025-08-02 | payment') })
  expect([books.receivable, books.unapplied]).toEqual([0, 90])
})
