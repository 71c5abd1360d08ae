import * as z from 'zod'
import { area, line, long, type Product, type System, type Takeoff, wasteOf, wastePercent } from '../define'
import { UNIT } from '../measures'
import { BOX, type Ranges, SIDE, WASTE } from '../plausible'

export const Flooring = z
  .object({
    kind: z.literal('flooring'),
    length: long('Length of the room'),
    width: long('Width of the room'),
    layout: z.enum(['straight', 'diagonal']).default('straight'),
    boxArea: area('What a box or bag covers').optional(),
    underlayment: z.boolean().default(false).describe('Pad under the floor'),
    wastePercent,
  })
  .strict()

export const FLOORING_RANGES: Ranges<typeof Flooring> = {
  length: SIDE,
  width: SIDE,
  boxArea: BOX,
  wastePercent: WASTE,
}

const planks = (step: number): Product => ({
  imperial: { key: 'flooring-plank', item: 'Plank flooring', net: 'ft2', unit: 'ft2', holds: 1, step },
  metric: { key: 'flooring-plank', item: 'Plank flooring', net: 'm2', unit: 'm2', holds: 1, step },
})
const PAD: Product = {
  imperial: {
    key: 'floor-underlayment-100ft2',
    item: 'Floor underlayment, 100 ft2',
    net: 'ft2',
    unit: 'roll',
    holds: 100,
  },
  metric: { key: 'floor-underlayment-10m2', item: 'Floor underlayment, 10 m2', net: 'm2', unit: 'roll', holds: 10 },
}

/**
 * Calculates plank flooring in a rectangular room. Area = length x width. Waste is 10 percent for a straight layout, 15 for a diagonal one
 * (nationalcalculatorauthority.com, Flooring Material Waste Factor, from the National Wood Flooring Association's Installation Guidelines:
 * 5 percent in a plain room, 10 with closets and doorways, 15 diagonal).
 */
export function flooring(input: z.output<typeof Flooring>, system: System): Takeoff {
  const { length, width, layout, boxArea = 1, underlayment, wastePercent } = input
  const net = length * width
  const waste =
    layout === 'straight'
      ? wasteOf(wastePercent, 10, 'cuts at walls')
      : wasteOf(wastePercent, 15, 'diagonal cuts at walls')
  return {
    lines: [
      line(planks(boxArea), system, net, waste),
      ...(underlayment ? [line(PAD, system, net, { percent: 5, basis: 'trimmed edges' })] : []),
    ],
    assumptions: [
      input.boxArea === undefined
        ? 'Flooring by area; round up to whole boxes.'
        : `Whole boxes of ${boxArea} ${UNIT[system].area} each.`,
    ],
    notCounted: [
      'baseboard and transitions',
      'leveling and moisture barrier',
      'adhesive or nails',
      'removal of the old floor',
    ],
  }
}
