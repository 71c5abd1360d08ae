import { z } from 'zod'
import { database } from '@/db/client'
import { leadPerformance } from '@/db/queries/reports/lead-performance'
import { dayOf } from '@/lib/core/time'
import { LEAD_CATEGORIES } from '@/lib/leads/category'
import { defineOperation, JsonText } from '../define'
import { Count, CURRENCIES, CurrencyInput, Day, DayInput, Sum } from './fields'
import { requireOrder, twelveMonthsTo } from './periods'

const RESULTS = {
  leads: Count.describe('Leads that came in these days: won, open and lost'),
  won: Count.describe('Their project is scheduled, in_progress, on_hold or completed'),
  open: Count.describe('Their project is still in lead or estimate'),
  lost: Count.describe('Their project is cancelled'),
  revenue: Sum.describe('Payments received less refunds on the won projects, all that is booked up to now'),
  conversion: z.number().nullable().describe('won / leads, four decimals; null without leads'),
}

/** Reports which lead sources bring work and revenue. */
export const getLeadPerformance = defineOperation({
  name: 'get_lead_performance',
  title: 'Lead performance by source',
  description:
    'What became of the leads that came in some days, for each source category and in total: how many came, were won, are open or lost, the ' +
    'share won, and the money received so far on the won projects. Of the latest leads many are still open, so compare conversion over ' +
    'months that are past. For single leads use list_leads.',
  access: ['read:projects', 'read:payments'],
  effect: 'read',
  input: z
    .object({
      from: DayInput.optional().describe(
        'First day (UTC) on which leads came; when left out, the first of the month eleven months before that of to',
      ),
      to: DayInput.optional().describe('Last day, UTC, counted whole; today when left out'),
      currency: CurrencyInput,
    })
    .strict(),
  output: z.object({
    from: Day,
    to: Day,
    currency: CURRENCIES.currency,
    total: z.object(RESULTS),
    sources: z
      .array(z.object({ category: z.enum(LEAD_CATEGORIES), ...RESULTS }))
      .describe('Categories with a lead in these days, by revenue, then leads, the greatest first'),
    otherCurrencies: CURRENCIES.otherCurrencies,
  }),
  example: {
    from: '2025-12-01',
    to: '2026-11-20',
    currency: 'USD',
    total: { leads: 9, won: 3, open: 4, lost: 2, revenue: 21450.75, conversion: 0.3333 },
    sources: [
      { category: 'referral', leads: 3, won: 2, open: 1, lost: 0, revenue: 18450.75, conversion: 0.6667 },
      { category: 'search_ads', leads: 6, won: 1, open: 3, lost: 2, revenue: 3000, conversion: 0.1667 },
    ],
    otherCurrencies: [],
  },
  tool: { category: 'leads', example: {} },
  run: async ({ actor, now }, { to = dayOf(now), from = twelveMonthsTo(to), currency }) => {
    requireOrder(from, to)
    const query = { contractorId: actor.contractorId, from, to, currency }
    return new JsonText(await leadPerformance(await database(), query))
  },
})
