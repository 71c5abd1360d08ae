import * as z from 'zod'
import { BARS_SAID, rebar } from '../cutting'
import { count, line, long, SMALL_PER_LENGTH, type System, small, type Takeoff, wasteOf, wastePercent } from '../define'
import { EXTENT, type Ranges, WASTE } from '../plausible'
import { CONCRETE_WASTE, concreteVolume, READY_MIX } from './concrete-slab'

export const ConcreteFooting = z
  .object({
    kind: z.literal('concrete_footing'),
    length: long('Total length, measured on the center line'),
    width: small(),
    depth: small(),
    bars: count('Continuous bars of rebar'),
    wastePercent,
  })
  .strict()

export const FOOTING_RANGES: Ranges<typeof ConcreteFooting> = {
  length: EXTENT,
  width: {
    in: 'small',
    least: 8,
    most: 60,
    why: 'footings of houses are 12 to 49 in wide (IRC table R403.1), those of garden walls 8 in',
  },
  depth: {
    in: 'small',
    least: 6,
    most: 36,
    why: 'a footing is at least 6 in thick (IRC R403.1.1); depth below ground is not its thickness',
  },
  bars: { in: 'plain', least: 0, most: 8, why: 'a continuous footing has 2 to 4 bars, one of a large house 8' },
  wastePercent: WASTE,
}

/**
 * A strip footing. Volume = length x width x depth; yd3 = ft3 / 27 (NIST Handbook 44, appendix C). Bars run the
 * whole length in lapped pieces. Waste is 10 percent, as for a slab, because a footing poured in a trench fills any overdig.
 */
export function concreteFooting(input: z.output<typeof ConcreteFooting>, system: System): Takeoff {
  const { length, width, depth, bars, wastePercent } = input
  const perLength = SMALL_PER_LENGTH[system]
  const volume = concreteVolume(system, (length * width * depth) / perLength ** 2)
  const lines = [line(READY_MIX, system, volume, wasteOf(wastePercent, 10, CONCRETE_WASTE))]
  if (bars > 0) lines.push(rebar(system, [{ bars, length }]))
  return {
    lines,
    assumptions: [
      'One cross-section throughout; corners are counted once when the length is that of the center line.',
      ...(bars > 0 ? [BARS_SAID[system]] : []),
    ],
    notCounted: ['forms', 'excavation and backfill', 'dowels, corner bars and tie wire', 'short-load and pump fees'],
  }
}
