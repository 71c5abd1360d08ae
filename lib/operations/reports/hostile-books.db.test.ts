import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { ServiceError } from '@/lib/core/errors'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { LONGEST_BLOCK_MS, longestBlock } from '@/lib/testing/blocks'
import { openTestDatabase } from '@/lib/testing/database'
import { contractorDay } from '@/lib/testing/histories'
import { makeTenant } from '@/lib/testing/tenant'
import { getCashFlow } from './cash-flow'
import { getLeadPerformance } from './lead-performance'
import { getProjectFinancials } from './project-financials'
import { getProjectOverview } from './project-overview'
import { getReceivablesAging } from './receivables-aging'
import { getRevenueSummary } from './revenue-summary'
import { getUnbilledWork } from './unbilled-work'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')

/** A tenant with one customer and project, its files, and its reports. */
async function tenantWith(invoices: string, payments = '', zone = 'America/New_York', now = NOW) {
  const tenant = await makeTenant(db)
  const { id } = tenant.contractor
  await rows(db.orm, sql`update contractors set timezone = ${zone} where id = ${id}`)
  const { faults } = await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,Dana\n',
    'projects.csv': 'Project ID,Customer ID,Name,Total Amount\nP1,C1,Roof,1000.00\n',
    'invoices.csv': `Invoice Number,Project ID,Amount,Currency,Date,Due Date\n${invoices}`,
    ...(payments
      ? { 'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Currency,Date,Type\n${payments}` }
      : {}),
  })
  const [project] = await rows<{ id: string }>(db.orm, sql`select id from projects where contractor_id = ${id}`)
  const ctx = { actor: actorOf(tenant.contractor), now }
  return { ...tenant, faults, ctx, projectId: project?.id ?? '' }
}
type Ctx = Awaited<ReturnType<typeof tenantWith>>['ctx']

const aging = async (ctx: Ctx, input = {}) => (await answerOf(getReceivablesAging, { ...ctx, input })).answer
const flow = async (ctx: Ctx, input = {}) => (await answerOf(getCashFlow, { ...ctx, input })).answer
const financials = async (ctx: Ctx, projectId: string, input = {}) =>
  (await answerOf(getProjectFinancials, { ...ctx, input: { projectId, ...input } })).answer

/** The error of a refused call; anything but an error that says what to fix is thrown on. */
async function refused(asked: Promise<unknown>): Promise<string> {
  const fault = await asked.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (fault instanceof ServiceError) return `${fault.code}: ${fault.message}`
  throw fault ?? new Error('was answered')
}

test('days at the ends of the calendar are answered, or refused with what to give', async () => {
  const { ctx } = await tenantWith('I1,P1,100.00,,2026-10-01,2026-10-31\n')
  for (const day of ['0001-01-01', '0999-12-31', '2026-02-30', '2026-11-31', '10000-01-01', '-001-01-01', '']) {
    expect(await refused(aging(ctx, { asOf: day })), day).toMatch(/^bad_request: asOf/)
    expect(await refused(flow(ctx, { to: day })), day).toMatch(/^bad_request: to/)
    expect(await refused(answerOf(getRevenueSummary, { ...ctx, input: { by: 'year', to: day } })), day).toMatch(/to/)
  }
  for (const [asOf, unpaid] of [
    ['1000-01-01', 0],
    ['2026-10-01', 100],
    ['9999-12-31', 100],
  ] as const)
    expect((await aging(ctx, { asOf, notPaidSince: asOf })).total.unpaid).toBe(unpaid)
  for (const by of ['month', 'week'] as const) {
    expect((await flow(ctx, { from: '9999-11-01', to: '9999-12-31', by })).periods.length).toBeGreaterThan(1)
    expect((await flow(ctx, { from: '1000-01-01', to: '1000-02-01', by })).unpaidAtEnd).toBe(0)
  }
  for (const by of ['month', 'quarter', 'year', 'customer', 'trade'] as const)
    for (const to of ['1000-01-01', '9999-12-31']) {
      const { answer } = await answerOf(getRevenueSummary, { ...ctx, input: { by, to } })
      expect(answer).toMatchObject({ to, total: { invoiced: 0 } })
    }
  for (const to of ['1000-01-01', '9999-12-31'])
    expect((await answerOf(getLeadPerformance, { ...ctx, input: { from: to, to } })).answer.total.leads).toBe(0)
})

/** Zones at either end of the world, with half hours, and with clocks that go back at midnight or at one in the morning. */
const EDGES = [
  ['Pacific/Kiritimati', '2026-11-01'],
  ['Pacific/Pago_Pago', '2026-11-01'],
  ['Asia/Kolkata', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['America/New_York', '2026-11-01'],
  ['America/New_York', '2026-03-08'],
  ['America/Havana', '2026-11-01'],
  ['Asia/Amman', '2021-10-29'],
  ['Asia/Beirut', '2026-10-25'],
  ['America/Santiago', '2026-09-06'],
] as const

test.each(EDGES)(
  'every quarter of an hour around the edges of a day counts once, on its day: %s %s',
  async (zone, day) => {
    const middle = Date.parse(`${day}T00:00:00Z`)
    const moments = Array.from({ length: 4 * 72 }, (_, i) => new Date(middle - 86_400_000 + i * 900_000))
    const { ctx } = await tenantWith(
      'I1,P1,100000.00,,2020-01-01,2020-01-31\n',
      `${moments.map((at, i) => `T${i},P1,I1,1.00,,${at.toISOString()},payment`).join('\n')}\n`,
      zone,
    )
    const days = [-1, 0, 1].map((n) => new Date(middle + n * 86_400_000).toISOString().slice(0, 10))
    for (const on of days) {
      const [own, before] = [
        moments.filter((at) => contractorDay(zone, at) === on).length,
        moments.filter((at) => contractorDay(zone, at) <= on).length,
      ]
      const { total, unpaidAtEnd } = await flow(ctx, { from: on, to: on })
      expect([total.received, unpaidAtEnd], on).toEqual([own, 100_000 - before])
      expect((await aging(ctx, { asOf: on })).total.unpaid, on).toBe(100_000 - before)
      expect(
        (await answerOf(getRevenueSummary, { ...ctx, input: { by: 'customer', from: on, to: on } })).answer.total,
      ).toMatchObject({ invoiced: 0, received: own, net: own })
    }
  },
)

test('a contractor at either end of the world is on their own day', async () => {
  const now = new Date('2026-11-20T10:30:00Z')
  for (const [zone, today, overdue] of [
    ['Pacific/Kiritimati', '2026-11-21', 7],
    ['Pacific/Pago_Pago', '2026-11-19', 0],
  ] as const) {
    const { ctx } = await tenantWith('I1,P1,7.00,,2026-11-01,2026-11-20\n', '', zone, now)
    const { asOf, total } = await aging(ctx)
    expect([asOf, total.unpaid, total.overdue], zone).toEqual([today, 7, overdue])
  }
})

test('amounts at the limit of what is kept are summed beyond it, to the cent', async () => {
  const MOST = '999999999999.99'
  const lines = (line: (n: number) => string) => `${[1, 2, 3].map(line).join('\n')}\n`
  const { ctx, faults, projectId } = await tenantWith(
    lines((n) => `I${n},P1,${MOST},,2026-10-0${n},2026-10-31`),
    lines((n) => `T${n},P1,,${MOST},,2026-10-0${n},payment`),
  )
  expect(faults).toEqual([])
  const { text } = await answerOf(getReceivablesAging, { ...ctx, input: {} })
  expect(text).toContain('"unpaid":2999999999999.97')
  expect(text).toContain('"unapplied":2999999999999.97')
  const answer = await financials(ctx, projectId)
  expect(answer).toMatchObject({ invoiced: 2999999999999.97, unpaid: 2999999999999.97, balance: 0 })
  expect((await flow(ctx)).total).toMatchObject({ invoiced: 2999999999999.97, received: 2999999999999.97 })
  expect((await aging(ctx, { minUnpaid: 1e12 })).customers).toHaveLength(1)
})

test('books without a record, and books of credit alone, owe nothing', async () => {
  const none = await tenantWith('')
  const zeros = { unpaid: 0, overdue: 0, current: 0, over90: 0, invoices: 0, retainage: 0, future: 0 }
  expect((await aging(none.ctx)).total).toMatchObject({ ...zeros, unapplied: 0, oldestDueDate: null })
  expect(await financials(none.ctx, none.projectId)).toMatchObject({ balance: 0, invoices: [], nextDueDate: null })
  expect((await flow(none.ctx)).periods.every(({ net, invoiced }) => net === 0 && invoiced === 0)).toBe(true)
  const credit = await tenantWith('C1,P1,-100.00,,2026-10-01,2026-10-31\nC2,P1,-0.01,,2027-10-01,2027-10-31\n')
  expect((await aging(credit.ctx)).total).toMatchObject({ ...zeros, unapplied: 100 })
  expect((await aging(credit.ctx, { asOf: '2026-10-15' })).total).toMatchObject({ ...zeros, unapplied: 100 })
  const answer = await financials(credit.ctx, credit.projectId)
  // C2 counts from its day on.
  expect(answer).toMatchObject({ invoiced: -100.01, unpaid: 0, unapplied: 100, balance: -100, nextDueDate: null })
})

test('amounts in three currencies are never added, whichever is asked for', async () => {
  const { ctx, projectId } = await tenantWith(
    'I1,P1,1.00,USD,2026-10-01,2026-10-31\nI2,P1,20.00,EUR,2026-10-01,2026-10-31\nI3,P1,300.00,JPY,2026-10-01,2026-10-31\n',
    'T1,P1,I1,5.00,EUR,2026-10-05,payment\nT2,P1,I2,20.00,EUR,2026-10-05,payment\n',
  )
  for (const [currency, unpaid, unapplied] of [
    ['USD', 1, 0],
    ['EUR', 0, 5],
    ['JPY', 300, 0],
    ['XXX', 0, 0],
  ] as const) {
    const asked = { currency }
    const [{ total, otherCurrencies }, answer, { unpaidAtEnd }] = [
      await aging(ctx, asked),
      await financials(ctx, projectId, asked),
      await flow(ctx, asked),
    ]
    expect([total.unpaid, total.unapplied, answer.unpaid, answer.unapplied, unpaidAtEnd], currency).toEqual([
      unpaid,
      unapplied,
      unpaid,
      unapplied,
      unpaid,
    ])
    expect(otherCurrencies).not.toContain(currency)
  }
  for (const currency of ['usd', 'US', 'USDD', 'ＵＳＤ', ''])
    expect(await refused(aging(ctx, { currency }))).toMatch(/^bad_request: currency/)
})

test('ids of others and of no one are refused alike, whatever they are written in', async () => {
  const [mine, other] = [await tenantWith('I1,P1,1.00,,2026-10-01,2026-10-31\n'), await tenantWith('')]
  const asked = await refused(financials(other.ctx, mine.projectId))
  expect(asked).toMatch(/^not_found/)
  expect(await refused(financials(other.ctx, 'prj_nobody'))).toBe(asked)
  const overview = (project: string) => refused(answerOf(getProjectOverview, { ...other.ctx, input: { project } }))
  expect(await overview(mine.projectId)).toBe(await overview('prj_nobody'))
  const ODD = [
    'prj_\u0000',
    'prj_\u202eevil',
    'ｐｒｊ_1',
    'prj_١',
    '🏠',
    'prj_%',
    "prj_'--",
    'é'.repeat(100),
    '\u200b',
    '..',
  ]
  for (const id of ODD) {
    expect(await refused(financials(mine.ctx, id)), id).toMatch(/^bad_request: projectId/)
    expect(await overview(id), id).toMatch(/^(not_found|bad_request)/)
  }
  expect((await answerOf(getUnbilledWork, { ...other.ctx, input: {} })).text).not.toContain(mine.projectId)
})

// The embedded database computes on the same thread.
test.skipIf(process.env.TEST_DRIVER === 'pglite')('ten thousand invoices on one project hold no thread', async () => {
  // On the database's own day, for which the stored sums are read.
  const { ctx, contractor, projectId } = await tenantWith('', '', 'America/New_York', new Date())
  await rows(
    db.orm,
    sql`insert into analytics_invoice_records (id, contractor_id, project_id, customer_id, number, amount, currency, invoice_date, due_date)
      select 'inv_many_' || n, contractor_id, id, customer_id, 'N' || n, n, 'USD', timestamptz '2026-01-01Z' + n % 300 * interval '1 day',
        timestamptz '2026-02-01Z' + n % 300 * interval '1 day'
      from projects, generate_series(1, 10000) n where contractor_id = ${contractor.id}`,
  )
  const reports = [
    () => financials(ctx, projectId),
    () => aging(ctx),
    () => aging(ctx, { asOf: '2026-06-01' }),
    () => flow(ctx, { by: 'week' }),
    () => answerOf(getRevenueSummary, { ...ctx, input: { by: 'customer' } }),
    () => answerOf(getProjectOverview, { ...ctx, input: { project: projectId } }),
  ]
  expect((await financials(ctx, projectId)).counts.invoices).toBe(10_000)
  for (const report of reports) expect(await longestBlock(report)).toBeLessThan(LONGEST_BLOCK_MS)
})
