import * as z from 'zod'
import {
  count,
  lessOpenings,
  line,
  long,
  noneOrArea,
  type Product,
  type System,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { UNIT } from '../measures'
import { COUNTS, EXTENT, PART, type Ranges, ROOM_HEIGHT, WASTE } from '../plausible'

export const Paint = z
  .object({
    kind: z.literal('paint'),
    wallLength: long('Total length of the walls'),
    height: long(),
    ceilingArea: noneOrArea('Ceiling in the same paint'),
    doors: count('Doors to deduct'),
    windows: count('Windows to deduct'),
    coats: z.int().min(1).max(5).default(2),
    primer: z.boolean().default(false).describe('One coat of primer first'),
    wastePercent,
  })
  .strict()

export const PAINT_RANGES: Ranges<typeof Paint> = {
  wallLength: EXTENT,
  height: ROOM_HEIGHT,
  ceilingArea: PART,
  doors: COUNTS,
  windows: COUNTS,
  coats: { in: 'plain', least: 1, most: 5, why: 'paint takes 1 to 3 coats' },
  wastePercent: WASTE,
}

const PAINT: Product = {
  imperial: { key: 'paint-interior', item: 'Interior paint', net: 'ft2', unit: 'gal', holds: 350 },
  metric: { key: 'paint-interior', item: 'Interior paint', net: 'm2', unit: 'l', holds: 8.6 },
}
const PRIMER: Product = {
  imperial: { key: 'primer-interior', item: 'Interior primer', net: 'ft2', unit: 'gal', holds: 250 },
  metric: { key: 'primer-interior', item: 'Interior primer', net: 'm2', unit: 'l', holds: 6.1 },
}
/** What is published for a gallon, and the same for a liter. */
const COVERAGE: Record<System, { paint: string; primer: string }> = {
  imperial: { paint: '350 to 400 ft2 a gallon', primer: '200 to 300 ft2 a gallon' },
  metric: { paint: '8.6 to 9.8 m2 a liter', primer: '4.9 to 7.4 m2 a liter' },
}
/** Standard openings: 20 ft2 per door and 15 ft2 per window. */
const OPENINGS: Record<System, { door: number; window: number }> = {
  imperial: { door: 20, window: 15 },
  metric: { door: 1.86, window: 1.39 },
}

/**
 * Calculates paint on walls and ceilings. Area = length x height + ceiling - 20 ft2 per door - 15 ft2 per window (gatorpainter.com, Paint
 * Calculator); gallons = area x coats / 350 (dummies.com, Determining How Much Wall Paint You Need); primer covers 250 ft2, near the middle
 * of 200 to 300. A liter covers 8.6 m2, which is 350 ft2 per gallon, converted.
 */
export function paint(input: z.output<typeof Paint>, system: System): Takeoff {
  const { wallLength, height, ceilingArea, doors, windows, coats, primer, wastePercent } = input
  const { door, window } = OPENINGS[system]
  const net = lessOpenings(wallLength * height + ceilingArea, doors * door + windows * window)
  const waste = wasteOf(wastePercent, 0, `the coverage is the low end of ${COVERAGE[system].paint}`)
  const prime = { percent: 0, basis: `the coverage is the middle of ${COVERAGE[system].primer}` }
  return {
    lines: [line(PAINT, system, net * coats, waste), ...(primer ? [line(PRIMER, system, net, prime)] : [])],
    assumptions: [
      `${coats} coats on smooth walls; the net quantity is the area times the coats.`,
      `A door is ${door}, a window ${window} ${UNIT[system].area}.`,
    ],
    notCounted: ['trim, doors and windows', 'patching, caulk and tape', 'rollers, brushes and drop cloths'],
  }
}
