import * as z from 'zod'
import { database } from '@/db/client'
import { estimateTimeline, LEAST_PERMITS, PERCENTILE_DEFINITION } from '@/lib/knowledge/permits/timeline'
import { defineOperation } from '../define'
import { Count, Day } from '../reports/fields'
import { AMOUNT, JurisdictionInput, KIND_INPUT } from './fields'

const Dollars = z.int().nonnegative().max(10_000_000_000)

const Interval = z.object({ low: z.number().nullable(), high: z.number().nullable() })

/** The fields of a timeline, shared with other operations that return one. */
const TimelineOutput = z.object({
  status: z
    .enum(['estimated', 'estimated_wider', 'not_enough_data'])
    .describe('estimated_wider: of other permits than those asked for too; tell the user of which (basis)'),
  jurisdiction: z.string(),
  jurisdictionName: z.string().nullable(),
  days: z
    .object({ p10: z.number().nullable(), p50: z.number(), p90: z.number().nullable() })
    .nullable()
    .describe('Calendar days from applied to issued; p10 and p90 take more permits than p50 and are null without them'),
  intervals: z
    .object({ p10: Interval, p50: Interval, p90: Interval })
    .nullable()
    .describe('95 % intervals of the days; null where the data do not bound one'),
  n: Count.describe('Permits the percentiles are of'),
  leastPermits: Count.describe('Fewer than these give no percentiles'),
  percentileDefinition: z.string(),
  window: z
    .object({ from: Day.nullable(), to: Day })
    .nullable()
    .describe('Days of application that count; from is null for all of the history'),
  basis: z
    .object({
      permitType: z.string().nullable(),
      permitTypes: z.array(z.string()).nullable().describe('The types meant, as the office writes them'),
      permitClass: z.string().nullable(),
      workClass: z.string().nullable(),
      text: z.string().nullable(),
      valuation: z.object({ min: AMOUNT, max: AMOUNT }).nullable(),
      windowMonths: z.int().nullable(),
    })
    .describe('What the figures are of in the end; what was asked for and is null here was left out'),
  widened: z
    .array(z.object({ step: z.string(), n: Count }))
    .describe('What was tried, in order, and how many permits each found; the last one counts'),
  excluded: z
    .object({ negative: Count, longerThanFiveYears: Count })
    .describe('Not in n: issued before applied, or more than 1,825 days after'),
  open: Count.describe('Applied for in the window, neither issued nor cancelled: counted as waiting so long at least'),
  cancelled: Count,
  reason: z.string().nullable().describe('Why there is no estimate'),
  notes: z.array(z.string()),
})

/** Estimates how long permits take, from the loaded history alone. */
export const estimatePermitTimeline = defineOperation({
  name: 'estimate_permit_timeline',
  title: 'Estimate a permit’s timeline',
  description:
    'How many days a jurisdiction took from application to issue: p10, p50 and p90 with intervals, of the loaded permits like the one ' +
    'asked for. It widens the question until there are enough, names each step and says estimated_wider when the type or the words are left out; else not_enough_data with the ' +
    'reason: tell the user so and give no number of your own. Use the words get_permit_coverage lists or a part of them.',
  access: 'read:permits',
  effect: 'read',
  input: z
    .object({
      jurisdiction: JurisdictionInput.describe('Whose office, such as us-tn-nashville'),
      ...KIND_INPUT,
      text: z.string().trim().min(1).max(200).optional().describe('Words of its description, such as deck'),
      valuationMin: Dollars.optional().describe(
        'Least project cost in whole dollars; permits that state no cost do not count',
      ),
      valuationMax: Dollars.optional().describe('Greatest project cost in whole dollars'),
    })
    .strict(),
  output: TimelineOutput,
  example: {
    status: 'estimated',
    jurisdiction: 'us-xx-example',
    jurisdictionName: 'Example City',
    days: { p10: 4, p50: 12, p90: 41.5 },
    intervals: { p10: { low: 2, high: 6 }, p50: { low: 9, high: 16 }, p90: { low: 33, high: 68 } },
    n: 64,
    leastPermits: LEAST_PERMITS,
    percentileDefinition: PERCENTILE_DEFINITION,
    window: { from: '2024-10-30', to: '2026-10-30' },
    basis: {
      permitType: 'Roof',
      permitTypes: ['Roof'],
      permitClass: 'Residential',
      workClass: null,
      text: null,
      valuation: null,
      windowMonths: 24,
    },
    widened: [
      { step: 'as asked, the 24 months to 2026-10-30', n: 11 },
      { step: 'valuation left out', n: 64 },
    ],
    excluded: { negative: 1, longerThanFiveYears: 0 },
    open: 5,
    cancelled: 2,
    reason: null,
    notes: [],
  },
  tool: { category: 'permits', example: { jurisdiction: 'us-zz-demonstration', permitType: 'Roof' } },
  run: async (
    { now },
    { jurisdiction, permitType, permitClass, workClass, text, valuationMin: min, valuationMax: max },
  ) => {
    const valuation = min === undefined && max === undefined ? undefined : { min, max }
    return estimateTimeline(
      await database(),
      { jurisdiction, permitType, permitClass, workClass, text, valuation },
      now,
    )
  },
})
