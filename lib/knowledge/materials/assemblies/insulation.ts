import { z } from 'zod'
import { area, line, type Product, type System, type Takeoff, wasteOf, wastePercent } from '../define'
import { SURFACE, WASTE, type Ranges } from '../plausible'

const R_VALUES = ['13', '19', '30', '38'] as const

export const Insulation = z
  .object({
    kind: z.literal('insulation'),
    area: area('Wall, floor or ceiling to insulate, openings deducted'),
    rValue: z.enum(R_VALUES).describe('13 and 19 for walls of 2x4 and 2x6; 30 and 38 for ceilings (US R-value)'),
    wastePercent,
  })
  .strict()

export const INSULATION_RANGES: Ranges<typeof Insulation> = {
  area: SURFACE,
  wastePercent: WASTE,
}

/** Batts per bag and their size in inches. A bag covers pieces x width x length / 144 ft2. */
const BAGS: Record<(typeof R_VALUES)[number], { pieces: number; width: number; length: number }> = {
  13: { pieces: 11, width: 15, length: 93 },
  19: { pieces: 8, width: 15, length: 93 },
  30: { pieces: 11, width: 16, length: 48 },
  38: { pieces: 8, width: 16, length: 48 },
}
const M2_PER_FT2 = 0.09290304

function batts(rValue: (typeof R_VALUES)[number]): Product {
  const { pieces, width, length } = BAGS[rValue]
  const holds = (pieces * width * length) / 144
  const pack = { key: `insulation-r${rValue}-batt`, item: `Insulation batts R-${rValue}, bag`, unit: 'bag' }
  return { imperial: { ...pack, net: 'ft2', holds }, metric: { ...pack, net: 'm2', holds: holds * M2_PER_FT2 } }
}

/**
 * Batts between framing. Bags = ceil(area x (1 + waste) / coverage) (probuildcalc.com, How to Estimate Insulation), where coverage
 * = batts x width x length: 106.56 ft2 for R-13 and 77.5 ft2 for R-19 (15 x 93 in), 58.67 ft2 for R-30 and 42.67 ft2 for R-38 (16 x
 * 48 in), which are common sizes of fiberglass bags. 1 ft2 = 0.09290304 m2 (NIST Special Publication 811).
 */
export function insulation(input: z.output<typeof Insulation>, system: System): Takeoff {
  const waste = wasteOf(input.wastePercent, 5, 'batts cut to odd cavities')
  return {
    lines: [line(batts(input.rValue), system, input.area, waste)],
    assumptions: [
      'Framing is not deducted from the area, so a little is left over.',
      'Whole bags of one size of batt.',
    ],
    notCounted: ['vapor retarder', 'air sealing', 'baffles and hangers', 'R-value the code asks for'],
  }
}
