import * as z from 'zod'
import {
  CORNERS,
  COUNTED,
  lessOpenings,
  line,
  long,
  noneOrArea,
  type Product,
  roundUp,
  type System,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { COUNTS, EXTENT, PART, type Ranges, WASTE } from '../plausible'

export const Siding = z
  .object({
    kind: z.literal('siding'),
    wallLength: long('Total length of the walls'),
    height: long('Height of the walls, without gables'),
    gableArea: noneOrArea('Gables: half of width x rise each'),
    openingsArea: noneOrArea('Doors and windows'),
    openingsPerimeter: z.number().min(0).max(10_000).default(0).describe('Edges of the openings, ft or m'),
    corners: z.int().min(0).max(100).default(4).describe(CORNERS),
    wastePercent,
  })
  .strict()

export const SIDING_RANGES: Ranges<typeof Siding> = {
  wallLength: EXTENT,
  height: {
    in: 'long',
    least: 4,
    most: 40,
    why: 'walls of houses are 8 to 40 ft high: three stories at most under the IRC (R101.2)',
  },
  gableArea: PART,
  openingsArea: PART,
  openingsPerimeter: { ...EXTENT, least: 0 },
  corners: COUNTS,
  wastePercent: WASTE,
}

const PANELS: Product = {
  imperial: { key: 'siding-vinyl', item: 'Vinyl siding', net: 'square', unit: 'square', holds: 1 },
  metric: { key: 'siding-vinyl', item: 'Vinyl siding', net: 'm2', unit: 'm2', holds: 1 },
}
const STARTER: Product = {
  imperial: {
    key: 'siding-starter-12.5ft',
    item: 'Siding starter strip, 12 ft 6 in',
    net: 'ft',
    unit: 'each',
    holds: 12.5,
  },
  metric: { key: 'siding-starter-3.8m', item: 'Siding starter strip, 3.8 m', net: 'm', unit: 'each', holds: 3.8 },
}
const J_CHANNEL: Product = {
  imperial: { key: 'siding-j-channel-12.5ft', item: 'J-channel, 12 ft 6 in', net: 'ft', unit: 'each', holds: 12.5 },
  metric: { key: 'siding-j-channel-3.8m', item: 'J-channel, 3.8 m', net: 'm', unit: 'each', holds: 3.8 },
}
const CORNER: Product = {
  imperial: { key: 'siding-corner-10ft', item: 'Outside corner post, 10 ft', net: 'each', unit: 'each', holds: 1 },
  metric: { key: 'siding-corner-3m', item: 'Outside corner post, 3 m', net: 'each', unit: 'each', holds: 1 },
}
const POST_LENGTH: Record<System, number> = { imperial: 10, metric: 3 }
export const WRAP: Product = {
  imperial: { key: 'house-wrap-900ft2', item: 'House wrap, 9 x 100 ft', net: 'ft2', unit: 'roll', holds: 900 },
  metric: { key: 'house-wrap-150m2', item: 'House wrap, 3 x 50 m', net: 'm2', unit: 'roll', holds: 150 },
}

/**
 * Calculates vinyl siding. Area = wall length x height + gables - openings; a square is 100 ft2. Starter strip runs along the bottom of the
 * walls, J-channel runs around openings, and corner posts stack up to the wall's height. The counts are plain geometry; the parts come from
 * the Vinyl Siding Institute's installation manual. House wrap covers the gross area, because windows are cut out of it.
 */
export function siding(input: z.output<typeof Siding>, system: System): Takeoff {
  const { wallLength, height, gableArea, openingsArea, openingsPerimeter, corners, wastePercent } = input
  const gross = wallLength * height + gableArea
  const surface = lessOpenings(gross, openingsArea)
  const trim = { percent: 10, basis: 'cuts and laps' }
  const posts = corners * roundUp(height / POST_LENGTH[system])
  const waste = wasteOf(wastePercent, 10, 'cuts at openings, corners and gables, and overlaps')
  return {
    lines: [
      line(PANELS, system, system === 'imperial' ? surface / 100 : surface, waste),
      line(STARTER, system, wallLength, trim),
      ...(openingsPerimeter > 0 ? [line(J_CHANNEL, system, openingsPerimeter, trim)] : []),
      ...(posts > 0 ? [line(CORNER, system, posts, COUNTED)] : []),
      line(WRAP, system, gross, { percent: 15, basis: 'lapped joints' }),
    ],
    assumptions: ['Corner posts are joined above one length of post.', 'One color and profile on all walls.'],
    notCounted: [
      ...(openingsArea > 0 && openingsPerimeter === 0 ? ['J-channel around the openings: give openingsPerimeter'] : []),
      'soffit and fascia',
      'utility and undersill trim',
      'J-channel at gables',
      'nails and tape',
      'removal of the old siding',
    ],
  }
}
