import { afterAll, beforeAll, expect, test } from 'vitest'
import writeWorkbook, { type SheetData } from 'write-excel-file/node'
import { type Database, shareDatabase } from '@/db/client'
import { type Books, BRITAIN, CANADA, type Files, GERMANY, importBooks, type Office, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { qboInvoices, sheet, xeroIn, xeroInvoices } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const bytes = (text: string) => new TextEncoder().encode(text)

const cases: { title: string; office?: Office; files: Files; saveMap?: boolean; books: Partial<Books> }[] = [
  {
    title: 'dates in letters',
    office: CANADA,
    files: {
      'list.csv': qboInvoices(
        '4-Feb-25 | Invoice | 1 | Acre | 03 Mar 2025 | 10.00 | 10.00',
        '01 Nov 2024 | Invoice | 2 | Acre | 14-Dec-24 | 5.00 | 5.00',
      ),
    },
    books: {
      invoices: ['1 Acre 10 2025-02-04 due 2025-03-03 open 10', '2 Acre 5 2024-11-01 due 2024-12-14 open 5'],
    },
  },
  {
    title: 'a header that is printed again on the next page is no document',
    files: {
      'list.csv': `${qboInvoices('05/13/2025 | Invoice | 1 | Acre | | 10.00 | 10.00')}\n${qboInvoices('05/14/2025 | Invoice | 2 | Moss | | 5.00 | 0.00')}`,
    },
    books: { customers: ['Acre', 'Moss'], receivable: 10 },
  },
  {
    title: 'quantity and unit price stand for the blank amount of a line',
    files: {
      'x.csv': xeroInvoices(
        'Acre | 7 | 05/13/2025 | 06/12/2025 | 13.33 | 0.00 | 13.33 | Sales invoice | Awaiting Payment',
      ).replace('Work,1,13.33,13.33', 'Work,10,1.3333,'),
    },
    books: { invoices: ['7 Acre 13.33 2025-05-13 due 2025-06-12 open 13.33'] },
  },
  {
    title: 'a dollar sign of a British office is no pound',
    office: BRITAIN,
    files: {
      'r.csv': sheet(
        'Invoice # | Customer | Invoice Date | Total',
        '1 | Acre | 13/05/2025 | £10.00',
        '2 | Acre | 14/05/2025 | $7.00',
      ),
    },
    saveMap: true,
    books: {
      invoices: ['1 Acre 10 2025-05-13 due 2025-05-13 open 10', '2 Acre 7 USD 2025-05-14 due 2025-05-14 open 7'],
      receivable: 10,
    },
  },
  {
    title: 'a British sheet: surname and forename, and phones as they are dialed there',
    office: BRITAIN,
    files: {
      'r.csv': sheet(
        'Surname | Forename | Company Name | Tel | Invoice No | Invoice Date | Gross',
        'Acre | Ann | Acre Ltd | 020 7946 0958 | 1 | 13/05/2025 | £10',
        'Moss | Bo | | 07700 900124 | 2 | 14/05/2025 | £5',
      ),
    },
    saveMap: true,
    books: { customers: ['Acre Ltd', 'Bo Moss'], phones: ['+442079460958', '+447700900124'], receivable: 15 },
  },
  {
    title: 'money that was received: from whom, when, for which invoices',
    files: {
      'inv.csv': sheet(
        'Invoice No | Customer | Invoice Date | Total',
        '101 | Acre | 05/13/2025 | 10.00',
        '102 | Acre | 05/14/2025 | 20.00',
      ),
      'money.csv': sheet(
        'Ref | Received From | For Invoices | Date Received | Amount Received',
        'CHK 9 | Acre | 101 and 102 | 05/20/2025 | $30.00',
      ),
    },
    saveMap: true,
    books: { payments: ['Acre 30 2025-05-20'], receivable: 0, unapplied: 0 },
  },
  {
    title: 'amounts in the ways that people and programs write them',
    files: {
      'list.csv': qboInvoices(
        '05/13/2025 | Credit Memo | 1 | Acre | | $(10.00) | 0.00',
        '05/13/2025 | Credit Memo | 2 | Acre | | -$4 | 0.00',
        '05/13/2025 | Invoice | 3 | Acre | | 1 234.50 | 0.00',
        '05/13/2025 | Credit Memo | 4 | Acre | | 20.00 CR | 0.00',
        '05/13/2025 | Invoice | 5 | Acre | | 2,345 | 2,345',
        '05/13/2025 | Invoice | 6 | Acre | | $3,456.50 | 0.00',
      ),
    },
    books: {
      invoices: [
        '1 Acre -10 2025-05-13 due 2025-05-13 open 0',
        '2 Acre -4 2025-05-13 due 2025-05-13 open 0',
        '3 Acre 1234.5 2025-05-13 due 2025-05-13 open 0',
        '4 Acre -20 2025-05-13 due 2025-05-13 open 0',
        '5 Acre 2345 2025-05-13 due 2025-05-13 open 2345',
        '6 Acre 3456.5 2025-05-13 due 2025-05-13 open 0',
      ],
      receivable: 2345,
      unapplied: 0,
    },
  },
  {
    title: 'a bare dollar of a Canadian office is Canadian, as CA$ and C$ are',
    office: CANADA,
    files: {
      'list.csv': qboInvoices(
        '2025-05-13 | Invoice | 1 | Acre | | CA$10.00 | CA$10.00',
        '2025-05-13 | Invoice | 2 | Acre | | C$20.00 | C$20.00',
        '2025-05-13 | Invoice | 3 | Acre | | $30.00 | $30.00',
        '2025-05-13 | Invoice | 4 | Acre | | US$40.00 | US$40.00',
      ),
    },
    books: {
      invoices: [
        '1 Acre 10 2025-05-13 due 2025-05-13 open 10',
        '2 Acre 20 2025-05-13 due 2025-05-13 open 20',
        '3 Acre 30 2025-05-13 due 2025-05-13 open 30',
        '4 Acre 40 USD 2025-05-13 due 2025-05-13 open 40',
      ],
      receivable: 60,
    },
  },
  {
    title: 'the currency beside an amount is its own, and is not added to dollars',
    files: {
      'list.csv': qboInvoices(
        '05/13/2025 | Invoice | 1 | Acre | | €10.00 | €10.00',
        '05/13/2025 | Invoice | 2 | Acre | | CAD 20.00 | CAD 20.00',
        '05/13/2025 | Invoice | 3 | Acre | | £30.00 | £30.00',
        '05/13/2025 | Invoice | 4 | Acre | | $40.00 | $40.00',
      ),
    },
    books: {
      invoices: [
        '1 Acre 10 EUR 2025-05-13 due 2025-05-13 open 10',
        '2 Acre 20 CAD 2025-05-13 due 2025-05-13 open 20',
        '3 Acre 30 GBP 2025-05-13 due 2025-05-13 open 30',
        '4 Acre 40 2025-05-13 due 2025-05-13 open 40',
      ],
      receivable: 40,
    },
  },
  {
    title: 'semicolons and decimal commas, with a total in them',
    office: GERMANY,
    files: {
      'liste.csv': [
        'Date;Transaction type;Num;Name;Due date;Amount;Open balance',
        '04.02.2025;Invoice;1;Götz KG;06.03.2025;2.345,67;2.345,67',
        '05.02.2025;Credit Memo;2;Götz KG;;-45,00;-45,00',
        'TOTAL;;;;;2.300,67 €;2.300,67 €',
        '',
      ].join('\n'),
    },
    books: {
      invoices: [
        '1 Götz KG 2345.67 2025-02-04 due 2025-03-06 open 2345.67',
        '2 Götz KG -45 2025-02-05 due 2025-02-05 open 0',
      ],
    },
  },
  {
    title: 'a point before three digits is of thousands in Germany',
    office: GERMANY,
    files: {
      'liste.csv': qboInvoices(
        '13.05.2025 | Invoice | 1 | Acre | | 2.345 | 2.345',
        '13.05.2025 | Invoice | 2 | Acre | | 23.450 | 0',
      ),
    },
    books: { receivable: 2345 },
  },
  {
    title: 'two phones in one cell, a namesake with a number, a job after a colon',
    files: {
      'c.csv': sheet(
        'Customer full name | Phone numbers | Email | Full name | Bill address | Ship address',
        'Ida Moss | Phone:(615) 555-0141 Mobile:(615) 555-0142 | ida@moss.example | Ida Moss | 4 Elm St |',
        'Ida Moss (2) | Phone:(615) 555-0143 | | Ida Moss | 9 Oak St |',
        'Ida Moss:Barn | | | | |',
      ),
      'list.csv': qboInvoices(
        '05/13/2025 | Invoice | 1 | Ida Moss | | 10.00 | 10.00',
        '05/14/2025 | Invoice | 2 | Ida Moss (2) | | 5.00 | 5.00',
      ),
    },
    books: {
      customers: ['Ida Moss', 'Ida Moss (2)'],
      phones: ['+16155550141', '+16155550143'],
      receivable: 15,
    },
  },
  {
    title: 'a phone without a country is of the office’s',
    office: BRITAIN,
    files: {
      'c.csv': sheet(
        '*ContactName | AccountNumber | EmailAddress | FirstName | LastName | POAddressLine1 | POCity | POPostalCode | POCountry | PhoneNumber | MobileNumber',
        'Ida Moss | M1 | ida@moss.example | Ida | Moss | 4 Elm St | Leeds | LS1 4DY | UK | | 07700 900144',
      ),
      'x.csv': xeroIn('GBP', 'Ida Moss | 1 | 13/05/2025 | | 10.00 | 0.00 | 10.00 | Sales invoice | Awaiting Payment'),
    },
    books: { customers: ['Ida Moss'], phones: ['+447700900144'], receivable: 10 },
  },
  {
    title: 'a column says yes or no to being paid',
    saveMap: true,
    files: {
      's.csv': sheet(
        'Invoice No | Customer | Date | Amount | Paid?',
        '1 | Acre | 05/13/2025 | 10 | Yes',
        '2 | Acre | 05/14/2025 | 20 | No',
      ),
    },
    books: {
      invoices: ['1 Acre 10 2025-05-13 due 2025-05-13 open 0', '2 Acre 20 2025-05-14 due 2025-05-14 open 20'],
      receivable: 20,
    },
  },
  {
    title: 'lines of an invoice stand apart from each other',
    files: {
      'x.csv': xeroInvoices(
        'Acre | 1 | 13/05/2025 | | 30.00 | 0.00 | 30.00 | Sales invoice | Awaiting Payment | 10.00',
        'Acre | 2 | 13/05/2025 | | 5.00 | 0.00 | 5.00 | Sales invoice | Awaiting Payment | 5.00',
        'Acre | 1 | 13/05/2025 | | 30.00 | 0.00 | 30.00 | Sales invoice | Awaiting Payment | 20.00',
      ),
    },
    books: {
      invoices: ['1 Acre 30 2025-05-13 due 2025-05-13 open 30', '2 Acre 5 2025-05-13 due 2025-05-13 open 5'],
    },
  },
  {
    title: 'tax that is rounded by line is a cent off the total, which counts',
    files: {
      'x.csv': xeroInvoices(
        ...[1, 2, 3].map(
          () => 'Acre | 1 | 13/05/2025 | | 66.68 | 0.00 | 66.68 | Sales invoice | Awaiting Payment | 20.20 | 2.02',
        ),
      ),
    },
    books: { invoices: ['1 Acre 66.68 2025-05-13 due 2025-05-13 open 66.68'] },
  },
  {
    title: 'a person without a company has their own name',
    saveMap: true,
    files: {
      's.csv': sheet(
        'First Name | Last Name | Company | Mobile | Invoice No | Inv Date | Amount',
        'Ida | Moss | Moss LLC | 615-555-0142 | 1 | 05/13/2025 | 10',
        'Ben | Fern | | 615-555-0141 | 2 | 05/14/2025 | 20',
      ),
    },
    books: { customers: ['Ben Fern', expect.stringContaining('Moss')], receivable: 30 },
  },
  {
    title: 'a register has invoices, with terms, and the checks that paid them',
    saveMap: true,
    files: {
      'register.csv': sheet(
        'Invoice # | Customer | Invoice Date | Terms | Amount | Date Paid | Check #',
        '1 | Acre | 05/13/2025 | Net 30 | $50.00 | 06/01/2025 | 411',
        '2 | Acre | 05/14/2025 | Net 15 | $20.00 | |',
      ),
    },
    books: {
      invoices: ['1 Acre 50 2025-05-13 due 2025-06-12 open 0', '2 Acre 20 2025-05-14 due 2025-05-29 open 20'],
      receivable: 20,
      unapplied: 0,
    },
  },
  {
    title: 'line ends of three kinds in one file',
    files: {
      'list.csv': bytes(
        qboInvoices(
          '05/13/2025 | Invoice | 1 | Acre | | 10.00 | 10.00',
          '05/14/2025 | Invoice | 2 | Moss | | 5.00 | 0.00',
          '05/15/2025 | Invoice | 3 | Fern | | 2.00 | 2.00',
        )
          .split('\n')
          .map((line, i) => line + (['\r\n', '\n', '\r'][i % 3] ?? ''))
          .join(''),
      ),
    },
    books: { customers: ['Acre', 'Fern', 'Moss'], receivable: 12 },
  },
]

test.each(cases)('forms: $title', async ({ office = US, files, saveMap, books }) => {
  const imported = await importBooks(db, office, files, { saveMap })
  expect([imported.report.questions, imported.report.faults]).toEqual([undefined, []])
  expect(imported.books).toMatchObject(books)
})

test('forms: a workbook with a title, dates of Excel and a row of totals', async () => {
  const day = (text: string) => ({ value: new Date(text), type: Date, format: 'm/d/yy' })
  const workbook = await writeWorkbook([
    ['Invoice List by Date'],
    [],
    ['Date', 'Transaction type', 'Num', 'Name', 'Due date', 'Amount', 'Open balance'],
    [day('2025-02-04'), 'Invoice', '1', 'Acre', day('2025-03-06'), 2345.1, 44.44],
    [day('2025-02-05'), 'Credit Memo', '2', 'Acre', null, -0.3, 0],
    ['TOTAL', null, null, null, null, 2344.8, 44.44],
  ] satisfies SheetData).toBuffer()
  const { books } = await importBooks(db, US, { 'list.xlsx': workbook })
  expect(books).toMatchObject({
    invoices: ['1 Acre 2345.1 2025-02-04 due 2025-03-06 open 44.44', '2 Acre -0.3 2025-02-05 due 2025-02-05 open 0'],
    receivable: 44.44,
    unapplied: 0,
  })
})
