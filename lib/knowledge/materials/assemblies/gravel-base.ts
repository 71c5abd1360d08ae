import { z } from 'zod'
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
import { SIDE, WASTE, type Ranges } from '../plausible'

export const GravelBase = z
  .object({
    kind: z.literal('gravel_base'),
    length: long('Length'),
    width: long('Width'),
    depth: small('Depth once compacted'),
    fabric: z.boolean().default(false).describe('Geotextile under the base'),
    wastePercent,
  })
  .strict()

export const GRAVEL_RANGES: Ranges<typeof GravelBase> = {
  length: { ...SIDE, most: 1_000, why: 'a pad or driveway of a house is up to 1,000 ft (300 m) long' },
  width: SIDE,
  depth: { in: 'small', least: 2, most: 24, why: 'a base is 2 to 24 in thick once it is compacted, in lifts of 6 in (Ohio DOT, items 304 and 411)' },
  wastePercent: WASTE,
}

/** Loose crushed stone: 100 lb/ft3, 1,602 kg/m3 (common density tables); 100 x 27 / 2,000 = 1.35 tons per cubic yard. */
const GRAVEL: Product = {
  imperial: { key: 'gravel-base', item: 'Crushed stone base', net: 'yd3', unit: 'ton', holds: 1 / 1.35, step: 0.5 },
  metric: { key: 'gravel-base', item: 'Crushed stone base', net: 'm3', unit: 'tonne', holds: 1 / 1.602, step: 0.5 },
}
const FABRIC: Product = {
  imperial: { key: 'geotextile-1000ft2', item: 'Geotextile, 1,000 ft2', net: 'ft2', unit: 'roll', holds: 1000 },
  metric: { key: 'geotextile-100m2', item: 'Geotextile, 100 m2', net: 'm2', unit: 'roll', holds: 100 },
}

/**
 * A compacted base. Volume in place = length x width x depth; yd3 = ft3 / 27 (NIST Handbook 44, appendix C). Stone is delivered
 * loose, so 15 percent is added, the middle of 10 to 20 percent (costflowai.com, Gravel Calculator Guide). The order is by weight.
 */
export function gravelBase(input: z.output<typeof GravelBase>, system: System): Takeoff {
  const { length, width, depth, fabric, wastePercent } = input
  const volume = (length * width * depth) / SMALL_PER_LENGTH[system]
  const compaction = wasteOf(wastePercent, 15, 'loose stone settles by 10 to 20 percent when it is compacted')
  const lines = [line(GRAVEL, system, system === 'imperial' ? volume / 27 : volume, compaction)]
  if (fabric) lines.push(line(FABRIC, system, length * width, { percent: 15, basis: 'lapped joints' }))
  return {
    lines,
    assumptions: [
      'Crushed stone of 100 lb/ft3 (1,602 kg/m3) loose; a supplier’s own weight per yard goes before this.',
    ],
    notCounted: ['excavation and disposal', 'delivery', 'edging', 'compaction equipment'],
  }
}
