import { z } from 'zod'
import { database } from '@/db/client'
import { cashFlow } from '@/db/queries/reports/cash-flow'
import { dayOf } from '@/lib/core/time'
import { defineOperation, JsonText } from '../define'
import { CURRENCIES, CurrencyInput, Day, DayInput, Sum } from './fields'
import { MOST_PERIODS, requirePeriods, twelveMonthsTo } from './periods'

const By = z.enum(['week', 'month'])

const AMOUNTS = {
  invoiced: Sum.describe('Invoices dated in these days'),
  received: Sum.describe('Payments received in these days, before refunds'),
  refunded: Sum.describe('Refunds made in these days, as a positive sum'),
  net: Sum.describe('received - refunded'),
}

/** Reports what was invoiced and received, by week or by month. */
export const getCashFlow = defineOperation({
  name: 'get_cash_flow',
  title: 'Cash flow',
  description:
    'What was invoiced, received and refunded in each week or month, and in all; a period without anything is there with zeros. ' +
    'No costs are held, so this is not profit. For what is still owed use get_receivables_aging.',
  access: ['read:invoices', 'read:payments'],
  effect: 'read',
  input: z
    .object({
      from: DayInput.optional().describe(
        'First day, UTC; when left out, the first of the month eleven months before that of to',
      ),
      to: DayInput.optional().describe('Last day, UTC, counted whole; today when left out'),
      by: By.default('month').describe(
        `Calendar months, or ISO weeks from Monday, UTC; at most ${MOST_PERIODS} of them in one answer`,
      ),
      currency: CurrencyInput,
    })
    .strict(),
  output: z.object({
    from: Day,
    to: Day,
    by: By,
    currency: CURRENCIES.currency,
    total: z.object(AMOUNTS),
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
    total: { invoiced: 7380.3, received: 7380.3, refunded: 0, net: 7380.3 },
    periods: [
      {
        period: '2026-10',
        from: '2026-10-01',
        to: '2026-10-31',
        invoiced: 7380.3,
        received: 0,
        refunded: 0,
        net: 0,
      },
      {
        period: '2026-11',
        from: '2026-11-01',
        to: '2026-11-20',
        invoiced: 0,
        received: 7380.3,
        refunded: 0,
        net: 7380.3,
      },
    ],
    otherCurrencies: [],
  },
  tool: { category: 'finance', example: { by: 'month' } },
  run: async ({ actor, now }, { to = dayOf(now), from = twelveMonthsTo(to), by, currency }) => {
    requirePeriods(from, to, by)
    const query = { contractorId: actor.contractorId, from, to, by, currency }
    return new JsonText(await cashFlow(await database(), query))
  },
})
