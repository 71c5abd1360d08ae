import * as z from 'zod'
import { TakeoffInput, takeoffs } from '@/lib/knowledge/materials/takeoff'
import { orderOf } from '@/lib/knowledge/materials/total'
import { defineOperation } from '../define'

const Line = z.object({
  key: z.string().describe('The item’s key in the price book'),
  item: z.string(),
  netQuantity: z.number().describe('What gets into the work, in netUnit'),
  netUnit: z.string(),
  wastePercent: z.number(),
  wasteBasis: z.string().describe('Why so much is added'),
  orderQuantity: z
    .number()
    .describe('What this assembly alone would buy, in orderUnit: net and waste, rounded up to what is sold'),
  orderUnit: z.string(),
})

/** Calculates quantities of materials from dimensions, by documented formulas, without prices. */
export const estimateTakeoff = defineOperation({
  name: 'estimate_takeoff',
  title: 'Estimate a take-off',
  description:
    'Quantities of materials for pieces of work from their dimensions, by documented rules, in imperial (ft, in) or metric (m, mm): ' +
    'net quantity, waste and its basis, what to buy in whole units, what is assumed and what is not counted: tell the user both. ' +
    'A value that is implausible or against the code is answered with a question: ask the user. wastePercent replaces the ' +
    'usual waste of the main item. For the cost pass the same assemblies to price_project.',
  access: 'read:materials',
  effect: 'read',
  input: TakeoffInput,
  output: z.object({
    units: TakeoffInput.shape.units,
    assemblies: z.array(
      z.object({
        kind: z.string(),
        lines: z.array(Line),
        assumptions: z.array(z.string()),
        notCounted: z.array(z.string()).describe('What this work needs too and these lines do not hold'),
      }),
    ),
    order: z
      .array(z.object({ item: z.string(), quantity: z.number(), unit: z.string() }))
      .describe(
        'What to buy for all assemblies together, each item once and rounded up once; as price_project takes it in lines',
      ),
  }),
  example: {
    units: 'imperial',
    assemblies: [
      {
        kind: 'insulation',
        lines: [
          {
            key: 'insulation-r13-batt',
            item: 'Insulation batts R-13, bag',
            netQuantity: 500,
            netUnit: 'ft2',
            wastePercent: 5,
            wasteBasis: 'batts cut to odd cavities',
            orderQuantity: 5,
            orderUnit: 'bag',
          },
        ],
        assumptions: ['Framing is not deducted from the area, so a little is left over.'],
        notCounted: ['vapor retarder'],
      },
    ],
    order: [{ item: 'insulation-r13-batt', quantity: 5, unit: 'bag' }],
  },
  tool: {
    category: 'materials',
    example: { units: 'imperial', assemblies: [{ kind: 'roofing', length: 40, width: 30, rise: 6 }] },
  },
  run: async (_, { units, assemblies, confirmed }) => {
    const results = takeoffs({ units, assemblies, confirmed })
    const order = orderOf(results.flatMap(({ lines }) => lines)).map(({ item, quantity, unit }) => ({
      item,
      quantity,
      unit,
    }))
    return { units, assemblies: results, order }
  },
})
