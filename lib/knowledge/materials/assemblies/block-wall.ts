import * as z from 'zod'
import { BARS_SAID, rebar } from '../cutting'
import {
  atSpacing,
  each,
  lessOpenings,
  line,
  long,
  noneOrArea,
  type Product,
  SMALL_PER_LENGTH,
  type System,
  small,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { EXTENT, PART, type Ranges, WASTE } from '../plausible'

export const BlockWall = z
  .object({
    kind: z.literal('block_wall'),
    length: long(),
    height: long(),
    openingsArea: noneOrArea('Openings to deduct'),
    rebarSpacing: small('Rebar spacing; no rebar when left out').optional(),
    wastePercent,
  })
  .strict()

export const BLOCK_RANGES: Ranges<typeof BlockWall> = {
  length: EXTENT,
  height: {
    in: 'long',
    least: 0.6,
    most: 20,
    why: 'block walls of houses are up to 10 ft high between floors (IRC R404.1), gables 20 ft',
  },
  openingsArea: PART,
  rebarSpacing: {
    in: 'small',
    least: 8,
    most: 72,
    why: 'bars stand in every cell (8 in) up to 72 in apart (IRC tables R404.1.1)',
  },
  wastePercent: WASTE,
}

/** Blocks of 8 x 8 x 16 in with joints of 3/8 in: 144 / 128 = 1.125 a ft2 (NCMA TEK 4-1A); 200 x 400 mm: 12.5 a m2. */
const PER_AREA: Record<System, number> = { imperial: 1.125, metric: 12.5 }
/** Blocks that a bag of mortar lays: 12 of 8 x 8 x 16 in from 80 lb, the lower of two published figures, so 8 from 25 kg (docs/materials.md, *Sources*). */
const MORTAR: Product = {
  imperial: { key: 'mortar-80lb', item: 'Mortar mix, 80 lb', net: 'each', unit: 'bag', holds: 12 },
  metric: { key: 'mortar-25kg', item: 'Mortar mix, 25 kg', net: 'each', unit: 'bag', holds: 8 },
}
const GROUT: Product = {
  imperial: { key: 'core-fill-80lb', item: 'Core-fill grout, 80 lb', net: 'ft3', unit: 'bag', holds: 0.6 },
  metric: { key: 'core-fill-25kg', item: 'Core-fill grout, 25 kg', net: 'm3', unit: 'bag', holds: 0.0117 },
}
/**
 * The grout of one cell by its height: the two cells of a block of 7-5/8 x 7-5/8 x 15-5/8 in are about 52 percent of it (docs/materials.md,
 * *Sources*), so they hold 472 in3 in 8 in of height: 0.205 ft3 a foot each, 0.019 m3 a meter.
 */
const CELL: Record<System, number> = { imperial: 0.205, metric: 0.019 }

/** A wall of 8 in (200 mm) block: blocks and mortar by area, upright bars at equal spacing in cells that are grouted. */
export function blockWall(input: z.output<typeof BlockWall>, system: System): Takeoff {
  const { length, height, openingsArea, rebarSpacing, wastePercent } = input
  const blocks = lessOpenings(length * height, openingsArea) * PER_AREA[system]
  const bars = rebarSpacing === undefined ? 0 : atSpacing(length, rebarSpacing / SMALL_PER_LENGTH[system])
  return {
    lines: [
      line(
        each(
          'block-8x8x16',
          system === 'imperial' ? 'Concrete block 8 x 8 x 16 in' : 'Concrete block 200 x 200 x 400 mm',
        ),
        system,
        blocks,
        wasteOf(wastePercent, 5, 'cuts and breakage'),
      ),
      line(MORTAR, system, blocks, { percent: 10, basis: 'what dries and drops' }),
      ...(bars > 0
        ? [
            rebar(system, [{ bars, length: height }]),
            line(GROUT, system, bars * height * CELL[system], { percent: 10, basis: 'spillage and overfilled joints' }),
          ]
        : []),
    ],
    assumptions: [
      'Hollow blocks of 8 in (200 mm) in running bond; halves, corners and caps are among the blocks.',
      ...(bars > 0 ? [BARS_SAID[system]] : []),
    ],
    notCounted: [
      'footing',
      'bond beams, lintels and joint reinforcement',
      'dowels',
      'damp-proofing and drainage',
      'scaffolds',
    ],
  }
}
