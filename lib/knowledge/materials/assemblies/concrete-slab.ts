import * as z from 'zod'
import { BARS_SAID, coverOf, rebar } from '../cutting'
import {
  atSpacing,
  line,
  long,
  type Product,
  SMALL_PER_LENGTH,
  type System,
  small,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { type Ranges, SIDE, WASTE } from '../plausible'

export const ConcreteSlab = z
  .object({
    kind: z.literal('concrete_slab'),
    length: long(),
    width: long(),
    thickness: small(),
    rebarSpacing: small('Spacing of a rebar grid both ways; no rebar when left out').optional(),
    vaporRetarder: z.boolean().default(false).describe('Sheet under the slab'),
    wastePercent,
  })
  .strict()

export const SLAB_RANGES: Ranges<typeof ConcreteSlab> = {
  length: SIDE,
  width: SIDE,
  thickness: {
    in: 'small',
    least: 3.5,
    most: 14,
    why: 'a slab on the ground is at least 3.5 in thick (IRC R506.1), and one above 14 in is a mat that an engineer designs',
  },
  rebarSpacing: {
    in: 'small',
    least: 6,
    most: 24,
    why: 'bars of a slab are at most 18 in or five slab thicknesses apart (ACI 318, 24.4.3.3), in light work 24 in, and at least 6 in',
  },
  wastePercent: WASTE,
}

/** The ready mix as sold: by the quarter yard, or by the tenth of a cubic meter. */
export const READY_MIX: Product = {
  imperial: { key: 'concrete-ready-mix', item: 'Ready-mix concrete', net: 'yd3', unit: 'yd3', holds: 1, step: 0.25 },
  metric: { key: 'concrete-ready-mix', item: 'Ready-mix concrete', net: 'm3', unit: 'm3', holds: 1, step: 0.1 },
}
const RETARDER: Product = {
  imperial: {
    key: 'vapor-retarder-10mil',
    item: 'Vapor retarder 10 mil, 1,000 ft2',
    net: 'ft2',
    unit: 'roll',
    holds: 1000,
  },
  metric: { key: 'vapor-retarder-100m2', item: 'Vapor retarder 0.25 mm, 100 m2', net: 'm2', unit: 'roll', holds: 100 },
}

export const CONCRETE_WASTE =
  'uneven subgrade, spillage and spreading forms, the causes named in NRMCA Concrete in Practice 8; 1/8 in more in a 4 in slab is 3 percent already'

/** Returns concrete in the unit it is sold in: cubic yards (27 ft3 each, NIST Handbook 44, appendix C) or cubic meters. */
export const concreteVolume = (system: System, volume: number): number => (system === 'imperial' ? volume / 27 : volume)

/**
 * A slab on the ground. Volume = length x width x thickness; yd3 = ft3 / 27 (NIST Handbook 44, appendix C). Grid: bars
 * from cover to cover, ceil((width - cover) / spacing) + 1 of them and the same in the other direction, in whole lapped pieces.
 */
export function concreteSlab(input: z.output<typeof ConcreteSlab>, system: System): Takeoff {
  const { length, width, thickness, rebarSpacing, vaporRetarder, wastePercent } = input
  const perLength = SMALL_PER_LENGTH[system]
  const volume = concreteVolume(system, (length * width * thickness) / perLength)
  const lines = [line(READY_MIX, system, volume, wasteOf(wastePercent, 10, CONCRETE_WASTE))]
  if (rebarSpacing !== undefined) {
    const within = (side: number) => Math.max(side - 2 * coverOf(system), 0)
    const bars = (across: number) => atSpacing(within(across), rebarSpacing / perLength)
    lines.push(
      rebar(system, [
        { bars: bars(width), length: within(length) },
        { bars: bars(length), length: within(width) },
      ]),
    )
  }
  if (vaporRetarder)
    lines.push(line(RETARDER, system, length * width, { percent: 15, basis: 'lapped joints and turned-up edges' }))
  return {
    lines,
    assumptions: [
      'A rectangle of even thickness on a prepared base; thickened edges are taken off as footings.',
      ...(rebarSpacing === undefined ? [] : [BARS_SAID[system]]),
    ],
    notCounted: [
      'forms and stakes',
      'excavation and base',
      'rebar chairs and tie wire',
      'curing, joints and finishing',
      'short-load and pump fees',
    ],
  }
}
