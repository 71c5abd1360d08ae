import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import {
  AUSTRALIA,
  type Books,
  BRITAIN,
  CANADA,
  CHICAGO,
  type Files,
  FRANCE,
  GERMANY,
  importBooks,
  makeOffice,
  NO_BOOKS,
  type Office,
  US,
} from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { sheet } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const cases: { title: string; office: Office; files: Files; books: Partial<Books> }[] = [
  {
    title: 'QuickBooks Online, A/R Aging Detail: a payment in it is a payment',
    office: US,
    files: {
      'aging.csv': `Rook,,,,,,,\nA/R Aging Detail,,,,,,,\n"As of July 31, 2025",,,,,,,\n\n${sheet(
        ' | Date | Transaction type | Num | Customer | Due date | Amount | Open balance',
        '31 - 60 days past due | | | | | | |',
        ' | 05/13/2025 | Invoice | 1 | Acre | 06/12/2025 | 50.00 | 30.00',
        'Total for 31 - 60 days past due | | | | | | $50.00 | $30.00',
        'Current | | | | | | |',
        ' | 07/20/2025 | Invoice | 2 | Moss | 08/19/2025 | 40.00 | 40.00',
        ' | 07/21/2025 | Payment | 411 | Moss | 07/21/2025 | -15.00 | -15.00',
        'Total for Current | | | | | | $25.00 | $25.00',
        'TOTAL | | | | | | $75.00 | $55.00',
      )}`,
    },
    books: {
      invoices: ['1 Acre 50 2025-05-13 due 2025-06-12 open 30', '2 Moss 40 2025-07-20 due 2025-08-19 open 40'],
      payments: ['Moss 15 2025-07-21'],
      receivable: 70,
      unapplied: 15,
    },
  },
  {
    title: 'a sheet with French names of columns',
    office: FRANCE,
    files: {
      'factures.csv':
        'Numéro de facture;Client;Date;Échéance;Montant TTC;Payé\nF7;Moreau;13/05/2025;12/06/2025;1 234,50;200,00\n',
    },
    books: { invoices: ['F7 Moreau 1234.5 2025-05-13 due 2025-06-12 open 1034.5'], receivable: 1034.5 },
  },
  {
    title: 'a sheet with German names of columns',
    office: GERMANY,
    files: {
      'rechnungen.csv':
        'Rechnungsnr;Kunde;Rechnungsdatum;Fällig am;Netto;MwSt;Brutto\nR7;Ott;13.05.2025;12.06.2025;100,00;19,00;119,00\n',
    },
    books: { invoices: ['R7 Ott 119 2025-05-13 due 2025-06-12 open 119'], receivable: 119 },
  },
  {
    title: 'net, VAT and gross: what is asked for is the gross amount',
    office: BRITAIN,
    files: {
      'sales.csv': sheet(
        'Invoice No | Customer | Date | Net | VAT | Gross',
        '7 | Acre | 13/05/2025 | 100.00 | 20.00 | 120.00',
      ),
    },
    books: { invoices: ['7 Acre 120 2025-05-13 due 2025-05-13 open 120'], receivable: 120 },
  },
  {
    title: 'Wave, Invoices: its columns say what they are',
    office: CANADA,
    files: {
      'wave.csv': sheet(
        'Invoice Number | Customer Name | Invoice Date | Due Date | Currency | Invoice Total | Amount Paid | Balance Due | Status',
        '55 | Acre | 2025-05-04 | 2025-06-03 | CAD | 43.00 | 20.00 | 23.00 | Partial',
        '56 | Acre | 2025-05-11 | 2025-06-10 | CAD | 9.00 | 9.00 | 0.00 | Paid',
      ),
    },
    books: {
      invoices: ['55 Acre 43 2025-05-04 due 2025-06-03 open 23', '56 Acre 9 2025-05-11 due 2025-06-10 open 0'],
      receivable: 23,
      unapplied: 0,
    },
  },
]

test.each(cases)('columns: $title', async ({ office, files, books }) => {
  const imported = await importBooks(db, office, files, { saveMap: true })
  expect([imported.report.questions, imported.report.faults]).toEqual([undefined, []])
  expect(imported.books).toMatchObject(books)
})

const asking: { title: string; office: Office; files: Files; about: RegExp }[] = [
  {
    title: 'a column of money in a language that nobody knows',
    office: FRANCE,
    files: {
      'factures.csv':
        'Numéro de facture;Client;Date;Échéance;Montant;Zaliczka\nF1;Acre;13/05/2025;12/06/2025;2 345,67;300,00\n',
    },
    about: /Zaliczka/,
  },
  {
    title: 'a column of money in a language that nobody knows',
    office: US,
    files: {
      's.csv': sheet(
        'Invoice No | Customer | Date | Amount | Förskott',
        '1 | Acre | 05/13/2025 | $50.00 | $20.00',
        '2 | Moss | 05/14/2025 | $30.00 | $0.00',
      ),
    },
    about: /Förskott/,
  },
  {
    title: 'a second table below the first',
    office: US,
    files: {
      'books.csv': [
        'Invoices,,,,',
        'Invoice No,Customer,Invoice Date,Total,Balance',
        '1,Acre,05/13/2025,10.00,0.00',
        ',,,,',
        'Payments,,,,',
        'Check #,Customer,Date Paid,Amount Paid,',
        '411,Acre,05/20/2025,10.00,',
        '',
      ].join('\n'),
    },
    about: /second table.*Check #/,
  },
]

test.each(asking)('columns are asked for, and nothing is written or kept: $title', async ({ office, files, about }) => {
  const { load } = await makeOffice(db, office)
  const asked = await load(files, { saveMap: true })
  expect(asked.report.questions?.map(({ question }) => question).join('\n')).toMatch(about)
  expect(asked.books).toEqual(NO_BOOKS)
  await expect(load(files)).rejects.toThrow('not recognized')
})

const refused: { title: string; office: Office; files: Files; about: string }[] = [
  {
    title: 'Sage 50, transactions of three types',
    office: BRITAIN,
    files: {
      'activity.csv': sheet(
        'No | Type | A/C | N/C | Date | Ref | Details | Net | T/C | Tax | Gross',
        '1 | SI | WREN | 4000 | 04/02/2025 | 701 | Boiler | 50.00 | T1 | 10.00 | 60.00',
        '2 | SC | WREN | 4000 | 06/02/2025 | C7 | Returned | 10.00 | T1 | 2.00 | 12.00',
        '3 | SR | WREN | 1200 | 06/03/2025 | BACS | Paid | 48.00 | T9 | 0.00 | 48.00',
      ),
    },
    about: 'no column fills one of customers.name',
  },
  {
    title: 'Stripe, payments that failed or went back in part',
    office: CHICAGO,
    files: {
      'stripe.csv': sheet(
        'id | Description | Created (UTC) | Amount | Amount Refunded | Currency | Fee | Status | Customer ID | Customer Description | Customer Email | Invoice Number',
        'ch_7 | Roof | 2025-05-01 03:30 | 25.00 | 3.00 | usd | 0.75 | Refunded | cus_7 | Acre | ap@acre.example |',
        'ch_8 | Deck | 2025-05-02 15:00 | 9.00 | 0.00 | usd | 0.00 | Failed | cus_8 | Moss | ap@moss.example |',
      ),
    },
    about: 'no column fills invoices.date',
  },
  {
    title: 'ServiceM8, jobs of which some are quotes',
    office: AUSTRALIA,
    files: {
      'jobs.csv': sheet(
        'Job Number | Status | Client | Job Address | Date | Completion Date | Job Description | Invoice Total | Amount Paid | Balance Due',
        '71 | Completed | Acre | 4 Reef St | 04/02/2025 | 06/02/2025 | Tank | $50.00 | $40.00 | $10.00',
        '72 | Quote | Acre | 4 Reef St | 05/02/2025 | | Solar | $90.00 | $0.00 | $90.00',
        '73 | Unsuccessful | Moss | 7 Gum Rd | 06/02/2025 | | Fans | $30.00 | $0.00 | $30.00',
      ),
    },
    about: 'no column fills invoices.reference',
  },
]

test.each(refused)(
  'a file whose columns do not make records is refused whole: $title',
  async ({ office, files, about }) => {
    const { load } = await makeOffice(db, office)
    const { report, books } = await load(files, { saveMap: true })
    expect(report.files).toMatchObject([{ problem: expect.stringContaining(about) }])
    expect(books).toEqual(NO_BOOKS)
    await expect(load(files)).rejects.toThrow('not recognized')
  },
)

test('the answers for columns are used, and kept with the map for the next file', async () => {
  const { load } = await makeOffice(db, US)
  const month = (number: number, paid: string) => ({
    's.csv': sheet(
      'Invoice No | Customer | Date | Amount | Förskott',
      `${number} | Acre | 05/13/2025 | $50.00 | ${paid}`,
    ),
  })
  const key = (await load(month(1, '$20.00'), { saveMap: true })).report.questions?.[0]?.key ?? ''
  const answers = { [key]: 'invoices.paid' }
  const first = await load(month(1, '$20.00'), { saveMap: true, answers })
  expect(first.books.invoices).toEqual(['1 Acre 50 2025-05-13 due 2025-05-13 open 30'])
  const next = await load(month(2, '$10.00'))
  expect([next.report.questions, next.books.invoices[1]]).toEqual([
    undefined,
    '2 Acre 50 2025-05-13 due 2025-05-13 open 40',
  ])
})

test('a column whose answer is none is left out', async () => {
  const files = {
    's.csv': sheet('Invoice No | Customer | Date | Amount | Förskott', '1 | Acre | 05/13/2025 | $50.00 | $20.00'),
  }
  const { load } = await makeOffice(db, US)
  const key = (await load(files, { saveMap: true })).report.questions?.[0]?.key ?? ''
  const { books } = await load(files, { saveMap: true, answers: { [key]: 'none' } })
  expect(books.invoices).toEqual(['1 Acre 50 2025-05-13 due 2025-05-13 open 50'])
})

test('a sheet that fits invoices and payments alike is asked about; the answer says what its rows are, and is kept for its columns', async () => {
  const files = {
    'book.csv': sheet(
      'Invoice # | Customer | Amount | Date | Check # | Date Paid',
      '1 | Acre | $70.00 | 05/13/2025 | 411 | 05/27/2025',
      '2 | Moss | $30.00 | 05/14/2025 | |',
    ),
  }
  const { load } = await makeOffice(db, US)
  const { report, books } = await load(files, { saveMap: true })
  const [question] = report.questions ?? []
  expect(report.questions).toMatchObject([{ kind: 'kind', choices: ['payments', 'invoices'] }])
  expect(books).toEqual(NO_BOOKS)
  const answers = { [question?.key ?? '']: 'invoices' }
  const answered = await load(files, { saveMap: true, answers })
  expect([answered.report.questions, answered.books.invoices]).toEqual([
    undefined,
    ['1 Acre 70 2025-05-13 due 2025-05-13 open 0', '2 Moss 30 2025-05-14 due 2025-05-14 open 30'],
  ])
  expect((await load(files)).report.questions).toBeUndefined()
})

test('where only one kind has all that its rows need, the whole header decides', async () => {
  const header = 'Invoice # | Customer | Invoice Amount | Date | Check # | Date Paid'
  const files = { 'book.csv': sheet(header, '1 | Acre | $70.00 | 05/13/2025 | 411 | 05/27/2025') }
  const { report, books } = await importBooks(db, US, files, { saveMap: true })
  expect([report.questions, books.invoices]).toEqual([undefined, ['1 Acre 70 2025-05-13 due 2025-05-13 open 0']])
})
