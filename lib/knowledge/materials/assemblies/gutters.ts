import * as z from 'zod'
import {
  CORNERS,
  COUNTED,
  count,
  each,
  line,
  long,
  type Product,
  roundUp,
  type System,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { UNIT } from '../measures'
import { COUNTS, EXTENT, type Ranges, SURFACE, WASTE } from '../plausible'

export const Gutters = z
  .object({
    kind: z.literal('gutters'),
    length: long('Eaves with gutter'),
    height: long('Eaves above ground'),
    area: z.number().positive().max(1_000_000).optional().describe('Roof that drains into it, ft2 or m2'),
    downspouts: z.int().min(1).max(1_000).optional().describe('By length and area when left out'),
    corners: count(CORNERS),
    wastePercent,
  })
  .strict()

export const GUTTER_RANGES: Ranges<typeof Gutters> = {
  length: EXTENT,
  height: { in: 'long', least: 6, most: 40, why: 'eaves of houses are 7 to 40 ft above ground' },
  area: SURFACE,
  downspouts: { ...COUNTS, least: 1, most: 40, why: 'a house has at most about 40 downspouts' },
  corners: COUNTS,
  wastePercent: WASTE,
}

const GUTTER: Product = {
  imperial: { key: 'gutter-5in-10ft', item: 'Gutter 5 in K-style, 10 ft', net: 'ft', unit: 'each', holds: 10 },
  metric: { key: 'gutter-125mm-3m', item: 'Gutter 125 mm, 3 m', net: 'm', unit: 'each', holds: 3 },
}
const DOWNSPOUT_SIZE: Record<System, string> = { imperial: '2 x 3 in', metric: '50 x 75 mm' }
const DOWNSPOUT: Product = {
  imperial: { key: 'downspout-2x3-10ft', item: 'Downspout 2 x 3 in, 10 ft', net: 'ft', unit: 'each', holds: 10 },
  metric: { key: 'downspout-50x75mm-3m', item: 'Downspout 50 x 75 mm, 3 m', net: 'm', unit: 'each', holds: 3 },
}

/**
 * The spacing of hangers and of downspouts, and the roof that a downspout of 2 x 3 in drains: hangers at least every 3 ft, closer under
 * snow, so 2 ft here; downspouts 20 to 50 ft apart, so 40; 600 ft2 for each (City of Irving, Texas, Gutters & Downspouts; SMACNA sizes both
 * by rainfall).
 */
const SPACINGS: Record<System, { hanger: number; downspout: number; drains: number }> = {
  imperial: { hanger: 2, downspout: 40, drains: 600 },
  metric: { hanger: 0.61, downspout: 12.2, drains: 55.7 },
}
/** Fittings of one downspout: two elbows at the eave, one at the ground, and two straps. */
const ELBOWS = 3
const STRAPS = 2

/**
 * Gutters of 5 in and downspouts of 2 x 3 in. Hangers = ceil(length / spacing) + 1; downspouts as given, or as many as the length
 * and the roof's area need; each has an outlet, three elbows and two straps.
 */
export function gutters(input: z.output<typeof Gutters>, system: System): Takeoff {
  const { length, height, area = 0, corners, wastePercent } = input
  const usual = SPACINGS[system]
  const needed = Math.max(1, roundUp(length / usual.downspout), roundUp(area / usual.drains))
  const { downspouts = needed } = input
  return {
    lines: [
      line(GUTTER, system, length, wasteOf(wastePercent, 10, 'cuts and lapped joints')),
      line(each('gutter-hanger', 'Gutter hanger'), system, roundUp(length / usual.hanger) + 1, COUNTED),
      line(DOWNSPOUT, system, downspouts * height, { percent: 10, basis: 'cuts and joints' }),
      line(each('gutter-outlet', `Gutter outlet, ${DOWNSPOUT_SIZE[system]}`), system, downspouts, COUNTED),
      line(each('downspout-elbow', `Downspout elbow, ${DOWNSPOUT_SIZE[system]}`), system, downspouts * ELBOWS, COUNTED),
      line(each('downspout-strap', 'Downspout strap'), system, downspouts * STRAPS, COUNTED),
      ...(corners > 0 ? [line(each('gutter-corner', 'Gutter corner'), system, corners, COUNTED)] : []),
    ],
    assumptions: [
      `${downspouts} downspouts${input.downspouts === undefined ? `, one for each ${usual.downspout} ${UNIT[system].long} of gutter and ${usual.drains} ${UNIT[system].area} of roof` : ''}; heavy rain or a large roof needs gutters of 6 in (150 mm).`,
      'Hidden hangers every 2 ft (0.6 m).',
    ],
    notCounted: [
      'end caps, two for each run',
      'sealant and screws',
      'leaf guards',
      'splash blocks and drains',
      'fascia repair',
    ],
  }
}
