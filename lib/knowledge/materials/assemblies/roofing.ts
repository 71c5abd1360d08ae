import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { line, long, OVERHANG, type Product, type System, type Takeoff, wasteOf, wastePercent } from '../define'
import { UNIT } from '../measures'
import { type Ranges, SIDE, WASTE } from '../plausible'
import { barrier, iceSaid, nails, ridgeVent, sheets, ventShortfall } from './roof-parts'

export const Roofing = z
  .object({
    kind: z.literal('roofing'),
    length: long('Plan length along the ridge, eaves’ edge to edge'),
    width: long('Plan width across the ridge, eaves’ edge to edge'),
    rise: z.number().min(0).max(24).describe('Pitch: rise per 12 of run, so 6 for 6/12'),
    shape: z.enum(['gable', 'hip']).default('gable'),
    overhang: z.number().min(0).max(10).default(0).describe(OVERHANG),
    valleys: z.number().min(0).max(10_000).default(0).describe('Total length of valleys, ft or m'),
    iceBarrier: z.boolean().default(false).describe('At the eaves'),
    ridgeVent: z.boolean().default(false),
    sheathing: z.boolean().default(false).describe('Panels'),
    wastePercent,
  })
  .strict()

export const ROOFING_RANGES: Ranges<typeof Roofing> = {
  length: SIDE,
  width: SIDE,
  rise: {
    in: 'plain',
    least: 0,
    most: 21,
    why: 'shingled roofs rise 2 to 21 per 12 of run (IRC R905.2.2 and R905.2.6)',
  },
  valleys: { in: 'long', least: 0, most: 400, why: 'the valleys of a house come to at most 400 ft' },
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
  imperial: { key: 'starter-strip', item: 'Starter strip, 100 ft', net: 'ft', unit: 'bundle', holds: 100 },
  metric: { key: 'starter-strip', item: 'Starter strip, 30 m', net: 'm', unit: 'bundle', holds: 30 },
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

/** Returns the surface area of a pitched roof per unit of plan area: sqrt(1 + (rise / run)^2), by Pythagoras. */
const pitchFactor = (rise: number, run = 12): number => Math.sqrt(1 + (rise / run) ** 2)

/** Lengths of ridge, hips, eaves and rakes. A hip runs at 45 degrees in plan: half the width x sqrt(2 + (rise/run)^2). */
function edges(shape: 'gable' | 'hip', length: number, width: number, rise: number) {
  if (shape === 'gable') return { ridge: length, hips: 0, eaves: 2 * length, rakes: 2 * width * pitchFactor(rise) }
  const [long, short] = [Math.max(length, width), Math.min(length, width)]
  const hip = (short / 2) * Math.sqrt(2 + (rise / 12) ** 2)
  return { ridge: long - short, hips: 4 * hip, eaves: 2 * (length + width), rakes: 0 }
}

/** The least rise per 12 for asphalt shingles, and that from which one layer of underlayment is enough (IRC R905.2.2). */
const SLOPES = { least: 2, single: 4 }

/**
 * Layers of underlayment under shingles: two from 2:12 to below 4:12 (IRC R905.2.2; table R905.1.1(2): sheets lapped by half).
 * @throws ServiceError `bad_request` below 2:12, where shingles are not allowed
 */
function underlaymentLayers(rise: number): 1 | 2 {
  if (rise >= SLOPES.least) return rise < SLOPES.single ? 2 : 1
  throw new ServiceError(
    'bad_request',
    `Asphalt shingles may not be used on a slope of ${rise}:12: IRC R905.2.2 asks for at least 2:12. Check the rise per 12 of run; a flatter roof needs a membrane, which is not calculated here.`,
  )
}

/** Lists what a roof needs too, less what the request has counted. */
const notCounted = ({ iceBarrier, valleys, sheathing }: z.output<typeof Roofing>, vent: boolean): string[] => [
  ...(iceBarrier ? [] : ['ice barrier at the eaves, where ice dams form']),
  ...(valleys > 0 ? [] : ['valleys']),
  `flashing${vent ? '' : ', ridge vent'}, other vents and pipe boots`,
  ...(sheathing ? [] : ['decking']),
  'tear-off and disposal',
]

/**
 * An asphalt shingle roof. Area = plan x sqrt(1 + (rise/run)^2); a square is 100 ft2, three bundles of 33.3 ft2. Caps cover 25 ft
 * per bundle (GAF Seal-A-Ridge), starter covers 100 ft per bundle (makers give 100 to 105), underlayment covers 10
 * squares per roll and lies double below 4:12. Starter and drip edge run along eaves and rakes. `roof-parts.ts` has the rest.
 */
export function roofing(input: z.output<typeof Roofing>, system: System): Takeoff {
  const { shape, rise, overhang, valleys, iceBarrier, sheathing } = input
  const layers = underlaymentLayers(rise)
  const [length, width] = [input.length + 2 * overhang, input.width + 2 * overhang]
  const factor = pitchFactor(rise)
  const area = length * width * factor
  const net = system === 'imperial' ? area / 100 : area
  const { ridge, hips, eaves, rakes } = edges(shape, length, width, rise)
  const roof = { area, plan: length * width, ridge, eaves, valleys, rise, factor, overhang }
  const vent = input.ridgeVent && ridge > 0
  const [percent, basis] =
    shape === 'gable' && valleys === 0
      ? [10, 'rakes and starts of courses on a plain gable']
      : [15, 'cuts at hips and valleys']
  const laps = { percent: 10, basis: 'laps and cuts' }
  const cuts = { percent: 5, basis: 'cuts and laps at the ends' }
  return {
    lines: [
      line(SHINGLES, system, net, wasteOf(input.wastePercent, percent, basis)),
      line(RIDGE, system, ridge + hips, cuts),
      line(STARTER, system, eaves + rakes, cuts),
      line(UNDERLAYMENT, system, net * layers, laps),
      line(DRIP_EDGE, system, eaves + rakes, laps),
      nails(system, roof),
      ...(iceBarrier || valleys > 0 ? [barrier(system, roof, iceBarrier)] : []),
      ...(vent ? [ridgeVent(system, roof)] : []),
      ...(sheathing ? [sheets(system, roof)] : []),
    ],
    assumptions: [
      `Both pitches are ${rise}/12, a factor of ${factor.toFixed(4)} on the plan.`,
      overhang === 0
        ? 'The plan reaches to the edges of the eaves; no overhang is added.'
        : `An overhang of ${overhang} ${UNIT[system].long} is added on every side.`,
      `${system === 'imperial' ? 'Three bundles make a square' : 'A bundle covers 3.1 m2'}; four nails a shingle, six in high wind.`,
      ...(layers === 2 ? ['Below 4:12 the underlayment lies double (IRC R905.2.2).'] : []),
      ...(iceBarrier ? [iceSaid(system, overhang)] : []),
      ...(vent ? ventShortfall(system, roof) : []),
    ],
    notCounted: notCounted(input, vent),
  }
}
