import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { CHICAGO, importBooks, makeOffice, NO_BOOKS, US } from '@/lib/testing/books'
import { openTestDatabase } from '@/lib/testing/database'
import { housecallJobs, sheet } from '@/lib/testing/exports'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

test('jobs of Housecall Pro are all projects, and invoices once they are completed', async () => {
  const jobs = housecallJobs(
    '="2" | User canceled | Acre | 2025-05-10 14:03:11 | 2025-05-12 09:00:00 | $20.00 | $20.00',
    '="3" | Needs scheduling | Acre | 2025-05-15 08:00:00 | | $30.10 | $30.10',
    '="4" | Complete unrated | Acre | 2025-05-10 14:03:11 | 2025-05-12 09:00:00 | $50.00 | $15.00',
    '="5" | Scheduled | Acre | 2025-06-10 14:03:11 | 2025-06-12 09:00:00 | $70.00 | $70.00',
  )
  const { report, books } = await importBooks(db, CHICAGO, { 'jobs.csv': jobs })
  expect(report.faults).toEqual([])
  expect(books).toMatchObject({
    customers: ['Acre'],
    projects: 4,
    invoices: ['4 Acre 50 2025-05-12 due 2025-05-12 open 15'],
    receivable: 15,
  })
})

test('jobs of ServiceTitan are all projects, and invoices once they are completed', async () => {
  const jobs = sheet(
    'Job ID | Job Type | Status | Jobs Subtotal | Created Date | Scheduled Date | Completion Date | Customer ID | Location ID | Invoice ID | Summary | Project Number | Jobs Total',
    '61 | Repair | Completed | 50.00 | 5/14/2025 | 5/20/2025 | 5/20/2025 | 301 | 1 | 801 | Pump | | 54.00',
    '62 | Install | Canceled | 90.00 | 5/15/2025 | 6/2/2025 | | 302 | 2 | 802 | Tank | | 97.20',
    '63 | Install | Scheduled | 70.00 | 5/15/2025 | 6/20/2025 | | 302 | 2 | 803 | Pipe | | 75.60',
  )
  const { books } = await importBooks(db, US, { 'jobs.csv': `Jobs,,,,,,,,,,,,\n${jobs}` })
  expect([books.projects, books.invoices]).toEqual([3, [expect.stringMatching(/^801 Customer 301 54 2025-05-20 /)]])
})

test('a state of a job that nobody knows is asked for; its answer says whether the job is billed', async () => {
  const { load } = await makeOffice(db, CHICAGO)
  const files = {
    'jobs.csv': housecallJobs(
      '6 | On ice | Acre | 2025-05-10 14:03:11 | 2025-05-12 09:00:00 | $50.00 | $20.00',
      '7 | Complete rated | Acre | 2025-05-11 14:03:11 | 2025-05-13 09:00:00 | $8.00 | $0.00',
    ),
  }
  const asked = await load(files)
  expect(asked.report.questions).toMatchObject([
    { kind: 'words', key: 'housecallpro jobstatus onice', value: 'On ice', column: 'Job status' },
  ])
  expect(asked.books).toEqual(NO_BOOKS)
  const answered = await load(files, { answers: { 'housecallpro jobstatus onice': 'on hold' } })
  expect(answered.books.invoices).toEqual(['7 Acre 8 2025-05-13 due 2025-05-13 open 0'])
})

test('a job that was billed and is canceled then takes its invoice back, and stays a job', async () => {
  const { load } = await makeOffice(db, CHICAGO)
  const jobs = (status: string) => ({
    'jobs.csv': housecallJobs(`6 | ${status} | Acre | 2025-05-10 14:03:11 | 2025-05-12 09:00:00 | $50.00 | $20.00`),
  })
  expect((await load(jobs('Completed'))).books.receivable).toBe(20)
  const { books } = await load(jobs('User canceled'))
  expect([books.invoices, books.receivable, books.projects]).toEqual([[], 0, 1])
})
