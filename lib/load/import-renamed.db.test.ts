import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { type Files, makeOffice, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { jobberInvoices, qboInvoices, qboTransactions, sheet } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const acre = (name: string, ...more: string[]): Files => ({
  'list.csv': qboInvoices(`05/12/2025 | Invoice | 500 | ${name} | | 30.00 | 10.00`, ...more),
  't.csv': qboTransactions(`05/20/2025 | Payment | 9 | ${name} | | 20.00`),
})
const own = (name: string, more = ''): Files => ({
  'book.csv': `${sheet('Inv # | Client | Inv Date | Inv Total', `500 | ${name} | 05/12/2025 | 30.00`)}${more}`,
})

test.each([
  ['QuickBooks', acre, 10, ['Acre LLC'], '06/12/2025 | Invoice | 501 | Acre LLC | | 5.00 | 5.00'],
  ['a sheet of one’s own', own, 30, ['Acre LLC'], '501,Acre LLC,06/12/2025,5.00\n'],
] as const)(
  'a customer renamed in %s is asked about once; then invoices and payments stay what they are',
  async (_, files, open, customers, next) => {
    const options = { saveMap: true }
    const { load } = await makeOffice(db, US)
    await load(files('Acre'), options)
    const asked = await load(files('Acre LLC'), options)
    expect(asked.report.questions).toMatchObject([
      { kind: 'renamed', value: 'Acre LLC', choices: ['renamed', 'another'] },
    ])
    expect(asked.report.questions?.[0]?.question).toMatch(/“Acre LLC” the new name of “Acre”\? Invoice 500 on line 2/)
    expect(asked.books).toMatchObject({ customers: ['Acre'], receivable: open })
    const answers = { [asked.report.questions?.[0]?.key ?? '']: 'renamed' }
    const renamed = await load(files('Acre LLC'), { ...options, answers })
    expect(renamed.books).toMatchObject({ customers, receivable: open })
    const later = await load(files('Acre LLC', next), options)
    expect(later.report.questions).toBeUndefined()
    expect(later.books).toMatchObject({ customers, receivable: open + 5 })
  },
)

test('a client renamed in a program that numbers all of its invoices is asked about; another customer is kept as an answer', async () => {
  const { load } = await makeOffice(db, US)
  const jobber = (name: string) => ({
    'jobber.csv': jobberInvoices(`7 | ${name} | May 1, 2025 | - | 4 | Awaiting payment | 50.00 | 50.00`),
  })
  await load(jobber('Moss'))
  const asked = await load(jobber('Moss & Sons'))
  expect(asked.report.questions).toMatchObject([{ kind: 'renamed' }])
  const answers = { [asked.report.questions?.[0]?.key ?? '']: 'another' }
  await load(jobber('Moss & Sons'), { answers })
  expect((await load(jobber('Moss & Sons'))).report.questions).toBeUndefined()
})

const CLIENT = 'J-ID | Display Name | Company Name | First Name | Last Name | Emails | Billing Street 1'
const clients = (...rows: string[]): Files => ({ 'clients.csv': sheet(CLIENT, ...rows) })
const invoice = (number: number, name: string) =>
  jobberInvoices(`${number} | ${name} | May 1, 2025 | - | ${number} | Awaiting payment | 50.00 | 50.00`)

test('a client renamed in Jobber is the same one by its id, and its invoices follow the new name', async () => {
  const { load } = await makeOffice(db, US)
  await load({ ...clients('31 | Acre | | | | a@acre.example | 4 Elm St'), 'i.csv': invoice(7, 'Acre') })
  const { report, books } = await load(clients('31 | Acre LLC | | | | a@acre.example | 4 Elm St'))
  expect(report.questions).toBeUndefined()
  expect(report.sources?.[0]?.rules).toContainEqual(
    'Customers with new names are known by their ids: Acre is now Acre LLC.',
  )
  expect(report.files.map(({ added, updated }) => [added, updated])).toEqual([[0, 1]])
  expect(books).toMatchObject({ customers: ['Acre LLC'], receivable: 50 })
  const later = await load({ 'i.csv': invoice(7, 'Acre LLC'), 'j.csv': invoice(8, 'Acre LLC') })
  expect(later.report.questions).toBeUndefined()
  expect(later.books).toMatchObject({ customers: ['Acre LLC'], receivable: 100 })
  const back = await load({ ...clients('31 | Acre | | | | | 4 Elm St'), 'k.csv': invoice(9, 'Acre') })
  expect(back.books).toMatchObject({ customers: ['Acre'], receivable: 150 })
})

test('a client of a list alone, without a job yet, is the same one by its id too', async () => {
  const { load } = await makeOffice(db, US)
  await load(clients('31 | Acre | | | | | 4 Elm St'))
  const { report } = await load(clients('31 | Acre LLC | | | | | 4 Elm St'))
  expect(report.files.map(({ added, updated }) => [added, updated])).toEqual([[0, 1]])
})

test('another client of a stored name and another id is another customer, before and after the first has a new name', async () => {
  const { load } = await makeOffice(db, US)
  await load({ ...clients('31 | Moss | | | | | 4 Elm St'), 'i.csv': invoice(7, 'Moss') })
  const two = await load(clients('30 | Moss | | | | | 9 Oak St'))
  expect(two.report.files.map(({ added, updated }) => [added, updated])).toEqual([[1, 0]])
  expect(two.report.sources?.[0]?.rules).toContainEqual(
    'Customers of a name that another has are known by their ids; files that only name them mean the other: Moss.',
  )
  const both = clients('30 | Moss | | | | | 9 Oak St', '31 | Moss & Sons | | | | | 4 Elm St')
  const named = await load(both)
  expect(named.report.files.map(({ added, updated }) => [added, updated])).toEqual([[0, 1]])
  expect(named.books).toMatchObject({ customers: ['Moss & Sons', '(no project)'], receivable: 50 })
  const again = await load(both)
  expect(again.report.files.map(({ added, updated }) => [added, updated])).toEqual([[0, 0]])
})

test('a new name under which a customer is stored already joins nothing, and says so', async () => {
  const { load } = await makeOffice(db, US)
  await load({ ...clients('31 | Acre | | | | | 4 Elm St'), 'i.csv': invoice(7, 'Acre') })
  await load({ 'j.csv': invoice(8, 'Acre LLC') })
  const { report, books } = await load(clients('31 | Acre LLC | | | | | 4 Elm St'))
  expect(report.sources?.[0]?.rules).toContainEqual(
    'Customers of one id are stored under two names, and stay two until a person joins them: Acre and Acre LLC.',
  )
  expect(books).toMatchObject({ customers: ['Acre', 'Acre LLC'], receivable: 100 })
  const third = await load(clients('31 | Acre Inc | | | | | 4 Elm St'))
  expect(third.report.sources?.[0]?.rules).toContainEqual(
    'Customers of one id are stored under two names, and stay two until a person joins them: Acre and Acre Inc.',
  )
})

const QBO = qboInvoices('05/12/2025 | Invoice | 500 | Acre | | 30.00 | 30.00')
const others: { title: string; files: Files }[] = [
  { title: 'of another program', files: own('Acre LLC') },
  {
    title: 'of another amount or day',
    files: {
      'list.csv': qboInvoices(
        '05/12/2025 | Invoice | 500 | Moss | | 31.00 | 31.00',
        '05/13/2025 | Invoice | 500 | Fern | | 30.00 | 30.00',
      ),
    },
  },
  {
    title: 'beside the stored one in one file',
    files: { 'list.csv': `${QBO}${'05/12/2025,Invoice,500,Moss,,30.00,30.00\n'}` },
  },
]
test.each(others)('an invoice of the same number $title is no question', async ({ files }) => {
  const { load } = await makeOffice(db, US)
  await load({ 'list.csv': QBO })
  const { report, books } = await load(files, { saveMap: true })
  expect(report.questions).toBeUndefined()
  expect(books.customers?.length).toBeGreaterThan(1)
})
