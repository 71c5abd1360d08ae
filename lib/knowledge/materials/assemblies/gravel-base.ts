import * as z from 'zod'
import {
  line,
  long,
  type Product,
  SMALL_PER_LENGTH,
  type System,
  small,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { type Ranges, SIDE, WASTE } from '../plausible'

export const GravelBase = z
  .object({
    kind: z.literal('gravel_base'),
    length: long(),
    width: long(),
    depth: small('Depth once compacted'),
    fabric: z.boolean().default(false).describe('Geotextile under the base'),
    wastePercent,
  })
  .strict()

export const GRAVEL_RANGES: Ranges<typeof GravelBase> = {
  length: { ...SIDE, most: 1_000, why: 'a pad or driveway of a house is up to 1,000 ft (300 m) long' },
  width: SIDE,
  depth: {
    in: 'small',
    least: 2,
    most: 24,
    why: 'a base is 2 to 24 in thick once it is compacted, in lifts of 6 in (Ohio DOT, items 304 and 411)',
  },
  wastePercent: WASTE,
}

/**
 * The crushed base compacted on the roadway: 3,700 lb/yd3, which is 137 lb/ft3, 1.85 tons a cubic yard or 2.195 t/m3 (Washington State DOT,
 * Design Manual M 22-01, exhibit 620-1). Ohio DOT, item 411, has 3,800 for crushed stone and 3,400 for recycled concrete.
 */
const GRAVEL: Product = {
  imperial: { key: 'gravel-base', item: 'Crushed stone base', net: 'yd3', unit: 'ton', holds: 1 / 1.85, step: 0.5 },
  metric: { key: 'gravel-base', item: 'Crushed stone base', net: 'm3', unit: 'tonne', holds: 1 / 2.195, step: 0.5 },
}
const FABRIC: Product = {
  imperial: { key: 'geotextile-1000ft2', item: 'Geotextile, 1,000 ft2', net: 'ft2', unit: 'roll', holds: 1000 },
  metric: { key: 'geotextile-100m2', item: 'Geotextile, 100 m2', net: 'm2', unit: 'roll', holds: 100 },
}

/**
 * A compacted base. Volume in place = length x width x depth; yd3 = ft3 / 27 (NIST Handbook 44, appendix C). The order is by
 * weight, which compaction does not change, so the compacted density alone counts; 10 percent is for waste where material is
 * stockpiled (the same exhibit 620-1).
 */
export function gravelBase(input: z.output<typeof GravelBase>, system: System): Takeoff {
  const { length, width, depth, fabric, wastePercent } = input
  const volume = (length * width * depth) / SMALL_PER_LENGTH[system]
  const waste = wasteOf(
    wastePercent,
    10,
    'what stays at the stockpile and under the edges (WSDOT M 22-01, exhibit 620-1)',
  )
  const lines = [line(GRAVEL, system, system === 'imperial' ? volume / 27 : volume, waste)]
  if (fabric) lines.push(line(FABRIC, system, length * width, { percent: 15, basis: 'lapped joints' }))
  return {
    lines,
    assumptions: [
      `Dense-graded crushed base of ${system === 'imperial' ? '137 lb/ft3' : '2,195 kg/m3'} once compacted; open-graded stone such as no. 57 is a quarter lighter.`,
    ],
    notCounted: ['excavation and disposal', 'delivery', 'edging', 'compaction equipment'],
  }
}
