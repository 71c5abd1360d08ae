import { z } from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { line, long, type Product, type System, type Takeoff, wasteOf, wastePercent } from '../define'
import { SIDE, WASTE, type Ranges } from '../plausible'

export const Roofing = z
  .object({
    kind: z.literal('roofing'),
    length: long('Plan length along the ridge, eaves’ edge to edge'),
    width: long('Plan width across the ridge, eaves’ edge to edge'),
    rise: z.number().min(0).max(24).describe('Pitch: rise per 12 of run, so 6 for 6/12'),
    shape: z
      .enum(['gable', 'hip'])
      .default('gable')
      .describe('A hip roof of equal pitches, the ridge along the longer side'),
    overhang: z
      .number()
      .min(0)
      .max(10)
      .default(0)
      .describe('Added on every side where the plan is that of the walls, ft or m'),
    wastePercent,
  })
  .strict()

export const ROOFING_RANGES: Ranges<typeof Roofing> = {
  length: SIDE,
  width: SIDE,
  rise: { in: 'plain', least: 0, most: 21, why: 'shingled roofs rise 2 to 21 per 12 of run (IRC R905.2.2 and R905.2.6)' },
  overhang: { in: 'long', least: 0, most: 4, why: 'eaves overhang walls by at most 4 ft' },
  wastePercent: WASTE,
}

const SHINGLES: Product = {
  imperial: {
    key: 'shingle-architectural',
    item: 'Architectural shingles',
    net: 'square',
    unit: 'bundle',
    holds: 1 / 3,
  },
  metric: { key: 'shingle-architectural', item: 'Architectural shingles', net: 'm2', unit: 'bundle', holds: 3.1 },
}
const RIDGE: Product = {
  imperial: { key: 'ridge-cap', item: 'Hip and ridge cap, 25 ft', net: 'ft', unit: 'bundle', holds: 25 },
  metric: { key: 'ridge-cap', item: 'Hip and ridge cap, 7.6 m', net: 'm', unit: 'bundle', holds: 7.6 },
}
const STARTER: Product = {
  imperial: { key: 'starter-strip', item: 'Starter strip, 105 ft', net: 'ft', unit: 'bundle', holds: 105 },
  metric: { key: 'starter-strip', item: 'Starter strip, 32 m', net: 'm', unit: 'bundle', holds: 32 },
}
const UNDERLAYMENT: Product = {
  imperial: {
    key: 'underlayment-synthetic-10sq',
    item: 'Synthetic underlayment, 10 squares',
    net: 'square',
    unit: 'roll',
    holds: 10,
  },
  metric: {
    key: 'underlayment-synthetic-75m2',
    item: 'Synthetic underlayment, 75 m2',
    net: 'm2',
    unit: 'roll',
    holds: 75,
  },
}
const DRIP_EDGE: Product = {
  imperial: { key: 'drip-edge-10ft', item: 'Drip edge, 10 ft', net: 'ft', unit: 'each', holds: 10 },
  metric: { key: 'drip-edge-3m', item: 'Drip edge, 3 m', net: 'm', unit: 'each', holds: 3 },
}

/** Surface area of a pitched roof per unit of plan area: sqrt(1 + (rise / run)^2), by Pythagoras. */
export const pitchFactor = (rise: number, run = 12): number => Math.sqrt(1 + (rise / run) ** 2)

/**
 * Lengths of ridge plus hips, and of eaves plus rakes. A hip runs at 45 degrees in plan: half the width x sqrt(2 + (rise/run)^2).
 */
function edges(
  shape: 'gable' | 'hip',
  length: number,
  width: number,
  rise: number,
): { ridge: number; perimeter: number } {
  if (shape === 'gable') return { ridge: length, perimeter: 2 * length + 2 * width * pitchFactor(rise) }
  const [long, short] = [Math.max(length, width), Math.min(length, width)]
  const hip = (short / 2) * Math.sqrt(2 + (rise / 12) ** 2)
  return { ridge: long - short + 4 * hip, perimeter: 2 * (length + width) }
}

/** The least rise per 12 for asphalt shingles, and that from which one layer of underlayment is enough (IRC R905.2.2). */
const SLOPES = { least: 2, single: 4 }

/**
 * Layers of underlayment under shingles: two from 2:12 to below 4:12 (IRC R905.2.2; table R905.1.1(2): sheets lapped by half).
 * @throws ServiceError `bad_request` below 2:12, where shingles are not allowed
 */
export function underlaymentLayers(rise: number): 1 | 2 {
  if (rise >= SLOPES.least) return rise < SLOPES.single ? 2 : 1
  throw new ServiceError(
    'bad_request',
    `Asphalt shingles may not be used on a slope of ${rise}:12: IRC R905.2.2 asks for at least 2:12. Check the rise per 12 of run; a flatter roof needs a membrane, which is not calculated here.`,
  )
}

/**
 * An asphalt shingle roof. Area = plan x sqrt(1 + (rise/run)^2); a square is 100 ft2, three bundles of 33.3 ft2. Caps cover 25 ft
 * per bundle (GAF Seal-A-Ridge), starter covers 105 ft per bundle (engineerfix.com, How Many Linear Feet in a Bundle of Starter
 * Shingles: 100 to 105), underlayment covers 10 squares per roll and lies double below 4:12. Starter and drip edge run along eaves and rakes.
 */
export function roofing(input: z.output<typeof Roofing>, system: System): Takeoff {
  const { shape, rise, overhang } = input
  const layers = underlaymentLayers(rise)
  const [length, width] = [input.length + 2 * overhang, input.width + 2 * overhang]
  const surface = length * width * pitchFactor(rise)
  const net = system === 'imperial' ? surface / 100 : surface
  const { ridge, perimeter } = edges(shape, length, width, rise)
  const [percent, basis] =
    shape === 'gable' ? [10, 'rakes and starts of courses on a plain gable'] : [15, 'cuts at hips']
  const laps = { percent: 10, basis: 'laps and cuts' }
  const cuts = { percent: 5, basis: 'cuts and laps at the ends' }
  return {
    lines: [
      line(SHINGLES, system, net, wasteOf(input.wastePercent, percent, basis)),
      line(RIDGE, system, ridge, cuts),
      line(STARTER, system, perimeter, cuts),
      line(UNDERLAYMENT, system, net * layers, laps),
      line(DRIP_EDGE, system, perimeter, laps),
    ],
    assumptions: [
      `Both pitches are ${rise}/12, a factor of ${pitchFactor(rise).toFixed(4)} on the plan.`,
      overhang === 0
        ? 'The plan reaches to the edges of the eaves; no overhang is added.'
        : `An overhang of ${overhang} is added on every side.`,
      'Three bundles make a square.',
      ...(layers === 2 ? ['Below 4:12 the underlayment lies double (IRC R905.2.2).'] : []),
    ],
    notCounted: [
      'nails',
      'ice barrier and valley lining',
      'flashing, vents and pipe boots',
      'decking',
      'tear-off and disposal',
    ],
  }
}
