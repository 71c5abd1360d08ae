import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { deskOf } from '@/lib/core/desk'
import { loadFolder } from '@/lib/load/load'
import type { Context } from '@/lib/operations/define'
import { execute } from '@/lib/operations/execute'
import { getBusinessOverview } from '@/lib/operations/overview/get-business-overview'
import { getCashFlow } from '@/lib/operations/reports/cash-flow'
import { getJobs } from '@/lib/operations/reports/get-jobs'
import { getLeadPerformance } from '@/lib/operations/reports/lead-performance'
import { listOpenInvoices } from '@/lib/operations/reports/list-open-invoices'
import { getProjectOverview } from '@/lib/operations/reports/project-overview'
import { getReceivablesAging } from '@/lib/operations/reports/receivables-aging'
import { getRevenueSummary } from '@/lib/operations/reports/revenue-summary'
import { getUnbilledWork } from '@/lib/operations/reports/unbilled-work'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { makeTenant } from '@/lib/testing/tenant'
import { comingOf } from './cash/coming'
import { FILES } from './files'
import { monthsOf, readYears } from './revenue/table'
import { AGES } from './who-owes/table'

const NOW = new Date()
const cents = (amount: number) => Math.round(amount * 100)
const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + cents(amount), 0)

let db: Database
let ctx: Context
const at = deskOf({ timezone: 'America/Chicago', currency: 'USD' }, NOW)

beforeAll(async () => {
  db = await openPeopleDatabase()
  const { contractor } = await makeTenant(db)
  await rows(db.orm, sql`update contractors set timezone = 'America/Chicago' where id = ${contractor.id}`)
  await loadFolder(db, contractor, join('db', 'demo', 'cumberland-roofing'), {})
  // A viewer reads all of it: reports are for everybody of the office.
  ctx = { actor: await makeMember(db, contractor.id, 'viewer'), now: NOW }
}, 120_000)
afterAll(() => db.close())

/** Reads all lines of a report's file. */
async function linesOf(name: string, given: Record<string, string> = {}) {
  const file = FILES[name]
  if (!file) throw new Error(`${name} has no file`)
  const lines: (string | number | null)[][] = []
  for (;;) {
    const page = await file.page(ctx, at, given, lines.length)
    lines.push(...page.lines)
    if (page.isLast) return { head: file.head(at), lines }
  }
}

const column = ({ head, lines }: Awaited<ReturnType<typeof linesOf>>, name: string) =>
  lines.map((line) => Number(line[head.indexOf(name)] ?? 0))

test('who owes: its file has every customer, and adds up to what each age opens', async () => {
  const { total, more } = await execute(getReceivablesAging, ctx, {})
  expect(more).toBeGreaterThan(15)
  const file = await linesOf('who-owes')
  expect(sumOf(column(file, 'Owes'))).toBe(cents(total.unpaid))
  for (const [age, name] of AGES) {
    const invoices = await linesOf('open-invoices', { age })
    expect(sumOf(column(invoices, 'Balance')), name).toBe(cents(total[age]))
    expect(sumOf(column(file, name)), name).toBe(cents(total[age]))
  }
  const [first] = file.lines
  const own = await linesOf('open-invoices', { customerId: String(first?.[0]) })
  expect(sumOf(column(own, 'Balance'))).toBe(cents(Number(first?.[file.head.indexOf('Owes')])))
})

test('cash: its file adds up to the report; what comes is all that is open or dated ahead', async () => {
  const { total } = await execute(getCashFlow, ctx, {})
  expect(sumOf(column(await linesOf('cash'), 'Net'))).toBe(cents(total.net))
  const coming = await comingOf(ctx, at.today, undefined)
  const aging = await execute(getReceivablesAging, ctx, {})
  expect(coming[0]).toMatchObject({ amount: aging.total.overdue, age: 'overdue' })
  expect(sumOf(coming.map(({ amount }) => amount))).toBe(cents(aging.total.unpaid) + cents(aging.total.future))
  const soon = await execute(listOpenInvoices, ctx, { age: 'current', limit: 100 })
  const last = new Date(Date.parse(at.today) + 30 * 86_400_000).toISOString().slice(0, 10)
  const due = soon.invoices.filter(({ dueDate }) => dueDate <= last).map(({ unpaid }) => unpaid)
  // Invoices dated ahead may be due by then too.
  expect(cents(coming[1]?.amount ?? 0)).toBeGreaterThanOrEqual(sumOf(due))
})

test('revenue: months of a year beside those of the one before, and the same days of both', async () => {
  const year = Number(at.today.slice(0, 4)) - 1
  const { now, before, customers } = await readYears(ctx, year, at.today, undefined)
  const months = monthsOf(now, before, 'invoiced')
  expect(months).toHaveLength(12)
  expect(sumOf(months.map((month) => month.now))).toBe(cents(now.total.invoiced))
  expect(sumOf(months.map((month) => month.before))).toBe(cents(before.total.invoiced))
  expect(customers.totalBefore.invoiced).toBe(before.total.invoiced)
  const present = await readYears(ctx, year + 1, at.today, undefined)
  const soFar = await execute(getRevenueSummary, ctx, {
    by: 'customer',
    from: `${year}-01-01`,
    to: `${year}${at.today.slice(4)}`,
  })
  expect(present.customers.totalBefore.invoiced).toBe(soFar.total.invoiced)
  expect(monthsOf(present.now, present.before, 'net').at(-1)).toMatchObject({ month: at.today.slice(0, 7) })
})

test('the four figures of Home are those of the reports that they lead to', async () => {
  const { open, overdue, paid, leads, today } = await execute(getBusinessOverview, ctx, {})
  const aging = await execute(getReceivablesAging, ctx, {})
  const late = await execute(listOpenInvoices, ctx, { age: 'overdue' })
  expect([open?.figure, overdue?.figure]).toEqual([aging.total.unpaid, late.total.unpaid])
  const cash = await execute(getCashFlow, ctx, { from: paid?.from ?? '', to: today })
  expect(paid?.figure).toBe(cash.total.received)
  const performance = await execute(getLeadPerformance, ctx, { from: leads?.from ?? '', to: today })
  expect(leads?.figure).toBe(performance.total.leads)
})

test('jobs: the file adds up to the totals, and each job has the figures of its own report', async () => {
  const { total, jobs } = await execute(getJobs, ctx, {})
  const file = await linesOf('jobs')
  expect(file.lines).toHaveLength(total.jobs)
  for (const [name, head] of [
    ['contract', 'Contract'],
    ['billed', 'Billed'],
    ['received', 'Received'],
    ['leftToBill', 'Left to bill'],
  ] as const)
    expect(sumOf(column(file, head)), name).toBe(cents(total[name]))
  for (const job of jobs.slice(0, 5)) {
    const overview = await execute(getProjectOverview, ctx, { project: job.projectId })
    const { paid, refunded, reversed } = overview.money
    expect(cents(job.received)).toBe(cents(paid) - cents(refunded) - cents(reversed))
    expect(job.materials).toEqual(overview.materials)
    expect(job.contractLessMaterials).toEqual(overview.contractLessMaterials)
  }
  const unbilled = await execute(getUnbilledWork, ctx, { status: ['in_progress'], limit: 1 })
  const inProgress = await execute(getJobs, ctx, { status: ['in_progress'], sort: 'leftToBill', limit: 1 })
  expect(inProgress.jobs[0]).toMatchObject(Object(unbilled.projects[0]))
})
