import * as z from 'zod'
import { bestStock, CUT_TO_FIT, cutLine } from '../cutting'
import {
  CORNERS,
  each,
  lessOpenings,
  line,
  long,
  noneOrArea,
  type Pack,
  type Product,
  SMALL_PER_LENGTH,
  type System,
  small,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { UNIT } from '../measures'
import { COUNTS, EXTENT, PART, type Ranges, WASTE } from '../plausible'
import { SIDING_RANGES, WRAP } from './siding'

export const FiberCement = z
  .object({
    kind: z.literal('fiber_cement_siding'),
    wallLength: long('Total length of the walls'),
    height: long('Height of the walls, without gables'),
    gableArea: noneOrArea('Gables'),
    openingsArea: noneOrArea('Doors and windows'),
    openingsPerimeter: z.number().min(0).max(10_000).default(0).describe('Edges of the openings, ft or m'),
    corners: z.int().min(0).max(100).default(4).describe(CORNERS),
    boardWidth: small().optional(),
    wastePercent,
  })
  .strict()

export const FIBER_CEMENT_RANGES: Ranges<typeof FiberCement> = {
  wallLength: EXTENT,
  height: SIDING_RANGES.height,
  gableArea: PART,
  openingsArea: PART,
  openingsPerimeter: { ...EXTENT, least: 0 },
  corners: COUNTS,
  boardWidth: {
    in: 'small',
    least: 5,
    most: 12.5,
    why: 'fiber-cement lap siding is 5-1/4 to 12 in wide (James Hardie, HardiePlank)',
  },
  wastePercent: WASTE,
}

/** The boards of HardiePlank lap siding: 12 ft (3,657 mm) long, 8-1/4 in (210 mm) usual, lapped by at least 1-1/4 in (32 mm) (James Hardie). */
const BOARD: Record<System, { length: number; width: number; lap: number; studs: number; trim: number }> = {
  imperial: { length: 12, width: 8.25, lap: 1.25, studs: 4 / 3, trim: 12 },
  metric: { length: 3.657, width: 210, lap: 32, studs: 0.4, trim: 3.657 },
}
const TRIM: Record<System, Pack> = {
  imperial: {
    key: 'fiber-cement-trim-4-12ft',
    item: 'Fiber-cement trim 5/4 x 3.5 in, 12 ft',
    net: 'ft',
    unit: 'each',
    holds: 12,
  },
  metric: {
    key: 'fiber-cement-trim-90mm-3.66m',
    item: 'Fiber-cement trim 90 mm, 3.66 m',
    net: 'm',
    unit: 'each',
    holds: 3.657,
  },
}
const NAIL_BOX = {
  key: 'siding-nails-1000',
  item: 'Siding nails, box of 1,000',
  net: 'each',
  unit: 'box',
  holds: 1_000,
}
const NAILS: Product = { imperial: NAIL_BOX, metric: NAIL_BOX }

const planks = (system: System, width: number): Product => {
  const text = system === 'imperial' ? `${width}in-12ft` : `${width}mm-3.66m`
  const pack = {
    key: `fiber-cement-lap-${text}`,
    item: `Fiber-cement lap siding, ${text.replace('-', ', ')}`,
    net: 'each',
    unit: 'each',
    holds: 1,
  }
  return { imperial: pack, metric: pack }
}

/**
 * Calculates fiber-cement lap siding. Boards = area / (length x exposure), exposure = width - 1-1/4 in, and one board for each 6 or so
 * strips of starter; a nail at each stud; a flashing behind each joint; two trim boards at each outside corner and trim around openings
 * (James Hardie, HardiePlank installation instructions). House wrap covers the gross area.
 */
export function fiberCement(input: z.output<typeof FiberCement>, system: System): Takeoff {
  const board = BOARD[system]
  const { wallLength, height, gableArea, openingsArea, openingsPerimeter, corners, boardWidth = board.width } = input
  const unit = UNIT[system].small
  const gross = wallLength * height + gableArea
  const surface = lessOpenings(gross, openingsArea)
  const exposure = (boardWidth - board.lap) / SMALL_PER_LENGTH[system]
  const field = surface / (board.length * exposure)
  const starter = wallLength / board.length / Math.floor(boardWidth / board.lap)
  const sides = bestStock(2 * corners, height, [board.trim])
  const around = bestStock(openingsPerimeter > 0 ? 1 : 0, openingsPerimeter, [board.trim])
  const trim = { count: sides.count + around.count, placed: sides.placed + around.placed }
  return {
    lines: [
      line(
        planks(system, boardWidth),
        system,
        field + starter,
        wasteOf(input.wastePercent, 10, 'cuts at openings, corners and gables'),
      ),
      line(NAILS, system, field * (board.length / board.studs + 1), { percent: 5, basis: 'dropped and bent nails' }),
      line(each('joint-flashing', 'Joint flashing, 6 in'), system, field, { percent: 5, basis: 'damaged pieces' }),
      ...(trim.count > 0 ? [cutLine(TRIM[system], trim, CUT_TO_FIT)] : []),
      line(WRAP, system, gross, { percent: 15, basis: 'lapped joints' }),
    ],
    assumptions: [
      `Boards ${boardWidth} ${unit} wide, ${Number((boardWidth - board.lap).toFixed(2))} ${unit} to the weather; studs 16 in (400 mm) on center.`,
      'Starter strips are ripped from boards.',
    ],
    notCounted: [
      ...(openingsArea > 0 && openingsPerimeter === 0 ? ['trim around the openings: give openingsPerimeter'] : []),
      'caulk and touch-up paint',
      'soffit and fascia',
      'flashing at openings',
      'removal of the old siding',
      'scaffolds',
    ],
  }
}
