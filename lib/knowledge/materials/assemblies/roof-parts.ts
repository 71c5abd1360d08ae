import { line, type Product, roundUp, type System, type TakeoffLine } from '../define'
import { UNIT } from '../measures'
import { SHEATHING } from './framed-wall'

/** The geometry that parts of a roof are counted from, in ft or m. `overhang` is 0 where it is not known. */
export type RoofShape = {
  area: number
  plan: number
  ridge: number
  eaves: number
  valleys: number
  rise: number
  factor: number
  overhang: number
}

const NAIL_BOX = {
  key: 'roofing-nails-coil-7200',
  item: 'Coil roofing nails, 7,200',
  net: 'each',
  unit: 'box',
  holds: 7_200,
}
const NAILS: Product = { imperial: NAIL_BOX, metric: NAIL_BOX }
const VENT: Product = {
  imperial: { key: 'ridge-vent-4ft', item: 'Ridge vent, 4 ft', net: 'ft', unit: 'each', holds: 4 },
  metric: { key: 'ridge-vent-1.2m', item: 'Ridge vent, 1.2 m', net: 'm', unit: 'each', holds: 1.2 },
}
const BARRIER: Product = {
  imperial: {
    key: 'ice-water-shield-2sq',
    item: 'Ice and water shield, 3 x 66.7 ft',
    net: 'ft2',
    unit: 'roll',
    holds: 200,
  },
  metric: {
    key: 'ice-water-shield-18.6m2',
    item: 'Ice and water shield, 0.91 x 20.3 m',
    net: 'm2',
    unit: 'roll',
    holds: 18.6,
  },
}

/**
 * Shingles of 13-1/4 x 39-3/8 in with an exposure of 5-5/8 in: 100 x 144 / (39.375 x 5.625) = 65 a square, as makers of the metric
 * size state. Four nails each (IRC R905.2.6); in high wind six.
 */
const NAILS_PER_SQUARE = 65 * 4
const SQUARES: Record<System, number> = { imperial: 100, metric: 9.290304 }

/** Nails for the field of the roof; starter and caps take about a tenth more. */
export const nails = (system: System, { area }: RoofShape): TakeoffLine =>
  line(NAILS, system, (area / SQUARES[system]) * NAILS_PER_SQUARE, {
    percent: 15,
    basis: 'starter, caps and dropped nails',
  })

type Sizes = { inside: number; steep: number; roll: number; lap: number; overhang: number }
/**
 * The ice barrier's sizes: from the edge to 24 in inside the wall line, and on slopes from 8:12 at least 36 in up the slope (IRC R905.1.2);
 * rolls are 36 in wide.
 */
const ICE: Record<System, Sizes> = {
  imperial: { inside: 2, steep: 3, roll: 3, lap: 0.5, overhang: 1 },
  metric: { inside: 0.61, steep: 0.914, roll: 0.914, lap: 0.152, overhang: 0.305 },
}
const STEEP = 8

/** Calculates self-adhering sheet: at the eaves, in whole courses, and one course along each valley (IRC R905.1.2, R905.2.8.2). */
export function barrier(system: System, shape: RoofShape, atEaves: boolean): TakeoffLine {
  const { inside, steep, roll, lap, overhang } = ICE[system]
  const slope = ((shape.overhang || overhang) + inside) * shape.factor
  const reach = shape.rise >= STEEP ? Math.max(slope, steep) : slope
  const courses = reach <= roll ? 1 : 1 + roundUp((reach - roll) / (roll - lap))
  const area = (atEaves ? courses * roll * shape.eaves : 0) + roll * shape.valleys
  return line(BARRIER, system, area, { percent: 10, basis: 'end laps of 6 in and cuts' })
}

/** Returns the note on the barrier at the eaves. */
export const iceSaid = (system: System, overhang: number): string =>
  overhang > 0
    ? 'Ice barrier to 24 in (610 mm) inside the wall line (IRC R905.1.2).'
    : `Ice barrier to 24 in (610 mm) inside the wall line (IRC R905.1.2), over eaves of ${ICE[system].overhang} ${UNIT[system].long}; give overhang where they are deeper.`

/** Calculates vent along the ridge, in whole pieces. */
export const ridgeVent = (system: System, { ridge }: RoofShape): TakeoffLine =>
  line(VENT, system, ridge, { percent: 0, basis: 'counted in whole pieces' })

/** The net free area of ridge vent: 18 in2 per foot (GAF, Cobra 4 ft plastic ridge vents), in ft2 per ft and m2 per m. */
const FREE_AREA: Record<System, number> = { imperial: 18 / 144, metric: 0.0381 }
/** Vents need 1/300 of the attic's area, half of it at the ridge (IRC R806.2). */
const VENTED = 1 / 300

/** The ridge vent that an attic of this plan needs; told when the ridge is shorter. */
export function ventShortfall(system: System, { plan, ridge }: RoofShape): string[] {
  const needed = (plan * VENTED) / 2 / FREE_AREA[system]
  if (ridge >= needed) return []
  return [
    `The attic needs ${roundUp(needed)} ${UNIT[system].long} of ridge vent (IRC R806.2: 1/300 of its area, half at the ridge); the ridge has ${ridge.toFixed(1)} ${UNIT[system].long}, so other vents are needed too.`,
  ]
}

/** Panels of the roof deck. */
export const sheets = (system: System, { area }: RoofShape): TakeoffLine =>
  line(SHEATHING, system, area, { percent: 10, basis: 'cuts at rakes, ridge and valleys' })
