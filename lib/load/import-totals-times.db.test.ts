import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { CHICAGO, importBooks, NO_BOOKS, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { housecallJobs, qboInvoices, sheet, xeroInvoices } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

test('customers that are called as totals are customers', async () => {
  const names = ['Total', 'Grand Total', 'Total for Barns']
  const rows = names.map(
    (name, i) => `${name} | ${i + 1} | 13/05/2025 | | 10.00 | 0.00 | 10.00 | Sales invoice | Awaiting Payment`,
  )
  const { books } = await importBooks(db, US, { 'x.csv': xeroInvoices(...rows) })
  expect([books.customers, books.receivable]).toEqual([[...names].sort(), 30])
})

const rows = ['05/13/2025 | Invoice | 7 | Acre | | 10.00 | 10.00', '05/14/2025 | Invoice | 8 | Moss | | 20.00 | 0.00']

test('a total that its rows do not add up to refuses the file, which was cut', async () => {
  const cut = await importBooks(db, US, { 'list.csv': qboInvoices(...rows, 'TOTAL | | | | | $45.00 | $10.00') })
  expect(cut.report.faults.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/total of Amount is 45\.00.*30\.00/),
  ])
  expect(cut.books).toEqual(NO_BOOKS)
  const whole = await importBooks(db, US, { 'list.csv': qboInvoices(...rows, 'TOTAL | | | | | $30.00 | $10.00') })
  expect(whole.books.receivable).toBe(10)
})

test('the totals row of an office’s own sheet must be what its rows add up to; of several the last', async () => {
  const own = (...rows: string[]) => ({
    'r.csv': sheet('Invoice # | Customer | Invoice Date | Amount', '7 | Acre | 05/13/2025 | 10.00', ...rows),
  })
  const cut = await importBooks(db, US, own(' | | Total | $45.00'), { saveMap: true })
  expect(cut.report.faults.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/total of Amount is 45\.00.*10\.00/),
  ])
  expect(cut.books).toEqual(NO_BOOKS)
  const parts = own(
    'Total | | | 10.00',
    '8 | Total Homes | 06/13/2025 | 20.00',
    'Total | | | 20.00',
    'Grand total | | | 30.00',
  )
  const { report, books } = await importBooks(db, US, parts, { saveMap: true })
  expect(report.reconciliation?.totals).toMatchObject([{ stated: '30.00', read: '30.00' }])
  expect(books).toMatchObject({ customers: ['Acre', 'Total Homes'], receivable: 30 })
})

test('a row that a spreadsheet spoiled is refused, and leaves no customer and no project', async () => {
  const list = qboInvoices(
    '#REF! | Invoice | 7 | Acre | | #N/A | 0.00',
    '05/13/2025 | Invoice | 8 | #N/A | ######## | 10.00 | #VALUE!',
    '05/14/2025 | Invoice | 9 | Moss | | 5.00 | 5.00',
  )
  const { report, books } = await importBooks(db, US, { 'list.csv': list })
  expect(report.faults.map(({ line, reason }) => [line, reason])).toEqual([
    [2, expect.stringContaining('#REF!')],
    [3, expect.stringContaining('#N/A')],
  ])
  expect(books).toMatchObject({
    customers: ['Moss'],
    projects: 1,
    invoices: ['9 Moss 5 2025-05-14 due 2025-05-14 open 5'],
  })
})

test('a night in the office is its own day, in whichever zone the server is', async () => {
  const jobs = housecallJobs('1 | Completed | Acre | 2025-05-01 02:00:00 | 2025-05-01 02:15:00 | $10.00 | $0.00')
  const chicago = await importBooks(db, CHICAGO, { 'jobs.csv': jobs })
  expect(chicago.books.invoices).toEqual(['1 Acre 10 2025-05-01 due 2025-05-01 open 0'])
  const titan = sheet(
    'Job ID | Job Type | Status | Jobs Subtotal | Created Date | Scheduled Date | Completion Date | Customer ID | Customer Name | Location ID | Invoice ID | Summary | Project Number | Jobs Total',
    '61 | Repair | Completed | 50.00 | 5/14/2025 | 5/31/2025 8:00 PM | 6/1/2025 1:30 AM | 301 | Ida Moss | 1 | 801 | Late | | 54.00',
    '62 | Repair | Completed | 10.00 | 5/14/2025 | 6/1/2025 8:00 PM | 6/1/2025 11:30 PM | 301 | Ida Moss | 1 | 802 | Late | | 10.80',
  )
  const newYork = await importBooks(db, US, { 'jobs.csv': titan })
  expect(newYork.books.invoices).toEqual([
    expect.stringMatching(/^801 Ida Moss 54 2025-06-01 /),
    expect.stringMatching(/^802 Ida Moss 10.8 2025-06-01 /),
  ])
})
