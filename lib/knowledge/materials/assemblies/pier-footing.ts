import * as z from 'zod'
import { CUT_TO_FIT, cutLine, pieces } from '../cutting'
import {
  COUNTED,
  each,
  line,
  type Pack,
  SMALL_PER_LENGTH,
  type System,
  small,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { COUNTS, type Ranges, WASTE } from '../plausible'
import { CONCRETE_WASTE } from './concrete-slab'
import { BAGS } from './fence'

export const PierFooting = z
  .object({
    kind: z.literal('pier_footing'),
    count: z.int().min(1).max(1_000).describe('Piers'),
    width: small('Diameter'),
    depth: small('Depth of a pier, its part above ground included'),
    wastePercent,
  })
  .strict()

export const PIER_RANGES: Ranges<typeof PierFooting> = {
  count: { ...COUNTS, least: 1 },
  width: {
    in: 'small',
    least: 8,
    most: 36,
    why: 'form tubes are 8 to 36 in wide; DCA 6, table 4, has deck footings of 14 to 36 in',
  },
  depth: {
    in: 'small',
    least: 12,
    most: 96,
    why: 'a footing is at least 12 in below ground (IRC R403.1.4) and below frost, 5 ft in the north',
  },
  wastePercent: WASTE,
}

const tubes = (width: number): Record<System, Pack> => ({
  imperial: { key: `form-tube-${width}in-4ft`, item: `Form tube ${width} in, 4 ft`, net: 'ft', unit: 'each', holds: 4 },
  metric: {
    key: `form-tube-${width}mm-1.2m`,
    item: `Form tube ${width} mm, 1.2 m`,
    net: 'm',
    unit: 'each',
    holds: 1.2,
  },
})

/** Calculates round piers in form tubes. Concrete = count x pi / 4 x width^2 x depth; an 80 lb bag yields 0.6 ft3 (QUIKRETE). */
export function pierFooting(input: z.output<typeof PierFooting>, system: System): Takeoff {
  const perLength = SMALL_PER_LENGTH[system]
  const { count, wastePercent } = input
  const [width, depth] = [input.width / perLength, input.depth / perLength]
  const tube = tubes(input.width)[system]
  return {
    lines: [
      line(BAGS, system, count * (Math.PI / 4) * width ** 2 * depth, wasteOf(wastePercent, 10, CONCRETE_WASTE)),
      cutLine(tube, pieces(count, depth, tube.holds), CUT_TO_FIT),
      line(each('post-base-4x4', 'Post base 4x4'), system, count, COUNTED),
    ],
    assumptions: [
      'Straight round piers without a bell; their size follows the load and the soil (DCA 6, table 4), which is not checked.',
      `More than ${system === 'imperial' ? '45 bags make a cubic yard' : '85 bags make a cubic meter'}: ready-mix is then cheaper.`,
    ],
    notCounted: ['rebar', 'anchor bolts', 'excavation and gravel', 'posts'],
  }
}
