import * as z from 'zod'
import { database } from '@/db/client'
import { revenueSummary } from '@/db/queries/reports/revenue-summary'
import { defineOperation } from '../define'
import { Basis, Count, CURRENCIES, CurrencyInput, contractorDays, Day, DayInput, Sum } from './fields'
import { daysBefore, isPartial, requirePeriods, startOfStep } from './periods'

const By = z.enum(['customer', 'trade', 'month', 'quarter', 'year'])
const Sort = z.enum(['net', 'invoiced', 'received'])
const LIMIT = { error: 'must be a whole number from 1 to 25' }

const AMOUNTS = {
  invoiced: Sum.describe('Invoices dated in these days'),
  received: Sum.describe('Payments received, before refunds'),
  refunded: Sum.describe('Refunds, as a positive sum'),
  reversed: Sum.describe('Payments that came back'),
  net: Sum.describe('received - refunded - reversed'),
  paidWithoutRecord: Sum.describe('Paid as files say, without a payment in the books: in no other sum'),
}
const Before = z.object(AMOUNTS)
const NOTHING = { invoiced: 0, received: 0, refunded: 0, reversed: 0, net: 0, paidWithoutRecord: 0 }

const Line = z.object({
  key: z.string().describe('A customer’s id, a trade, or a period such as 2026-Q4'),
  name: z.string(),
  ...AMOUNTS,
  before: Before.describe('By customer and trade: in the days of before; by period: in the period before it'),
})

const Report = z.object({
  currency: CURRENCIES.currency,
  total: z.object(AMOUNTS),
  totalBefore: Before.describe('The same in before'),
  lines: z
    .array(
      Line.extend({
        partial: z
          .boolean()
          .describe(
            'The period is not over, or cut by to: compare it with total and totalBefore, not with the whole period before',
          ),
      }),
    )
    .describe('The most first; periods in their order, each from its first day'),
  more: Count.describe('Lines after these'),
  basis: Basis,
  otherCurrencies: CURRENCIES.otherCurrencies,
})

/** The report as the database sums it. */
const Summed = Report.extend({ lines: z.array(Line) })

/** Reports what was invoiced and received by customer, trade or period, beside the period before. */
export const getRevenueSummary = defineOperation({
  name: 'get_revenue_summary',
  title: 'Revenue summary',
  description:
    'Invoiced, received, refunded and net by customer or trade, the best first by net or as sort says, or by month, quarter or year; each beside the period before. The trade is read from a project’s name. No costs: what is left of a contract after materials is in get_project_overview.',
  access: ['read:invoices', 'read:payments', 'read:customers', 'read:projects'],
  effect: 'read',
  input: z
    .object({
      by: By.describe('What the money is summed by'),
      from: DayInput.optional().describe('First day; January 1 of the year of to when left out'),
      to: DayInput.optional().describe('Last day; today when left out'),
      currency: CurrencyInput,
      sort: Sort.default('net').describe('Customers or trades: what is greatest first'),
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Customers or trades'),
      skip: z.int().min(0).max(100_000).default(0).describe('Customers or trades already told'),
    })
    .strict(),
  output: z.object({
    by: By,
    from: Day,
    to: Day,
    before: z.object({ from: Day, to: Day }).describe('The days beside these: as many whole steps or months earlier'),
    ...Report.shape,
  }),
  example: {
    by: 'customer',
    from: '2026-10-01',
    to: '2026-11-20',
    before: { from: '2026-08-01', to: '2026-09-20' },
    currency: 'USD',
    total: { ...NOTHING, invoiced: 7380.3, received: 7380.3, net: 7380.3 },
    totalBefore: NOTHING,
    lines: [
      {
        key: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        name: 'Dana Whitfield',
        ...NOTHING,
        invoiced: 7380.3,
        received: 7380.3,
        net: 7380.3,
        before: NOTHING,
        partial: false,
      },
    ],
    more: 0,
    basis: 'Days of America/New_York. net = received - refunded - reversed.',
    otherCurrencies: [],
  },
  tool: { category: 'finance', pages: 'lines', example: { by: 'quarter' }, untrusted: ['name'] },
  run: async ({ actor: { contractorId }, now }, { by, to: last, from: given, currency, sort, limit, skip }) => {
    const db = await database()
    const { zone, today } = await contractorDays(db, contractorId, now)
    const to = last ?? today
    const from = startOfStep(given ?? `${to.slice(0, 4)}-01-01`, by)
    requirePeriods(from, to, 'month')
    // The year so far stands beside the same days of the year before.
    const before = daysBefore(from, to, given === undefined && (by === 'customer' || by === 'trade') ? 'year' : by)
    const report = await revenueSummary(db, {
      contractorId,
      zone,
      from,
      to,
      beforeFrom: before.from,
      beforeTo: before.to,
      by,
      currency,
      sort,
      limit,
      skip,
    })
    const { lines, ...rest } = Summed.parse(JSON.parse(report))
    const lastDays = [to, today]
    const isPeriod = by === 'month' || by === 'quarter' || by === 'year'
    const told = lines.map((line) => ({
      ...line,
      partial: isPeriod && lastDays.some((day) => isPartial(line.key, day, by)),
    }))
    return { by, from, to, before, ...rest, lines: told }
  },
})
