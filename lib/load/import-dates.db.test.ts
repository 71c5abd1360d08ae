import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { listAudit } from '@/db/queries/audit'
import { operatorFor } from '@/lib/auth/actor'
import { changeContractor, getContractorSettings } from '@/lib/operations/contractors/settings'
import { execute } from '@/lib/operations/execute'
import { BRITAIN, CANADA, type Files, importBooks, makeOffice, NO_BOOKS, type Office, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { jobberInvoices, ownFiles, qboInvoices, sheet, xeroIn, xeroInvoices } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

type Case = { title: string; office: Office; files: Files; dates: RegExp; invoices: string[]; saveMap?: boolean }

const cases: Case[] = [
  {
    title: 'the days that a report names rule out the other order',
    office: US,
    files: {
      'list.csv': `Rook Ltd,,,,,,\nInvoice List by Date,,,,,,\n"March 1 - March 31, 2025",,,,,,\n\n${qboInvoices('04/03/2025 | Invoice | 7 | Acre | 08/04/2025 | 80.00 | 80.00')}`,
    },
    dates: /day comes before the month.*04\/03\/2025.*outside the days that the report names/,
    invoices: ['7 Acre 80 2025-03-04 due 2025-04-08 open 80'],
  },
  {
    title: 'no invoice is due before it was issued, so the day comes first in an American office too',
    office: US,
    files: { 'list.csv': qboInvoices('05/01/2025 | Invoice | 7 | Acre | 04/02/2025 | 80.00 | 80.00') },
    dates: /day comes before the month.*due before it was issued/,
    invoices: ['7 Acre 80 2025-01-05 due 2025-02-04 open 80'],
  },
  {
    title: 'no invoice is due before it was issued, so the month comes first in Xero too',
    office: BRITAIN,
    files: {
      'x.csv': xeroIn(
        'GBP',
        'Acre | 7 | 04/02/2025 | 05/01/2025 | 80.00 | 0.00 | 80.00 | Sales invoice | Awaiting Payment',
      ),
    },
    dates: /month comes before the day.*due before it was issued/,
    invoices: ['7 Acre 80 2025-04-02 due 2025-05-01 open 80'],
  },
  {
    title: 'stated terms tell which order fits, where both come to terms that are usual',
    office: CANADA,
    files: {
      'register.csv': sheet(
        'Invoice # | Customer | Invoice Date | Terms | Due Date | Amount',
        '7 | Acre | 01/02/2025 | Net 30 | 03/03/2025 | 80.00',
      ),
    },
    saveMap: true,
    dates: /day comes before the month.*usual terms/,
    invoices: ['7 Acre 80 2025-02-01 due 2025-03-03 open 80'],
  },
  {
    title: 'where both orders are possible, the office’s country writes the day first',
    office: BRITAIN,
    files: { 'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00') },
    dates: /day comes before the month.*GB/,
    invoices: ['7 Acre 80 2025-02-04 due 2025-02-04 open 80'],
  },
  {
    title: 'where both orders are possible, the office’s country writes the month first',
    office: US,
    files: { 'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00') },
    dates: /month comes before the day.*US/,
    invoices: ['7 Acre 80 2025-04-02 due 2025-04-02 open 80'],
  },
  {
    title: 'due dates follow the usual terms one way only',
    office: CANADA,
    files: { 'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | 06/03/2025 | 80.00 | 80.00') },
    dates: /day comes before the month.*usual terms/,
    invoices: ['7 Acre 80 2025-02-04 due 2025-03-06 open 80'],
  },
  {
    title: 'one date of our own files shows the order of the others',
    office: CANADA,
    files: ownFiles('Wren Court', {
      'invoices.csv': sheet(
        'Invoice Number | Project ID | Amount | Date',
        '1 | P1 | 60.00 | 21/10/2024',
        '2 | P1 | 90.00 | 04/02/2025',
      ),
    }),
    dates: /day comes before the month.*21\/10\/2024.*can be nothing else/,
    invoices: [
      '1 Wren Court 60 2024-10-21 due 2024-10-21 open 60',
      '2 Wren Court 90 2025-02-04 due 2025-02-04 open 90',
    ],
  },
  {
    title: 'one file of a folder shows the order of the others',
    office: CANADA,
    files: {
      'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00'),
      'x.csv': xeroIn('CAD', 'Moss | 8 | 25/02/2025 | | 10.00 | 0.00 | 10.00 | Sales invoice | Awaiting Payment'),
    },
    dates: /day comes before the month.*25\/02\/2025/,
    invoices: ['7 Acre 80 2025-02-04 due 2025-02-04 open 80', '8 Moss 10 2025-02-25 due 2025-02-25 open 10'],
  },
  {
    title: 'a day of payment alone shows the order of a sheet that nobody knows',
    office: CANADA,
    files: {
      'book.csv': sheet(
        'Invoice # | Customer | Invoice Date | Amount | Date Paid',
        '1 | Acre | 04/02/2025 | $70.00 | 27/02/2025',
        '2 | Moss | 05/02/2025 | $30.00 |',
      ),
    },
    saveMap: true,
    dates: /day comes before the month.*27\/02\/2025/,
    invoices: ['1 Acre 70 2025-02-04 due 2025-02-04 open 0', '2 Moss 30 2025-02-05 due 2025-02-05 open 30'],
  },
]

test.each(cases)('dates: $title', async ({ office, files, dates, invoices, saveMap }) => {
  const { report, books } = await importBooks(db, office, files, { saveMap })
  expect([report.questions, report.faults]).toEqual([undefined, []])
  expect(report.dates).toMatch(dates)
  expect(books.invoices).toEqual(invoices)
})

test('dates whose month is a word need no order', async () => {
  const files = { 'i.csv': jobberInvoices('7 | Acre | Feb 4, 2025 | - | 12 | Awaiting payment | 80.00 | 80.00') }
  const { report, books } = await importBooks(db, CANADA, files)
  expect([report.dates, books.invoices]).toEqual([undefined, ['7 Acre 80 2025-02-04 due 2025-02-04 open 80']])
})

const asking: { title: string; office: Office; files: Files; value: string }[] = [
  {
    title: 'nothing settles it in Canada, which writes both',
    office: CANADA,
    files: { 'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00') },
    value: '04/02/2025',
  },
  {
    title: 'a spreadsheet left both orders in one file',
    office: US,
    files: {
      'list.csv': qboInvoices(
        '14/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00',
        '02/15/2025 | Invoice | 8 | Acre | | 80.00 | 80.00',
      ),
    },
    value: '02/15/2025',
  },
  {
    title: 'two files have an order each',
    office: US,
    files: {
      'list.csv': qboInvoices('02/15/2025 | Invoice | 7 | Acre | | 80.00 | 80.00'),
      'x.csv': xeroInvoices('Moss | 8 | 25/02/2025 | | 10.00 | 0.00 | 10.00 | Sales invoice | Awaiting Payment'),
    },
    value: '02/15/2025',
  },
]

test.each(asking)('dates are asked for and nothing is written: $title', async ({ office, files, value }) => {
  const { report, books } = await importBooks(db, office, files)
  expect(report.questions).toMatchObject([{ kind: 'dates', key: 'dates', value, choices: ['mdy', 'dmy'] }])
  expect(books).toEqual(NO_BOOKS)
})

test('an answer about dates is kept for the next files', async () => {
  const { load } = await makeOffice(db, CANADA)
  const files = { 'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00') }
  const answered = await load(files, { answers: { dates: 'dmy' } })
  expect(answered.books.invoices).toEqual(['7 Acre 80 2025-02-04 due 2025-02-04 open 80'])
  const next = await load({ 'list.csv': qboInvoices('06/02/2025 | Invoice | 8 | Acre | | 50.00 | 50.00') })
  expect([next.report.questions, next.books.invoices]).toEqual([
    undefined,
    ['7 Acre 80 2025-02-04 due 2025-02-04 open 80', '8 Acre 50 2025-02-06 due 2025-02-06 open 50'],
  ])
})

test('a kept answer gives way to what the next files show themselves', async () => {
  const { load } = await makeOffice(db, CANADA)
  await load(
    { 'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00') },
    { answers: { dates: 'dmy' } },
  )
  const { report, books } = await load({
    'list.csv': qboInvoices(
      '02/15/2025 | Invoice | 8 | Moss | | 5.00 | 5.00',
      '03/04/2025 | Invoice | 9 | Moss | | 6.00 | 6.00',
    ),
  })
  expect(report.dates).toContain('(mdy)')
  expect(books.invoices).toContain('9 Moss 6 2025-03-04 due 2025-03-04 open 6')
})

test('what is stored of the same invoice shows the order of its date, before the country does', async () => {
  const { load } = await makeOffice(db, US)
  await load({
    'list.csv': qboInvoices(
      '14/02/2025 | Invoice | 6 | Acre | | 5.00 | 5.00',
      '04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00',
    ),
  })
  const { report, books } = await load({
    'list.csv': qboInvoices(
      '04/02/2025 | Invoice | 7 | Acre | | 80.00 | 20.00',
      '05/02/2025 | Invoice | 8 | Acre | | 9.00 | 9.00',
    ),
  })
  expect(report.dates).toMatch(/\(dmy\).*04\/02\/2025.*stored of the same record/)
  expect(books.invoices).toEqual([
    '6 Acre 5 2025-02-14 due 2025-02-14 open 5',
    '7 Acre 80 2025-02-04 due 2025-02-04 open 20',
    '8 Acre 9 2025-02-05 due 2025-02-05 open 9',
  ])
})

test('an administrator sets the country, and it settles the next files', async () => {
  const { load, contractor } = await makeOffice(db, US)
  const context = { actor: operatorFor(contractor.id), now: new Date() }
  await execute(changeContractor, context, { country: 'GB' })
  expect(await execute(getContractorSettings, context, {})).toMatchObject({ country: 'GB', derivedCountry: 'US' })
  const { report } = await load({ 'list.csv': qboInvoices('04/02/2025 | Invoice | 7 | Acre | | 80.00 | 80.00') })
  expect(report.dates).toMatch(/\(dmy\).*GB/)
  expect(await listAudit(db.orm, { contractorId: contractor.id, event: 'contractor_changed', limit: 2 })).toMatchObject(
    [{ subject: 'country GB' }],
  )
})
