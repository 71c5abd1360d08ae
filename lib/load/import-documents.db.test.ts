import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { type Books, type Files, importBooks, makeOffice, NO_BOOKS, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { buildertrendInvoices, jobberInvoices, qboInvoices, qboTransactions, xeroInvoices } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const iif = (...rows: string[]) => rows.map((row) => row.replaceAll('|', '\t')).join('\n')

type Case = { title: string; files: Files; books: Partial<Books> }

const cases: Case[] = [
  {
    title: 'a sales receipt is paid at the sale; a credit memo and a payment come to what an invoice asks for',
    files: {
      't.csv': qboTransactions(
        '05/12/2025 | Sales Receipt | R1 | Acre | | 40.00',
        '05/13/2025 | Invoice | 7 | Moss | | 90.00',
        '05/14/2025 | Credit Memo | 8 | Moss | | -30.00',
        '05/15/2025 | Payment | 411 | Moss | | 60.00',
      ),
    },
    books: {
      invoices: [
        '7 Moss 90 2025-05-13 due 2025-05-13 open 90',
        '8 Moss -30 2025-05-14 due 2025-05-14 open 0',
        'R1 Acre 40 2025-05-12 due 2025-05-12 open 0',
      ],
      payments: ['Acre 40 2025-05-12', 'Moss 60 2025-05-15'],
      receivable: 90,
      unapplied: 90,
    },
  },
  {
    title: 'a refund receipt is money out',
    files: {
      't.csv': qboTransactions(
        '05/12/2025 | Sales Receipt | R1 | Acre | | 40.00',
        '05/13/2025 | Refund Receipt | R2 | Acre | | -15.00',
      ),
    },
    books: { back: 15, receivable: 0, unapplied: 0 },
  },
  {
    title: 'older reports of QuickBooks Online call a refund receipt a refund',
    files: {
      't.csv': qboTransactions(
        '05/12/2025 | Sales Receipt | R1 | Acre | | 40.00',
        '05/13/2025 | Refund | R2 | Acre | | -15.00',
      ),
    },
    books: { back: 15, receivable: 0, unapplied: 0 },
  },
  {
    title: 'Xero: what is open of a credit note is less to be paid, though the file has no minus',
    files: {
      'x.csv': xeroInvoices(
        'Acre | 7 | 13/05/2025 | 12/06/2025 | 90.00 | 20.00 | 70.00 | Sales invoice | Awaiting Payment',
        'Acre | CN8 | 14/05/2025 | | 15.00 | 0.00 | 15.00 | Sales credit note | Awaiting Payment',
      ),
    },
    books: { receivable: 70, unapplied: 15 },
  },
  {
    title: 'a payment with a minus is a check that came back, and what it paid is open again',
    files: {
      't.csv': qboTransactions(
        '05/12/2025 | Invoice | 7 | Acre | | 65.00',
        '05/20/2025 | Payment | 411 | Acre | | 65.00',
        '05/25/2025 | Payment | 411 | Acre | NSF | -65.00',
      ),
    },
    books: {
      invoices: ['7 Acre 65 2025-05-12 due 2025-05-12 open 65'],
      back: 65,
      receivable: 65,
      unapplied: 0,
    },
  },
  {
    title: 'QuickBooks Desktop writes CREDMEM and CASH SALE',
    files: {
      'all.iif': iif(
        '!CUST|NAME|PHONE1|EMAIL',
        'CUST|Moss, Ida|(931) 555-0144|ida@moss.example',
        '!TRNS|TRNSID|TRNSTYPE|DATE|ACCNT|NAME|AMOUNT|DOCNUM|PAID',
        '!SPL|SPLID|TRNSTYPE|DATE|ACCNT|NAME|AMOUNT|DOCNUM',
        '!ENDTRNS',
        'TRNS|1|INVOICE|5/13/25|Accounts Receivable|Moss, Ida|90.00|7|N',
        'SPL|2|INVOICE|5/13/25|Sales||-90.00|',
        'ENDTRNS',
        'TRNS|3|CREDMEM|5/14/25|Accounts Receivable|Moss, Ida|-30.00|8|N',
        'SPL|4|CREDMEM|5/14/25|Sales||30.00|',
        'ENDTRNS',
        'TRNS|5|CASH SALE|5/15/25|Undeposited Funds|Moss, Ida|12.00|9|Y',
        'SPL|6|CASH SALE|5/15/25|Sales||-12.00|',
        'ENDTRNS',
        '',
      ),
    },
    books: {
      customers: ['Moss, Ida'],
      invoices: [
        '7 Moss, Ida 90 2025-05-13 due 2025-05-13 open 90',
        '8 Moss, Ida -30 2025-05-14 due 2025-05-14 open 0',
        '9 Moss, Ida 12 2025-05-15 due 2025-05-15 open 0',
      ],
    },
  },
  {
    title: 'a voided invoice and an estimate are no claims, a statement charge is one',
    files: {
      't.csv': qboTransactions(
        '05/13/2025 | Invoice | 6 | Acre | Voided | 0.00',
        '05/14/2025 | Statement Charge | | Acre | Late | 9.00',
        '05/15/2025 | Invoice | 7 | Acre | | 20.00',
        '05/15/2025 | Estimate | E1 | Acre | | 700.00',
      ),
    },
    books: {
      invoices: [
        '7 Acre 20 2025-05-15 due 2025-05-15 open 20',
        'no number, 2025-05-14 Acre 9 2025-05-14 due 2025-05-14 open 9',
      ],
      receivable: 29,
      unapplied: 0,
    },
  },
  {
    title: 'Jobber’s bad debt is written off, and its drafts are not issued',
    files: {
      'i.csv': jobberInvoices(
        '1 | Acre | May 1, 2025 | May 31, 2025 | 4 | Past due | 50.00 | 20.00',
        '2 | Acre | May 1, 2025 | May 31, 2025 | 4 | Bad debt | 70.00 | 70.00',
        '3 | Acre | - | - | 4 | Draft | 80.00 | 80.00',
      ),
    },
    books: {
      invoices: ['1 Acre 50 2025-05-01 due 2025-05-31 open 20', '2 Acre 70 2025-05-01 due 2025-05-31 open 0'],
      receivable: 20,
      unapplied: 0,
    },
  },
  {
    title: 'Buildertrend’s void and unreleased invoices are not issued',
    files: {
      'b.csv': buildertrendInvoices(
        'Wren Court | 0001 | Start | Void | 5/20/2025 | | $30.00 | $0.00',
        'Wren Court | 0002 | Roof | Unreleased | 5/20/2025 | | $40.00 | $0.00',
        'Wren Court | 0003 | Walls | Partially Paid | 5/20/2025 | | $50.00 | $10.00',
        'Totals | | | | | | $120.00 | $10.00',
      ),
    },
    books: { invoices: ['0003 Wren Court 50 2025-05-20 due 2025-05-20 open 40'], receivable: 40, unapplied: 0 },
  },
  {
    title: 'a credit note of Xero has a plus in its file; what was not approved, or is gone, is not issued',
    files: {
      'x.csv': xeroInvoices(
        'Acre | 7 | 13/05/2025 | 30/05/2025 | 60.00 | 0.00 | 45.00 | Sales invoice | Awaiting Payment',
        'Acre | 8 | 14/05/2025 | | 15.00 | 15.00 | 0.00 | Sales credit note | Paid',
        ...['Draft', 'Voided', 'Awaiting Approval', 'Submitted', 'Deleted'].map(
          (status, i) => `Acre | 9${i} | 15/05/2025 | | 11.00 | 0.00 | 11.00 | Sales invoice | ${status}`,
        ),
      ),
    },
    books: {
      invoices: ['7 Acre 60 2025-05-13 due 2025-05-30 open 45', '8 Acre -15 2025-05-14 due 2025-05-14 open 0'],
      receivable: 45,
      unapplied: 0,
    },
  },
  {
    title: 'a report of sales without tax does not change what the list of invoices says',
    files: {
      'list.csv': qboInvoices('05/13/2025 | Invoice | 7 | Acre | 06/12/2025 | 54.00 | 54.00'),
      'sales.csv': [
        'Sales by Customer Detail,,,,,,,,',
        '',
        ',Transaction date,Transaction type,Num,Product/Service full name,Quantity,Sales price,Amount,Balance',
        'Acre,,,,,,,,',
        ',05/13/2025,Invoice,7,Labor,5,10.00,50.00,50.00',
        'Total for Acre,,,,,,,$50.00,',
        'TOTAL,,,,,,,$50.00,',
        '',
      ].join('\n'),
    },
    books: { invoices: ['7 Acre 54 2025-05-13 due 2025-06-12 open 54'], receivable: 54 },
  },
]

test.each(cases)('documents: $title', async ({ files, books }) => {
  const imported = await importBooks(db, US, files)
  expect([imported.report.questions, imported.report.faults]).toEqual([undefined, []])
  expect(imported.books).toMatchObject(books)
})

const BARTER = qboTransactions(
  '05/13/2025 | Invoice | 7 | Acre | | 20.00',
  '05/14/2025 | Work Swap | 8 | Acre | | 15.00',
)

const asking: { title: string; files: Files; value: string; column: string }[] = [
  { title: 'a type of document', files: { 't.csv': BARTER }, value: 'Work Swap', column: 'Transaction type' },
  {
    title: 'a status of an invoice',
    files: {
      'i.csv': jobberInvoices(
        '1 | Acre | May 1, 2025 | - | 4 | Awaiting payment | 50.00 | 50.00',
        '2 | Moss | May 1, 2025 | - | 5 | Parked | 70.00 | 70.00',
      ),
    },
    value: 'Parked',
    column: 'Status',
  },
]

test.each(asking)('what nobody knows is asked for and nothing is written: $title', async ({ files, value, column }) => {
  const { report, books } = await importBooks(db, US, files)
  expect(report.questions).toMatchObject([{ kind: 'words', value, column, line: 3 }])
  expect(books).toEqual(NO_BOOKS)
})

test('a document is what the answer says it is, this time and the next', async () => {
  const { load } = await makeOffice(db, US)
  const answered = await load(
    { 't.csv': BARTER },
    { answers: { 'quickbooksonline transactiontype workswap': 'payment' } },
  )
  expect(answered.books).toMatchObject({ payments: ['Acre 15 2025-05-14'], unapplied: 15 })
  const next = await load({ 't.csv': qboTransactions('05/16/2025 | Work Swap | 9 | Acre | | 5.00') })
  expect(next.books.payments).toEqual(['Acre 15 2025-05-14', 'Acre 5 2025-05-16'])
})

test('a document whose answer is to ignore it is left out', async () => {
  const { books } = await importBooks(
    db,
    US,
    { 't.csv': BARTER },
    { answers: { 'quickbooksonline transactiontype workswap': 'ignore' } },
  )
  expect(books).toMatchObject({ invoices: ['7 Acre 20 2025-05-13 due 2025-05-13 open 20'], payments: [] })
})
