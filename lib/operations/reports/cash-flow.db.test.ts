import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Database, shareDatabase } from '@/db/client'
import { SCOPES } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { getCashFlow } from './cash-flow'
import { periodsBetween } from './periods'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')

/** Records on the edges of months and weeks (2 November 2026 is a Monday), a refund, an adjustment, a second currency. */
async function books(mark = '') {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load({
    'customers.csv': `Customer ID,Name\nC1,Dana${mark}\n`,
    'projects.csv': `Project ID,Customer ID,Name\nP1,C1,Roof${mark}\n`,
    'invoices.csv': `Invoice Number,Project ID,Amount,Date
I1,P1,100.10,2026-09-30
I2,P1,200.20,2026-10-01
I3,P1,0.05,2026-11-01T03:59:59.999Z
I4,P1,50.00,2026-11-21T04:30:00Z
I5,P1,9.00,2026-11-21
`,
    'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Currency,Date,Type
T1,P1,I1,100.10,,2026-10-01,payment
T2,P1,I2,25.55,,2026-11-02T04:59:59.999Z,payment
R1,P1,,20.20,,2026-11-02,refund
A1,P1,,999.00,,2026-11-02,adjustment
T3,P1,,1.00,,2026-11-21T04:59:59.999Z,payment
T4,P1,,7.00,EUR,2026-10-15,payment
T5,P1,,5.00,,2026-11-21,payment
`,
  })
  expect(faults).toEqual([])
  const actor = actorOf(tenant.contractor)
  const report = (input: z.input<typeof getCashFlow.input> = {}) => answerOf(getCashFlow, { actor, now: NOW, input })
  return { ...tenant, report }
}

const NONE = {
  invoiced: 0,
  received: 0,
  refunded: 0,
  reversed: 0,
  net: 0,
  credited: 0,
  writtenOff: 0,
  invoicedAhead: 0,
  receivedAhead: 0,
  paidWithoutRecord: 0,
}

type Period = {
  period: string
  from: string
  to: string
  invoiced: number
  received: number
  refunded: number
  net: number
}
const line = (p: Period) => [p.period, p.from, p.to, p.invoiced, p.received, p.refunded, p.net].join(' ')

test('get_cash_flow: the last twelve months by month, those without anything with zeros', async () => {
  const { answer, text } = await (await books()).report()
  expect(answer).toMatchObject({ from: '2025-12-01', to: '2026-11-20', by: 'month', currency: 'USD' })
  expect(answer.total).toEqual({
    ...NONE,
    invoiced: 350.35,
    received: 126.65,
    refunded: 20.2,
    net: 106.45,
    credited: 999,
  })
  expect(answer.unpaidAtEnd).toBe(224.7) // I2 200.20 - 25.55, I3, I4
  expect(answer.periods).toHaveLength(12)
  expect(answer.periods.slice(-4).map(line)).toEqual([
    '2026-08 2026-08-01 2026-08-31 0 0 0 0',
    '2026-09 2026-09-01 2026-09-30 100.1 0 0 0',
    '2026-10 2026-10-01 2026-10-31 200.25 100.1 0 100.1',
    '2026-11 2026-11-01 2026-11-20 50 26.55 20.2 6.35',
  ])
  expect(answer.otherCurrencies).toEqual(['EUR'])
  expect(text).toContain('"total":{"invoiced":350.35,"received":126.65,"refunded":20.20,"reversed":0.00,"net":106.45,')
})

test('get_cash_flow: weeks begin on Monday and are cut where the days asked for cut them', async () => {
  const { report } = await books()
  const { answer } = await report({ from: '2026-10-28', to: '2026-11-10', by: 'week' })
  expect(answer.periods.map(line)).toEqual([
    '2026-W44 2026-10-28 2026-11-01 0.05 25.55 0 25.55',
    '2026-W45 2026-11-02 2026-11-08 0 0 20.2 -20.2',
    '2026-W46 2026-11-09 2026-11-10 0 0 0 0',
  ])
  expect(answer.total).toMatchObject({ invoiced: 0.05, received: 25.55, refunded: 20.2, net: 5.35 })
})

test('get_cash_flow: a week over New Year belongs to its ISO year', async () => {
  const { report } = await books()
  const weeks = async (from: string, to: string) => (await report({ from, to, by: 'week' })).answer.periods.map(line)
  expect(await weeks('2026-12-31', '2027-01-04')).toEqual([
    '2026-W53 2026-12-31 2027-01-03 0 0 0 0',
    '2027-W01 2027-01-04 2027-01-04 0 0 0 0',
  ])
  expect(await weeks('2025-12-28', '2026-01-01')).toEqual([
    '2025-W52 2025-12-28 2025-12-28 0 0 0 0',
    '2026-W01 2025-12-29 2026-01-01 0 0 0 0',
  ])
})

test('get_cash_flow: days before from and after to are not counted; both count whole', async () => {
  const { report } = await books()
  const total = async (from: string, to: string) => (await report({ from, to })).answer.total
  expect(await total('2026-10-01', '2026-10-31')).toEqual({
    ...NONE,
    invoiced: 200.25,
    received: 100.1,
    net: 100.1,
  })
  expect(await total('2026-10-02', '2026-10-30')).toEqual(NONE)
  expect(await total('2026-11-20', '2026-11-20')).toEqual({ ...NONE, invoiced: 50, received: 1, net: 1 })
  expect(await total('2026-11-21', '2026-11-21')).toEqual({
    ...NONE,
    invoiced: 9,
    received: 5,
    net: 5,
    invoicedAhead: 9,
    receivedAhead: 5,
  })
})

test('get_cash_flow: 120 periods are answered, 121 are refused with what to do', async () => {
  const { report } = await books()
  const weeks = { from: '2024-08-05', to: '2026-11-22', by: 'week' } as const
  expect((await report(weeks)).answer.periods).toHaveLength(120)
  await expect(report({ ...weeks, from: '2024-08-04' })).rejects.toMatchObject({
    code: 'bad_request',
    fields: [{ field: 'by', message: expect.stringContaining('makes 121 weeks') }],
    message: expect.stringContaining('widen the step to month'),
  })
  const months = { from: '2016-12-31', to: '2026-11-01' }
  expect((await report(months)).answer.periods).toHaveLength(120)
  await expect(report({ ...months, from: '2016-11-30' })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(report({ from: '1000-01-01', to: '9999-12-31', by: 'week' })).rejects.toMatchObject({
    code: 'bad_request',
    fields: [{ field: 'from' }],
  })
})

test('get_cash_flow: the calendar of the database and ours agree on every range', async () => {
  const { report } = await books()
  for (const by of ['week', 'month'] as const) {
    for (const [from, to] of [
      ['2024-02-29', '2024-03-01'],
      ['2025-12-28', '2026-01-05'],
      ['2026-01-31', '2026-03-01'],
      ['1969-12-28', '1970-01-05'],
      ['9999-12-01', '9999-12-31'],
      ['1000-01-01', '1000-02-01'],
    ] as const) {
      const { periods } = (await report({ from, to, by })).answer
      expect(periods, `${from} to ${to} by ${by}`).toHaveLength(periodsBetween(from, to, by))
      expect([periods[0]?.from, periods.at(-1)?.to]).toEqual([from, to])
    }
  }
})

test('get_cash_flow: another currency is reported for itself', async () => {
  const { answer } = await (await books()).report({ currency: 'EUR' })
  expect(answer).toMatchObject({ currency: 'EUR', total: { invoiced: 0, received: 7 }, otherCurrencies: ['USD'] })
})

test('get_cash_flow: another contractor’s records are never counted', async () => {
  const a = await books()
  const { answer } = await a.report()
  await books('do-not-leak')
  const beside = await a.report()
  expect(beside.answer).toEqual(answer)
  expect(beside.text).not.toContain('do-not-leak')
})

test.each([{ from: '2026-02-30' }, { to: '20261120' }, { by: 'day' }, { by: 'year' }, { step: 'week' }])(
  'get_cash_flow: %j is refused',
  async (input) => {
    expect(getCashFlow.input.safeParse(input).success).toBe(false)
  },
)

test.each(['read:invoices', 'read:payments'] as const)('get_cash_flow: forbidden without %s', async (missing) => {
  const { contractor } = await makeTenant(db)
  const actor = actorOf(
    contractor,
    SCOPES.filter((scope) => scope !== missing),
  )
  await expect(answerOf(getCashFlow, { actor, now: NOW, input: {} })).rejects.toMatchObject({ code: 'forbidden' })
})
