import * as z from 'zod'
import { database } from '@/db/client'
import { LEAST_DECIDED, leadPerformance } from '@/db/queries/reports/lead-performance'
import { LEAD_CATEGORIES } from '@/lib/leads/category'
import { defineOperation, JsonText } from '../define'
import { Basis, Count, CURRENCIES, CurrencyInput, contractorDays, Day, DayInput, Sum } from './fields'
import { requireOrder, twelveMonthsTo } from './periods'

const RESULTS = {
  leads: Count.describe('Leads that came in these days: won, open and lost'),
  won: Count.describe('Their project is scheduled, in_progress, on_hold or completed'),
  open: Count.describe('Their project is still in lead or estimate; open leads of all days are openLeads'),
  lost: Count.describe('Their project is cancelled'),
  revenue: Sum.describe('Payments less refunds and reversals on won and lost projects, all that is booked up to now'),
  keptDeposits: Sum.describe('The part of revenue from lost projects: deposits that did not go back'),
  decided: Count.describe('won + lost'),
  conversion: z
    .number()
    .nullable()
    .describe(
      `won / decided, four decimals; null of fewer than ${LEAST_DECIDED} decided: then tell won of decided, no share`,
    ),
  sample: z.enum(['none', 'few', 'enough']).describe('Whether enough are decided for a share'),
  contacted: Count.describe('Leads with a note or follow-up'),
  hoursToContact: z.number().nullable().describe('Median hours from arrival to the first of them; null without any'),
}

const By = z.enum(['category', 'source'])

/** Reports which lead sources bring work and revenue. */
export const getLeadPerformance = defineOperation({
  name: 'get_lead_performance',
  title: 'Lead performance by source',
  description:
    'What became of the leads that came in some days, by category or source and in total: won, open, lost, the share won of those decided (none of few), ' +
    'revenue, hours to the first note. For single leads use list_leads.',
  access: ['read:projects', 'read:payments'],
  effect: 'read',
  input: z
    .object({
      from: DayInput.optional().describe(
        'First day on which leads came; when left out, the first of the month eleven months before that of to',
      ),
      to: DayInput.optional().describe('Last day, counted whole; today when left out'),
      by: By.default('category').describe('Categories, or the sources as senders name them'),
      currency: CurrencyInput,
    })
    .strict(),
  output: z.object({
    from: Day,
    to: Day,
    currency: CURRENCIES.currency,
    total: z.object(RESULTS),
    openLeads: Count.describe(
      'All that are open today, whenever they came, those of files too: what list_leads finds with outcome open',
    ),
    sources: z
      .array(
        z.object({
          category: z.enum(LEAD_CATEGORIES),
          source: z.string().nullable().describe('Null by category'),
          ...RESULTS,
        }),
      )
      .describe('Those with a lead in these days, by revenue, then leads, the greatest first'),
    more: Count.describe('Lines beyond these'),
    basis: Basis,
    otherCurrencies: CURRENCIES.otherCurrencies,
  }),
  example: {
    from: '2025-12-01',
    to: '2026-11-20',
    currency: 'USD',
    total: {
      leads: 9,
      won: 3,
      open: 4,
      lost: 2,
      revenue: 21450.75,
      keptDeposits: 500,
      decided: 5,
      conversion: 0.6,
      sample: 'enough',
      contacted: 6,
      hoursToContact: 2.5,
    },
    openLeads: 7,
    sources: [
      {
        category: 'referral',
        source: null,
        leads: 3,
        won: 2,
        open: 1,
        lost: 0,
        revenue: 18450.75,
        keptDeposits: 0,
        decided: 2,
        conversion: null,
        sample: 'few',
        contacted: 3,
        hoursToContact: 1.2,
      },
      {
        category: 'search_ads',
        source: null,
        leads: 6,
        won: 1,
        open: 3,
        lost: 2,
        revenue: 3000,
        keptDeposits: 500,
        decided: 3,
        conversion: null,
        sample: 'few',
        contacted: 3,
        hoursToContact: 20.4,
      },
    ],
    more: 0,
    basis: 'Days of America/New_York. conversion = won / decided, and null of fewer than 5 decided (sample).',
    otherCurrencies: [],
  },
  tool: { category: 'leads', example: {}, untrusted: ['source'] },
  run: async ({ actor: { contractorId }, now }, { to: last, from: first, by, currency }) => {
    const db = await database()
    const { zone, today } = await contractorDays(db, contractorId, now)
    const to = last ?? today
    const from = first ?? twelveMonthsTo(to)
    requireOrder(from, to)
    return new JsonText(await leadPerformance(db, { contractorId, zone, from, to, by, currency }))
  },
})
