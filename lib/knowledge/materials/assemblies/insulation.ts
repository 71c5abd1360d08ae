import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { area, line, type Product, type System, small, type Takeoff, wasteOf, wastePercent } from '../define'
import { UNIT } from '../measures'
import { type Ranges, SURFACE, WASTE } from '../plausible'

const R_VALUES = ['13', '15', '19', '21', '30', '38', '49', '60'] as const
type RValue = (typeof R_VALUES)[number]

export const Insulation = z
  .object({
    kind: z.literal('insulation'),
    area: area('Surface'),
    rValue: z.enum(R_VALUES).describe('13, 15 for 2x4 walls; 19, 21 for 2x6; 30 to 60 for ceilings'),
    spacing: small('Studs or joists on center').optional(),
    blown: z.boolean().default(false).describe('Loose fill; needs boxArea'),
    boxArea: area('What a box or bag covers').optional(),
    wastePercent,
  })
  .strict()

export const INSULATION_RANGES: Ranges<typeof Insulation> = {
  area: SURFACE,
  spacing: { in: 'small', least: 15.5, most: 24, why: 'batts are made for framing 16 and 24 in on center' },
  boxArea: { in: 'area', least: 8, most: 200, why: 'a bag covers 10 to 180 ft2, less the higher the R-value' },
  wastePercent: WASTE,
}

/** The spacing that batts are made for, in inches; 400 and 610 mm are 16 and 24 in. @throws ServiceError `bad_request` between them */
function widthFor(inches: number): 16 | 24 {
  if (inches <= 17) return 16
  if (inches >= 23) return 24
  throw new ServiceError(
    'bad_request',
    'Batts are made for framing 16 and 24 in on center. Give one of them as spacing, or blown.',
  )
}

type Batt = { pieces: number; length: number; width: Record<16 | 24, number> }
const wall = (pieces: number): Batt => ({ pieces, length: 93, width: { 16: 15, 24: 23 } })
const ceiling = (pieces: number): Batt => ({ pieces, length: 48, width: { 16: 16, 24: 24 } })

/** Batts per bag and their size in inches. A bag covers pieces x width x length / 144 ft2. */
const BATTS: Record<Exclude<RValue, '60'>, Batt> = {
  13: wall(11),
  15: wall(7),
  19: wall(8),
  21: wall(7),
  30: ceiling(11),
  38: ceiling(8),
  49: ceiling(6),
}
const M2_PER_FT2 = 0.09290304

/** A bag of batts for a spacing, and how many layers make the R-value: R-60 is two of R-30, because R-values add up. */
function batts(rValue: RValue, spacing: 16 | 24): { product: Product; layers: number } {
  const [made, layers] = rValue === '60' ? (['30', 2] as const) : ([rValue, 1] as const)
  const { pieces, width, length } = BATTS[made]
  const holds = (pieces * width[spacing] * length) / 144
  const [key, name] = spacing === 16 ? ['', ''] : ['-24oc', ', 24 in on center']
  const pack = { key: `insulation-r${made}-batt${key}`, item: `Insulation batts R-${made}${name}, bag`, unit: 'bag' }
  return {
    product: { imperial: { ...pack, net: 'ft2', holds }, metric: { ...pack, net: 'm2', holds: holds * M2_PER_FT2 } },
    layers,
  }
}

const loose = (holds: number): Product => {
  const pack = { key: 'insulation-blown', item: 'Blown-in insulation, bag', unit: 'bag', holds }
  return { imperial: { ...pack, net: 'ft2' }, metric: { ...pack, net: 'm2' } }
}

function blownIn({ area, rValue, boxArea, wastePercent }: z.output<typeof Insulation>, system: System): Takeoff {
  if (boxArea === undefined)
    throw new ServiceError(
      'bad_request',
      `How much does a bag cover at R-${rValue}? The chart on every bag of loose fill says it (16 CFR 460.12), and makes differ by half. Ask the user and give it as boxArea.`,
    )
  const waste = wasteOf(wastePercent, 5, 'uneven depth; the chart is for the settled depth')
  return {
    lines: [line(loose(boxArea), system, area, waste)],
    assumptions: [
      `A bag covers ${boxArea} ${UNIT[system].area} at R-${rValue}, as its chart says; blow to the depth and bags of that chart.`,
    ],
    notCounted: ['vapor retarder', 'air sealing', 'baffles, rulers and attic access', 'R-value the code asks for'],
  }
}

/**
 * Batts between framing, or loose fill. Bags = ceil(area x (1 + waste) / coverage), where the coverage of batts is pieces x width x
 * length: 93 in long and 15 or 23 in wide for walls, 48 in long and 16 or 24 in wide for ceilings, the sizes of ASTM C665
 * blankets as Owens Corning packs them. Coverage of loose fill is the bag's own chart, which the law requires on it (16 CFR 460.12). 1 ft2 = 0.09290304 m2
 * (NIST Special Publication 811).
 */
export function insulation(input: z.output<typeof Insulation>, system: System): Takeoff {
  if (input.blown) return blownIn(input, system)
  const spacing = widthFor((input.spacing ?? 0) / (system === 'imperial' ? 1 : 25.4))
  const { product, layers } = batts(input.rValue, spacing)
  const waste = wasteOf(input.wastePercent, 5, 'batts cut to odd cavities')
  return {
    lines: [line(product, system, input.area * layers, waste)],
    assumptions: [
      'Framing is not deducted from the area, so a little is left over.',
      `Whole bags of one size of batt, for framing ${spacing} in on center.`,
      ...(layers > 1 ? ['R-60 is two layers of R-30, the upper one across the lower.'] : []),
    ],
    notCounted: ['vapor retarder', 'air sealing', 'baffles and hangers', 'R-value the code asks for'],
  }
}
