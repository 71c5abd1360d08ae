import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { operatorFor } from '@/lib/auth/actor'
import { findSimilarCustomers, joinCustomers, separateCustomers } from '@/lib/operations/customers'
import { execute } from '@/lib/operations/execute'
import { type Books, type Files, importBooks, makeOffice, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { buildertrendInvoices, jobberInvoices, qboInvoices, sheet } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const customerIds = async (contractorId: string) =>
  (
    await rows<{ id: string }>(
      db.orm,
      sql`select id from users where contractor_id = ${contractorId} and owns_project order by name`,
    )
  ).map(({ id }) => id)

const PERSON = 'J-ID | Display Name | Company Name | First Name | Last Name | Main Phone #s | Emails | Billing Street 1'

const cases: { title: string; folders: Files | Files[]; books: Partial<Books> }[] = [
  {
    title: 'two customers’ invoices of one number, and one without a number, are three',
    folders: {
      'list.csv': qboInvoices(
        '05/12/2025 | Invoice | 500 | Acre | | 10.00 | 10.00',
        '05/13/2025 | Invoice | 500 | Moss | | 20.00 | 20.00',
        '05/14/2025 | Invoice | | Fern | | 5.00 | 5.00',
      ),
    },
    books: {
      customers: ['Acre', 'Fern', 'Moss'],
      invoices: [
        '500 Acre 10 2025-05-12 due 2025-05-12 open 10',
        '500 Moss 20 2025-05-13 due 2025-05-13 open 20',
        'no number, 2025-05-14 Fern 5 2025-05-14 due 2025-05-14 open 5',
      ],
      receivable: 35,
    },
  },
  {
    title: 'two people of one name and two ids are two',
    folders: {
      'c.csv': sheet(
        PERSON,
        '31 | Ida Moss | | Ida | Moss | 6155550141 | ida@moss.example | 4 Elm St',
        '32 | Ida Moss | | Ida | Moss | 6155550149 | other@moss.example | 9 Oak St',
      ),
    },
    books: { customers: ['(no project)', '(no project)'] },
  },
  {
    title: 'two people of one name and two phones, or two addresses, are two; one phone written twice is one',
    folders: {
      'c.csv': sheet(
        'Contact: First Name | Contact: Last Name | Contact: Email | Contact: Phone | Contact: Mailing Address',
        'Ida | Moss | ida@moss.example | (615) 555-0141 | 4 Elm St',
        'Ida | Moss | other@moss.example | 615.555.0149 | 9 Oak St',
        'Wu | Fern | | | 1 Ash St',
        'Wu | Fern | | | 2 Ash St',
      ),
    },
    books: { customers: ['(no project)', '(no project)', '(no project)', '(no project)'] },
  },
  {
    title: 'names that differ in a mark are no namesakes: an invoice finds its customer',
    folders: {
      'c.csv': sheet(PERSON, '31 | A-1 Tile | | | | | | 4 Elm St', '32 | A1 Tile | | | | | | 9 Oak St'),
      'i.csv': jobberInvoices(
        '1 | A-1 Tile | May 1, 2025 | - | 4 | Awaiting payment | 50.00 | 50.00',
        '2 | A1 Tile | May 1, 2025 | - | 5 | Awaiting payment | 20.00 | 20.00',
      ),
    },
    books: { customers: ['A-1 Tile', 'A1 Tile'], receivable: 70 },
  },
  {
    title: 'jobs that number their invoices each have a first one',
    folders: {
      'b.csv': buildertrendInvoices(
        'Wren Court | 0001 | Start | Paid | 5/20/2025 | 5/18/2025 | $30.00 | $30.00',
        'Teal House | 0001 | Start | Unpaid | 6/20/2025 | | $40.00 | $0.00',
        'Teal House | 0002 | Roof | Unpaid | 7/20/2025 | | $50.00 | $0.00',
        'Totals | | | | | | $120.00 | $30.00',
      ),
    },
    books: {
      projects: 2,
      invoices: [
        '0001 Teal House 40 2025-06-20 due 2025-06-20 open 40',
        '0001 Wren Court 30 2025-05-20 due 2025-05-20 open 0',
        '0002 Teal House 50 2025-07-20 due 2025-07-20 open 50',
      ],
      receivable: 90,
    },
  },
  {
    title: 'a file per job does not overwrite the first invoice of the job before',
    folders: ['Wren Court', 'Teal House'].map((job) => ({
      'b.csv': buildertrendInvoices(
        `${job} | 0001 | Start | Unpaid | 5/20/2025 | | $30.00 | $0.00`,
        'Totals | | | | | | $30.00 | $0.00',
      ),
    })),
    books: {
      invoices: [
        '0001 Teal House 30 2025-05-20 due 2025-05-20 open 30',
        '0001 Wren Court 30 2025-05-20 due 2025-05-20 open 30',
      ],
    },
  },
  {
    title: 'two programs have an invoice 7 each, of one customer too',
    folders: [
      { 'jobber.csv': jobberInvoices('7 | Acre | May 1, 2025 | - | 4 | Awaiting payment | 50.00 | 50.00') },
      { 'qbo.csv': qboInvoices('05/13/2025 | Invoice | 7 | Acre | | 60.00 | 60.00') },
    ],
    books: {
      customers: ['Acre'],
      invoices: ['7 Acre 50 2025-05-01 due 2025-05-01 open 50', '7 Acre 60 2025-05-13 due 2025-05-13 open 60'],
    },
  },
  {
    title: 'one phone in two spellings is one customer',
    folders: {
      'a.csv': sheet(
        'Invoice Number | Phone Number | Invoice Total | Invoice Balance Due | Invoice Status | Invoice Date',
        'L1 | (615) 555-0142 | $10.00 | $0.00 | Paid | 05/13/2025',
        'L2 | 615-555-0142 | $20.00 | $15.00 | Partially Paid | 05/14/2025',
      ),
    },
    books: { customers: [expect.stringContaining('555-0142')], receivable: 15 },
  },
]

test.each(cases)('identity: $title', async ({ folders, books }) => {
  const imported = await importBooks(db, US, folders)
  expect([imported.report.questions, imported.report.faults]).toEqual([undefined, []])
  expect(imported.books).toMatchObject(books)
})

test('the next list of the same invoices changes them and adds none', async () => {
  const { load } = await makeOffice(db, US)
  const list = (open: string) => ({
    'list.csv': qboInvoices(
      `05/12/2025 | Invoice | 500 | Acre | | 10.00 | ${open}`,
      '05/13/2025 | Invoice | 500 | Moss | | 20.00 | 20.00',
      '05/14/2025 | Invoice | | Fern | | 5.00 | 5.00',
      '05/14/2025 | Invoice | | Fern | | 5.00 | 5.00',
    ),
  })
  expect((await load(list('10.00'))).books).toMatchObject({ receivable: 40 })
  const { report, books } = await load(list('0.00'))
  expect(report.files.reduce((n, { added }) => n + added, 0)).toBe(0)
  expect([books.invoices.length, books.receivable]).toEqual([4, 30])
})

const twoJobs = (...invoices: string[]): Files => ({
  'customers.csv': 'Customer ID,Name\nK1,Acre\nK2,Moss\n',
  'projects.csv': 'Project ID,Customer ID,Name\nP1,K1,Porch\nP2,K2,Roof\n',
  'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date\n${invoices.join('\n')}\n`,
})

const overwritten: { title: string; before: Files; after: Files; stored: string; changed: string; other: string }[] = [
  {
    title: 'an export',
    before: { 'jobber.csv': jobberInvoices('7 | Acre | May 1, 2025 | - | 4 | Awaiting payment | 50.00 | 50.00') },
    after: {
      'jobber.csv': jobberInvoices(
        '7 | Moss | Jun 3, 2025 | - | 5 | Awaiting payment | 90.00 | 90.00',
        '8 | Acre | Jun 4, 2025 | - | 6 | Awaiting payment | 20.00 | 20.00',
      ),
    },
    stored: '7 Acre 50 2025-05-01 due 2025-05-01 open 50',
    changed: '7 Moss 90 2025-06-03 due 2025-06-03 open 90',
    other: '8 Acre 20 2025-06-04 due 2025-06-04 open 20',
  },
  {
    title: 'our own files',
    before: twoJobs('7,P1,50.00,2025-05-01,2025-05-01'),
    after: twoJobs('7,P2,90.00,2025-06-03,2025-06-03', '8,P1,20.00,2025-06-04,2025-06-04'),
    stored: '7 Acre 50 2025-05-01 due 2025-05-01 open 50',
    changed: '7 Moss 90 2025-06-03 due 2025-06-03 open 90',
    other: '8 Acre 20 2025-06-04 due 2025-06-04 open 20',
  },
]

test.each(overwritten)(
  'another customer, amount and day under a stored number is asked about, and never kept as an answer: $title',
  async ({ before, after, stored, changed, other }) => {
    const { load } = await makeOffice(db, US)
    await load(before)
    const asked = await load(after)
    const [question] = asked.report.questions ?? []
    expect(asked.report.questions).toMatchObject([{ kind: 'overwriting', value: '7', choices: ['overwrite', 'keep'] }])
    expect(question?.question).toMatch(/another amount \(90\.00, stored 50\.00\) and another day/)
    expect(asked.books.invoices).toEqual([stored])
    const kept = await load(after, { answers: { [question?.key ?? '']: 'keep' } })
    expect(kept.books.invoices).toEqual([stored, other])
    expect(kept.report.faults).toMatchObject([{ line: 2, reason: expect.stringContaining('was kept, as you chose') }])
    expect((await load(after)).report.questions).toHaveLength(1)
    const overwrote = await load(after, { answers: { [question?.key ?? '']: 'overwrite' } })
    expect(overwrote.books.invoices).toEqual([changed, other])
    expect((await load(after)).report.questions).toBeUndefined()
  },
)

test('a customer known to two programs is joined by a person, and the next loads keep it; separated, each has what it had', async () => {
  const { load, contractor } = await makeOffice(db, US)
  const jobber = (open: string) => ({
    'jobber.csv': jobberInvoices(`7 | Ida Moss | May 1, 2025 | - | 4 | Awaiting payment | 50.00 | ${open}`),
  })
  const qbo = (...rows: string[]) => ({ 'qbo.csv': qboInvoices(...rows) })
  await load(jobber('50.00'))
  const { books } = await load(qbo('05/13/2025 | Invoice | 9 | Moss, Ida | | 60.00 | 60.00'))
  expect(books.customers).toEqual(['Ida Moss', 'Moss, Ida'])
  const caller = { actor: operatorFor(contractor.id), now: new Date() }
  const [kept = '', other = ''] = await customerIds(contractor.id)
  expect((await execute(findSimilarCustomers, caller, { customer: kept })).items).toMatchObject([
    { id: other, name: 'Moss, Ida', joined: false },
  ])
  expect(await execute(joinCustomers, caller, { customer: kept, other })).toEqual({ projects: 1 })
  await expect(execute(joinCustomers, caller, { customer: other, other: kept })).rejects.toMatchObject({
    code: 'conflict',
  })
  const list = [
    '05/13/2025 | Invoice | 9 | Moss, Ida | | 60.00 | 10.00',
    '06/13/2025 | Invoice | 12 | Moss, Ida | | 5.00 | 5.00',
  ]
  const again = await load({ ...qbo(...list), ...jobber('20.00') })
  expect(again.books).toMatchObject({
    customers: ['Ida Moss'],
    invoices: [
      '12 Ida Moss 5 2025-06-13 due 2025-06-13 open 5',
      '7 Ida Moss 50 2025-05-01 due 2025-05-01 open 20',
      '9 Ida Moss 60 2025-05-13 due 2025-05-13 open 10',
    ],
    receivable: 35,
  })
  expect((await execute(findSimilarCustomers, caller, { customer: kept })).items).toMatchObject([
    { id: other, joined: true },
  ])
  expect(await execute(separateCustomers, caller, { other })).toEqual({ projects: 1 })
  const apart = await load(qbo(...list))
  expect(apart.books).toMatchObject({ customers: ['Ida Moss', 'Moss, Ida'], receivable: 35 })
  expect(apart.books.invoices).toContain('9 Moss, Ida 60 2025-05-13 due 2025-05-13 open 10')
  const stranger = await makeOffice(db, US)
  const strange = { actor: operatorFor(stranger.contractor.id), now: new Date() }
  await expect(execute(joinCustomers, strange, { customer: kept, other })).rejects.toMatchObject({ code: 'not_found' })
  await expect(execute(findSimilarCustomers, strange, { customer: kept })).rejects.toMatchObject({ code: 'not_found' })
})
