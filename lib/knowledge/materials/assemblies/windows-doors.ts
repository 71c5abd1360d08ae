import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { CUT_TO_FIT, cutLine, pieces } from '../cutting'
import {
  COUNTED,
  count,
  each,
  line,
  long,
  type Product,
  type System,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { COUNTS, type Ranges, WASTE } from '../plausible'

export const WindowsDoors = z
  .object({
    kind: z.literal('windows_doors'),
    windows: count('Windows'),
    doors: count('Exterior doors'),
    openingWidth: long('Average width of an opening'),
    height: long('Average height of an opening'),
    wastePercent,
  })
  .strict()

export const OPENING_RANGES: Ranges<typeof WindowsDoors> = {
  windows: COUNTS,
  doors: COUNTS,
  openingWidth: { in: 'long', least: 1, most: 18, why: 'windows and doors are 1 to 16 ft wide' },
  height: {
    in: 'long',
    least: 1,
    most: 10,
    why: 'windows and doors are 1 to 10 ft high; an exit door has 6 ft 8 in (IRC R311.2)',
  },
  wastePercent: WASTE,
}

const TAPE: Product = {
  imperial: { key: 'flashing-tape-4in-75ft', item: 'Flashing tape 4 in, 75 ft', net: 'ft', unit: 'roll', holds: 75 },
  metric: {
    key: 'flashing-tape-100mm-22.9m',
    item: 'Flashing tape 100 mm, 22.9 m',
    net: 'm',
    unit: 'roll',
    holds: 22.9,
  },
}
/** A 10.1 oz tube holds 18.2 in3 (298 ml); a round bead of 3/8 in, as ASTM E2112 asks behind a flange, takes 0.1104 in2: 13.7 ft. */
const SEALANT: Product = {
  imperial: { key: 'sealant-10oz', item: 'Exterior sealant, 10.1 oz', net: 'ft', unit: 'tube', holds: 13.7 },
  metric: { key: 'sealant-300ml', item: 'Exterior sealant, 300 ml', net: 'm', unit: 'tube', holds: 4.18 },
}
const CAP: Product = {
  imperial: { key: 'drip-cap-10ft', item: 'Drip cap, 10 ft', net: 'ft', unit: 'each', holds: 10 },
  metric: { key: 'drip-cap-3m', item: 'Drip cap, 3 m', net: 'm', unit: 'each', holds: 3 },
}
/** The reach of flashing past each end of its side of the opening: 6 in (0.15 m). */
const PAST: Record<System, number> = { imperial: 0.5, metric: 0.15 }

/**
 * Calculates the setting of windows and exterior doors with flanges in a framed wall: flashing tape on all four sides, reaching past the
 * corners, a bead of sealant behind the flange, a drip cap over the head (ASTM E2112, method A; IRC R703.4).
 */
export function windowsDoors(input: z.output<typeof WindowsDoors>, system: System): Takeoff {
  const { windows, doors, openingWidth, height, wastePercent } = input
  const units = windows + doors
  if (units === 0) throw new ServiceError('bad_request', 'There is nothing to set. Give windows, doors or both.')
  const past = PAST[system]
  const around = 2 * (openingWidth + height)
  return {
    lines: [
      ...(windows > 0 ? [line(each('window', 'Window, as specified'), system, windows, COUNTED)] : []),
      ...(doors > 0
        ? [line(each('door-exterior', 'Exterior door, prehung, as specified'), system, doors, COUNTED)]
        : []),
      line(TAPE, system, units * (around + 8 * past), wasteOf(wastePercent, 5, 'cuts')),
      line(SEALANT, system, units * around, { percent: 10, basis: 'what stays in the tube' }),
      cutLine(CAP[system], pieces(units, openingWidth + past, CAP[system].holds), CUT_TO_FIT),
    ],
    assumptions: [
      'All units of the average size, with flanges, in a framed wall with house wrap.',
      'Windows and doors are counted, not sized: their prices are those of the units chosen.',
    ],
    notCounted: [
      'shims, nails and foam',
      'interior and exterior trim',
      'hardware and locks',
      'removal of the old units',
      'safety glazing (IRC R308.4)',
    ],
  }
}
