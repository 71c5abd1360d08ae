import * as z from 'zod'
import { area, line, type Product, type System, small, type Takeoff, wasteOf, wastePercent } from '../define'
import { UNIT } from '../measures'
import { BOX, type Ranges, SURFACE, WASTE } from '../plausible'

export const Tile = z
  .object({
    kind: z.literal('tile'),
    area: area('Surface'),
    tileLength: small(),
    tileWidth: small(),
    thickness: small().optional(),
    joint: small('Width of the joints').optional(),
    layout: z.enum(['straight', 'diagonal']).default('straight'),
    boxArea: area('What a box or bag covers').optional(),
    wastePercent,
  })
  .strict()

export const TILE_RANGES: Ranges<typeof Tile> = {
  area: SURFACE,
  tileLength: {
    in: 'small',
    least: 0.5,
    most: 130,
    why: 'tiles are 1/2 in (mosaic) to 126 in (gauged panels) long (ANSI A137.1 and A137.3)',
  },
  tileWidth: {
    in: 'small',
    least: 0.5,
    most: 65,
    why: 'tiles are 1/2 in (mosaic) to 63 in (gauged panels) wide (ANSI A137.1 and A137.3)',
  },
  thickness: {
    in: 'small',
    least: 0.125,
    most: 1.25,
    why: 'tiles are 1/8 to 1-1/4 in thick (ANSI A137.1, ANSI A137.3)',
  },
  joint: { in: 'small', least: 0.0625, most: 0.75, why: 'joints are 1/16 to 3/4 in wide (ANSI A108.02, 4.3.8)' },
  boxArea: BOX,
  wastePercent: WASTE,
}

const DEFAULTS: Record<System, { thickness: number; joint: number }> = {
  imperial: { thickness: 0.375, joint: 0.125 },
  metric: { thickness: 9, joint: 3 },
}
const tiles = (step: number): Product => ({
  imperial: { key: 'tile', item: 'Tile', net: 'ft2', unit: 'ft2', holds: 1, step },
  metric: { key: 'tile', item: 'Tile', net: 'm2', unit: 'm2', holds: 1, step },
})
/**
 * The mortar by the notch that a tile needs. `below`: the longest side of the tile in inches, 15 in being where a tile is large format
 * (ANSI A108.02). Coverage of a 50 lb bag in ft2 is the low end of what is published for the notch: 80 to 100, 60 to 80, and 35 to 50,
 * where sources differ (docs/materials.md, *Sources*).
 */
const NOTCHES = [
  { below: 8, notch: '1/4 x 1/4 in (6 x 6 mm)', coverage: 80 },
  { below: 15, notch: '1/4 x 3/8 in (6 x 10 mm)', coverage: 60 },
  { below: Number.POSITIVE_INFINITY, notch: '1/2 x 1/2 in (12 x 12 mm)', coverage: 35 },
]
/** Conversions: 1 ft2 = 0.09290304 m2; a bag of 20 kg is 44.09 lb. */
const M2_PER_FT2 = 0.09290304
const BAG_20KG = 44.0925 / 50

/** The notch for a tile's longest side, in inches, and what a bag of mortar covers with it. */
function mortarFor(longest: number): { notch: string; mortar: Product } {
  const { notch, coverage } = NOTCHES.find(({ below }) => longest < below - 1e-9) ?? { notch: '', coverage: 35 }
  const metric = coverage * M2_PER_FT2 * BAG_20KG
  return {
    notch,
    mortar: {
      imperial: { key: 'thinset-50lb', item: 'Thin-set mortar, 50 lb', net: 'ft2', unit: 'bag', holds: coverage },
      metric: { key: 'thinset-20kg', item: 'Thin-set mortar, 20 kg', net: 'm2', unit: 'bag', holds: metric },
    },
  }
}
const GROUT: Product = {
  imperial: { key: 'grout-25lb', item: 'Grout, 25 lb', net: 'lb', unit: 'bag', holds: 25 },
  metric: { key: 'grout-5kg', item: 'Grout, 5 kg', net: 'kg', unit: 'bag', holds: 5 },
}
const MM_PER_IN = 25.4
/** Converts kg/m2 to lb/ft2: 2.204623 / 10.76391. */
const LB_PER_FT2 = 0.204816

/**
 * Returns grout in kg/m2 = (A + B) / (A x B) x C x D x 1.6, all in mm, where A and B are the tile's sides, C its thickness and D the joint
 * width (MAPEI, technical data sheets of Keracolor and Ultracolor Plus).
 */
const groutPerM2 = (a: number, b: number, thickness: number, joint: number): number =>
  ((a + b) / (a * b)) * thickness * joint * 1.6

/**
 * Calculates tile, mortar and grout. Tile is by area plus 10 percent for a straight layout or 15 for a diagonal one. Mortar goes by the
 * notch that the tile's longest side needs. Grout follows MAPEI's formula.
 */
export function tile(input: z.output<typeof Tile>, system: System): Takeoff {
  const usual = DEFAULTS[system]
  const { tileLength, tileWidth, thickness = usual.thickness, joint = usual.joint, layout, boxArea = 1 } = input
  const mm = system === 'imperial' ? MM_PER_IN : 1
  const perM2 = groutPerM2(tileLength * mm, tileWidth * mm, thickness * mm, joint * mm)
  const { notch, mortar } = mortarFor((Math.max(tileLength, tileWidth) * mm) / MM_PER_IN)
  const waste =
    layout === 'straight'
      ? wasteOf(input.wastePercent, 10, 'cuts and breakage')
      : wasteOf(input.wastePercent, 15, 'diagonal cuts')
  return {
    lines: [
      line(tiles(boxArea), system, input.area, waste),
      line(mortar, system, input.area, { percent: 10, basis: 'uneven backing' }),
      line(GROUT, system, input.area * perM2 * (system === 'imperial' ? LB_PER_FT2 : 1), {
        percent: 10,
        basis: 'what is washed off',
      }),
    ],
    assumptions: [
      input.boxArea === undefined
        ? 'Tile by area; round up to whole boxes.'
        : `Whole boxes of ${boxArea} ${UNIT[system].area} each.`,
      `Tiles ${thickness} ${UNIT[system].small} thick with joints of ${joint} ${UNIT[system].small}.`,
      `Mortar for a notch of ${notch}, by the tile’s longest side; back-buttering and an uneven floor take more.`,
    ],
    notCounted: ['backer board and waterproofing', 'edge trim', 'spacers and leveling clips', 'sealer'],
  }
}
