import { z } from 'zod'
import {
  atSpacing,
  count,
  lessOpenings,
  line,
  long,
  noneOrArea,
  type Product,
  SMALL_PER_LENGTH,
  type System,
  small,
  stockLength,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { COUNTS, PART, RUN, WASTE, type Ranges } from '../plausible'

export const FramedWall = z
  .object({
    kind: z.literal('framed_wall'),
    length: long('Length of wall'),
    height: long('Height, plates included'),
    lumber: z.enum(['2x4', '2x6']).default('2x4').describe('38 x 89 or 38 x 140 mm'),
    spacing: small('Stud spacing on center; 16 or 400 when left out').optional(),
    corners: count('Corners and joining walls'),
    openings: count('Doors and windows'),
    openingsArea: noneOrArea('Their area, for the sheathing'),
    sheathing: z.boolean().default(false).describe('Panels on one side'),
    wastePercent,
  })
  .strict()

export const WALL_RANGES: Ranges<typeof FramedWall> = {
  length: RUN,
  height: { in: 'long', least: 2, most: 20, why: 'studs are at most 10 ft long in bearing walls and 20 ft in others (IRC table R602.3(5)); a pony wall has 2 ft' },
  spacing: { in: 'small', least: 8, most: 24, why: 'studs are at most 24 in apart (IRC table R602.3(5))' },
  corners: COUNTS,
  openings: COUNTS,
  openingsArea: PART,
  wastePercent: WASTE,
}

const DEFAULT_SPACING: Record<System, number> = { imperial: 16, metric: 400 }
/** Three plates, each 1.5 in or 38 mm thick. */
const PLATES: Record<System, number> = { imperial: 4.5, metric: 114 }
const METRIC_SIZE = { '2x4': '38x89', '2x6': '38x140' }

const SHEATHING: Product = {
  imperial: { key: 'osb-7-16-4x8', item: 'OSB sheathing 7/16 in, 4 x 8 ft', net: 'ft2', unit: 'sheet', holds: 32 },
  metric: {
    key: 'osb-11mm-1200x2400',
    item: 'OSB sheathing 11 mm, 1.2 x 2.4 m',
    net: 'm2',
    unit: 'sheet',
    holds: 2.88,
  },
}

/** Lumber of one size and length, sold by the piece. */
const studs = (lumber: keyof typeof METRIC_SIZE, text: string): Product => ({
  imperial: { key: `stud-${lumber}-${text}`, item: `Stud ${lumber}, ${text}`, net: 'each', unit: 'each', holds: 1 },
  metric: {
    key: `stud-${METRIC_SIZE[lumber]}-${text}`,
    item: `Stud ${METRIC_SIZE[lumber]} mm, ${text}`,
    net: 'each',
    unit: 'each',
    holds: 1,
  },
})
const plates = (lumber: keyof typeof METRIC_SIZE): Product => ({
  imperial: { key: `plate-${lumber}-16ft`, item: `Plate ${lumber}, 16 ft`, net: 'ft', unit: 'each', holds: 16 },
  metric: {
    key: `plate-${METRIC_SIZE[lumber]}-4.8m`,
    item: `Plate ${METRIC_SIZE[lumber]} mm, 4.8 m`,
    net: 'm',
    unit: 'each',
    holds: 4.8,
  },
})

/**
 * A wood-framed wall. Studs = ceil(length / spacing) + 1, plus 2 per corner and 2 per opening; plates = 3 x length, for a bottom
 * plate and a double top plate (calculator.academy, Framing Calculator: L x 12 / OC + 1 + corners x Ec + openings x Eo, with Ec =
 * Eo = 2). Sheathing sheets = (area - openings) / 32 ft2.
 */
export function framedWall(input: z.output<typeof FramedWall>, system: System): Takeoff {
  const { length, height, lumber, corners, openings, openingsArea, sheathing } = input
  const spacing = (input.spacing ?? DEFAULT_SPACING[system]) / SMALL_PER_LENGTH[system]
  const number = atSpacing(length, spacing) + 2 * corners + 2 * openings
  const text = stockLength(system, height - PLATES[system] / SMALL_PER_LENGTH[system])
  const waste = wasteOf(input.wastePercent, 10, 'crooked and split pieces, blocking and offcuts')
  const lines = [line(studs(lumber, text), system, number, waste), line(plates(lumber), system, 3 * length, waste)]
  if (sheathing) {
    const net = lessOpenings(length * height, openingsArea)
    lines.push(line(SHEATHING, system, net, { percent: 10, basis: 'cuts at corners and openings' }))
  }
  return {
    lines,
    assumptions: [
      'Studs that would stand in an opening are used as cripples under and over it.',
      'One bottom plate and a double top plate.',
    ],
    notCounted: ['headers, sized by their load', 'nails and anchor bolts', 'fire blocking and bracing', 'house wrap'],
  }
}
