import * as z from 'zod'
import {
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
import { EXTENT, PART, type Ranges, ROOM_HEIGHT, WASTE } from '../plausible'

export const Drywall = z
  .object({
    kind: z.literal('drywall'),
    wallLength: long('Total length of the walls, one side'),
    height: long(),
    ceilingArea: noneOrArea('Ceiling'),
    openingsArea: noneOrArea('Openings to deduct'),
    wastePercent,
  })
  .strict()

export const DRYWALL_RANGES: Ranges<typeof Drywall> = {
  wallLength: EXTENT,
  height: ROOM_HEIGHT,
  ceilingArea: PART,
  openingsArea: PART,
  wastePercent: WASTE,
}

const SHEET: Product = {
  imperial: { key: 'drywall-1-2-4x8', item: 'Drywall 1/2 in, 4 x 8 ft', net: 'ft2', unit: 'sheet', holds: 32 },
  metric: {
    key: 'drywall-12.5mm-1200x2400',
    item: 'Drywall 12.5 mm, 1.2 x 2.4 m',
    net: 'm2',
    unit: 'sheet',
    holds: 2.88,
  },
}
const COMPOUND: Product = {
  imperial: { key: 'joint-compound-4.5gal', item: 'Joint compound, 4.5 gal', net: 'gal', unit: 'bucket', holds: 4.5 },
  metric: { key: 'joint-compound-17l', item: 'Joint compound, 17 l', net: 'l', unit: 'bucket', holds: 17 },
}
const TAPE: Product = {
  imperial: { key: 'joint-tape-500ft', item: 'Joint tape, 500 ft', net: 'ft', unit: 'roll', holds: 500 },
  metric: { key: 'joint-tape-150m', item: 'Joint tape, 150 m', net: 'm', unit: 'roll', holds: 150 },
}
const SCREWS: Product = {
  imperial: { key: 'drywall-screws-1000', item: 'Drywall screws, box of 1,000', net: 'each', unit: 'box', holds: 1000 },
  metric: { key: 'drywall-screws-1000', item: 'Drywall screws, box of 1,000', net: 'each', unit: 'box', holds: 1000 },
}

/** The materials per ft2 or m2 of board: gallons or liters of compound, feet or meters of tape, number of screws. */
const PER_AREA: Record<System, { compound: number; tape: number; screws: number }> = {
  imperial: { compound: 0.0094, tape: 0.37, screws: 1.125 },
  metric: { compound: 0.383, tape: 1.214, screws: 12.11 },
}

/**
 * Calculates drywall on walls and ceilings, one side. Sheets = area / 32 ft2. Finishing per 1,000 ft2, from USG's published coverage:
 * 9.4 gal of ready-mixed all-purpose compound, 370 ft of tape; screws = area x 1.125 (vbhomerepair.com, Calculating Wall Studs, Drywall).
 * The metric factors are the same figures, converted.
 */
export function drywall(input: z.output<typeof Drywall>, system: System): Takeoff {
  const { wallLength, height, ceilingArea, openingsArea, wastePercent } = input
  const net = lessOpenings(wallLength * height + ceilingArea, openingsArea)
  const { compound, tape, screws } = PER_AREA[system]
  const finishing = { percent: 0, basis: 'the coverage allows for waste' }
  return {
    lines: [
      line(SHEET, system, net, wasteOf(wastePercent, 10, 'cuts; drywall estimators add 10 to 15 percent')),
      line(COMPOUND, system, net * compound, finishing),
      line(TAPE, system, net * tape, finishing),
      line(SCREWS, system, net * screws, finishing),
    ],
    assumptions: ['One layer on one side, finished to level 4; a partition has two sides, so give twice its length.'],
    notCounted: ['corner bead and trim', 'adhesive', 'texture, primer and paint', 'lifts and scaffolds'],
  }
}
