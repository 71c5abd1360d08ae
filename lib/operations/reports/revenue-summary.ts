import { z } from 'zod'
import { database } from '@/db/client'
import { revenueSummary } from '@/db/queries/reports/revenue-summary'
import { defineOperation } from '../define'
import { contractorDays } from './days'
import { Count, CURRENCIES, CurrencyInput, Day, DayInput, Sum } from './fields'
import { daysBefore, isPartial, requirePeriods, startOfStep } from './periods'

const By = z.enum(['customer', 'trade', 'month', 'quarter', 'year'])
const LIMIT = { error: 'must be a whole number from 1 to 25' }

const AMOUNTS = {
  invoiced: Sum.describe('Invoices dated in these days'),
  received: Sum.describe('Payments less refunds and reversals in these days'),
}
const Before = z.object(AMOUNTS)

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
    .describe('The most received first; periods in their order, each from its first day'),
  more: Count.describe('Lines beyond these'),
  otherCurrencies: CURRENCIES.otherCurrencies,
})

/** The report as the database sums it. */
const Summed = Report.extend({ lines: z.array(Line) })

/** Reports what was invoiced and received by customer, trade or period, beside the period before. */
export const getRevenueSummary = defineOperation({
  name: 'get_revenue_summary',
  title: 'Revenue summary',
  description:
    'Invoiced and received by customer, trade, month, quarter or year, each beside the period before. The trade is read from a project’s name. No costs: margins are in get_project_overview.',
  access: ['read:invoices', 'read:payments', 'read:customers', 'read:projects'],
  effect: 'read',
  input: z
    .object({
      by: By.describe('What the money is summed by'),
      from: DayInput.optional().describe('First day; January 1 of the year of to when left out'),
      to: DayInput.optional().describe('Last day; today when left out'),
      currency: CurrencyInput,
      limit: z.int(LIMIT).min(1, LIMIT).max(25, LIMIT).default(10).describe('Customers or trades'),
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
    total: { invoiced: 7380.3, received: 7380.3 },
    totalBefore: { invoiced: 0, received: 0 },
    lines: [
      {
        key: 'cus_01jb2w9r4s8kq0v6m3n5x7y9za',
        name: 'Dana Whitfield',
        invoiced: 7380.3,
        received: 7380.3,
        before: { invoiced: 0, received: 0 },
        partial: false,
      },
    ],
    more: 0,
    otherCurrencies: [],
  },
  tool: { category: 'finance', example: { by: 'quarter' }, untrusted: ['name'] },
  run: async ({ actor: { contractorId }, now }, { by, to: last, from: given, currency, limit }) => {
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
      limit,
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
