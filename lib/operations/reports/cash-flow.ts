import * as z from 'zod'
import { database } from '@/db/client'
import { cashFlow } from '@/db/queries/reports/cash-flow'
import { defineOperation, JsonText } from '../define'
import { Basis, CURRENCIES, CurrencyInput, contractorDays, Day, DayInput, Sum } from './fields'
import { MOST_PERIODS, requirePeriods, twelveMonthsTo } from './periods'

const By = z.enum(['week', 'month'])

const AMOUNTS = {
  invoiced: Sum.describe('Invoices dated in these days'),
  received: Sum.describe('Payments received in these days, before refunds'),
  refunded: Sum.describe('Refunds made in these days, as a positive sum'),
  reversed: Sum.describe('Payments that came back'),
  net: Sum.describe('received - refunded - reversed'),
  paidWithoutRecord: Sum.describe('Paid as files say, without a payment in the books: in no other sum'),
}
/** The sums that only the total has. */
const APART = {
  credited: Sum.describe('Credits and adjustments: no money'),
  writtenOff: Sum.describe('Written off: no money'),
  invoicedAhead: Sum.describe('The part of invoiced dated after today'),
  receivedAhead: Sum.describe('The part of received dated after today'),
}

const NOTHING = {
  invoiced: 0,
  received: 0,
  refunded: 0,
  reversed: 0,
  net: 0,
  paidWithoutRecord: 0,
}
const NOTHING_APART = { credited: 0, writtenOff: 0, invoicedAhead: 0, receivedAhead: 0 }

/** Reports what was invoiced and received, by week or by month. */
export const getCashFlow = defineOperation({
  name: 'get_cash_flow',
  title: 'Cash flow',
  description:
    'Money in and out: what was invoiced, received and refunded in each week or month; a period without anything is there with zeros. ' +
    'No costs are held, so this is not profit. For what is still owed use get_receivables_aging.',
  access: ['read:invoices', 'read:payments'],
  effect: 'read',
  input: z
    .object({
      from: DayInput.optional().describe(
        'First day; when left out, the first of the month eleven months before that of to',
      ),
      to: DayInput.optional().describe('Last day, counted whole; today when left out'),
      by: By.default('month').describe(
        `Calendar months, or ISO weeks from Monday; at most ${MOST_PERIODS} of them in one answer`,
      ),
      currency: CurrencyInput,
    })
    .strict(),
  output: z.object({
    from: Day,
    to: Day,
    by: By,
    currency: CURRENCIES.currency,
    total: z.object({ ...AMOUNTS, ...APART }),
    unpaidAtEnd: Sum.describe('Open at the end of to, or today if that is earlier'),
    basis: Basis,
    periods: z
      .array(
        z.object({
          period: z.string().describe('`2026-11` for a month, `2026-W47` for an ISO week'),
          from: Day.describe('Its first day that is counted'),
          to: Day.describe('Its last day that is counted'),
          ...AMOUNTS,
        }),
      )
      .describe('Without gaps, the first first; the first and the last are cut where from and to cut them'),
    otherCurrencies: CURRENCIES.otherCurrencies,
  }),
  example: {
    from: '2026-10-01',
    to: '2026-11-20',
    by: 'month',
    currency: 'USD',
    total: { ...NOTHING, ...NOTHING_APART, invoiced: 7380.3, received: 7380.3, net: 7380.3 },
    unpaidAtEnd: 0,
    basis: 'Days of America/New_York. net = received - refunded - reversed.',
    periods: [
      {
        period: '2026-10',
        from: '2026-10-01',
        to: '2026-10-31',
        ...NOTHING,
        invoiced: 7380.3,
      },
      {
        period: '2026-11',
        from: '2026-11-01',
        to: '2026-11-20',
        ...NOTHING,
        received: 7380.3,
        net: 7380.3,
      },
    ],
    otherCurrencies: [],
  },
  tool: { category: 'finance', example: { by: 'month' } },
  run: async ({ actor: { contractorId }, now }, { to: last, from: first, by, currency }) => {
    const db = await database()
    const { zone, today } = await contractorDays(db, contractorId, now)
    const to = last ?? today
    const from = first ?? twelveMonthsTo(to)
    requirePeriods(from, to, by)
    return new JsonText(await cashFlow(db, { contractorId, zone, today, from, to, by, currency }))
  },
})
