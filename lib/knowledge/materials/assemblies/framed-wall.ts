import * as z from 'zod'
import { bestStock, CUT_TO_FIT, cutLine } from '../cutting'
import {
  atSpacing,
  CORNERS,
  count,
  LUMBER,
  LUMBER_SAID,
  lessOpenings,
  line,
  long,
  noneOrArea,
  type Product,
  SMALL_PER_LENGTH,
  type System,
  small,
  type Takeoff,
  type TakeoffLine,
  wasteOf,
  wastePercent,
} from '../define'
import { UNIT } from '../measures'
import { COUNTS, EXTENT, PART, type Ranges, WASTE } from '../plausible'
import { NARROWEST, requireHeight, requireRoom, studText } from './studs'

const HEADERS = ['2x6', '2x8', '2x10', '2x12'] as const

export const FramedWall = z
  .object({
    kind: z.literal('framed_wall'),
    length: long('Length of wall'),
    height: long('Height, plates included'),
    lumber: z.enum(['2x4', '2x6']).default('2x4').describe(LUMBER_SAID),
    spacing: small('Studs or joists on center').optional(),
    corners: count(CORNERS),
    openings: count('Doors and windows'),
    openingsArea: noneOrArea('Doors and windows'),
    openingWidth: long('Average width of an opening').optional(),
    header: z.enum(HEADERS).optional().describe('Two-ply headers, by the plans'),
    treatedSill: z.boolean().default(false).describe('Bottom plate on concrete'),
    sheathing: z.boolean().default(false).describe('Panels on one side'),
    wastePercent,
  })
  .strict()

export const WALL_RANGES: Ranges<typeof FramedWall> = {
  length: EXTENT,
  height: {
    in: 'long',
    least: 2,
    most: 20,
    why: 'studs are at most 10 ft long in bearing walls and 20 ft in others (IRC table R602.3(5)); a pony wall has 2 ft',
  },
  spacing: { in: 'small', least: 8, most: 24, why: 'studs are at most 24 in apart (IRC table R602.3(5))' },
  corners: COUNTS,
  openings: COUNTS,
  openingsArea: PART,
  openingWidth: {
    in: 'long',
    least: 1.5,
    most: 18,
    why: 'openings are 2 to 18 ft wide, from a window to a garage door',
  },
  wastePercent: WASTE,
}

const DEFAULT_SPACING: Record<System, number> = { imperial: 16, metric: 400 }
/** Heights of three plates, each 1.5 in or 38 mm thick. */
const PLATES: Record<System, number> = { imperial: 4.5, metric: 114 }
const METRIC_SIZE = { '2x4': '38x89', '2x6': '38x140' }

/** Panels for walls and roofs. */
export const SHEATHING: Product = {
  imperial: { key: 'osb-7-16-4x8', item: 'OSB sheathing 7/16 in, 4 x 8 ft', net: 'ft2', unit: 'sheet', holds: 32 },
  metric: {
    key: 'osb-11mm-1200x2400',
    item: 'OSB sheathing 11 mm, 1.2 x 2.4 m',
    net: 'm2',
    unit: 'sheet',
    holds: 2.88,
  },
}

/** Returns lumber of one size and length, sold by the piece. */
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
const plates = (lumber: keyof typeof METRIC_SIZE, treated = false): Product => {
  const [prefix, name] = treated ? ['plate-treated', 'Treated plate'] : ['plate', 'Plate']
  const metric = METRIC_SIZE[lumber]
  return {
    imperial: { key: `${prefix}-${lumber}-16ft`, item: `${name} ${lumber}, 16 ft`, net: 'ft', unit: 'each', holds: 16 },
    metric: {
      key: `${prefix}-${metric}-4.8m`,
      item: `${name} ${metric} mm, 4.8 m`,
      net: 'm',
      unit: 'each',
      holds: 4.8,
    },
  }
}

/** The bearing of a header: 1.5 in (38 mm) at each end (IRC R602.7 and R502.6). */
const BEARING: Record<System, number> = { imperial: 0.25, metric: 0.076 }
const HEADER_SIZE = { '2x6': '38x140', '2x8': '38x184', '2x10': '38x235', '2x12': '38x286' }

/** Calculates two plies over each opening, cut from the stock length that leaves the least over. */
function headers(header: keyof typeof HEADER_SIZE, openings: number, width: number, system: System): TakeoffLine {
  const cut = bestStock(2 * openings, width + BEARING[system], LUMBER[system])
  const [size, unit] = system === 'imperial' ? [header, 'ft'] : [HEADER_SIZE[header], 'm']
  const pack = {
    key: `header-${size}-${cut.stock}${unit}`,
    item: `Header ${size}${system === 'metric' ? ' mm' : ''}, ${cut.stock} ${unit}`,
    net: unit,
    unit: 'each',
    holds: cut.stock,
  }
  return cutLine(pack, cut, CUT_TO_FIT)
}

/**
 * A wood-framed wall. Studs = ceil(length / spacing) + 1, plus 2 per corner and 2 per opening (a king and a jack stud more than the
 * studs that an opening displaces, IRC R602.7.5); plates = 3 x length, for a bottom plate and a double top plate (IRC R602.3.2 and
 * R602.3.4), the bottom one treated where it stands on concrete (IRC R317.1). Headers of two plies bear 1.5 in at each end.
 * Sheathing sheets = (area - openings) / 32 ft2.
 */
export function framedWall(input: z.output<typeof FramedWall>, system: System): Takeoff {
  const { length, height, lumber, corners, openings, openingsArea, openingWidth, header, treatedSill, sheathing } =
    input
  requireHeight(lumber, height, system)
  requireRoom(length, openings, openingWidth ?? NARROWEST[system])
  const spacing = (input.spacing ?? DEFAULT_SPACING[system]) / SMALL_PER_LENGTH[system]
  const number = atSpacing(length, spacing) + 2 * corners + 2 * openings
  const text = studText(system, height - PLATES[system] / SMALL_PER_LENGTH[system])
  const waste = wasteOf(input.wastePercent, 10, 'crooked and split pieces, blocking and offcuts')
  const lines = [
    line(studs(lumber, text), system, number, waste),
    line(plates(lumber), system, (treatedSill ? 2 : 3) * length, waste),
  ]
  if (treatedSill) lines.push(line(plates(lumber, true), system, length, waste))
  const counted = header !== undefined && openingWidth !== undefined && openings > 0
  if (counted) lines.push(headers(header, openings, openingWidth, system))
  if (sheathing) {
    const net = lessOpenings(length * height, openingsArea)
    lines.push(line(SHEATHING, system, net, { percent: 10, basis: 'cuts at corners and openings' }))
  }
  return {
    lines,
    assumptions: [
      `Studs ${input.spacing ?? DEFAULT_SPACING[system]} ${UNIT[system].small} on center.`,
      'Studs that would stand in an opening are used as cripples under and over it.',
      treatedSill
        ? 'A treated bottom plate and a double top plate.'
        : 'One bottom plate, untreated, and a double top plate.',
      ...(counted ? ['Headers of two plies of the size given; whether it carries the load is not checked.'] : []),
    ],
    notCounted: [
      ...(corners > 0 ? [] : ['studs of corners: give corners']),
      ...(openingsArea > 0 && openings === 0 ? ['studs beside the openings: give openings'] : []),
      ...(counted ? [] : ['headers, sized by their load: give openings, openingWidth and header']),
      'nails and anchor bolts',
      'fire blocking and bracing',
      'house wrap',
    ],
  }
}
