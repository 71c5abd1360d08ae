import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { bestStock, cutLine } from '../cutting'
import {
  atSpacing,
  COUNTED,
  each,
  LUMBER,
  line,
  long,
  type Pack,
  roundUp,
  SMALL_PER_LENGTH,
  type System,
  stockLength,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { UNIT } from '../measures'
import { type Ranges, WASTE } from '../plausible'

export const Stairs = z
  .object({
    kind: z.literal('stairs'),
    height: long('Total rise, from landing to landing'),
    width: long('Width of the stairs'),
    wastePercent,
  })
  .strict()

export const STAIR_RANGES: Ranges<typeof Stairs> = {
  height: { in: 'long', least: 0.5, most: 12.58, why: 'one flight rises at most 12 ft 7 in (IRC R311.7.3)' },
  width: { in: 'long', least: 3, most: 20, why: 'stairs are at least 36 in wide (IRC R311.7.1)' },
  wastePercent: WASTE,
}

/**
 * The limits for stairs: highest riser 7-3/4 in (196.85 mm), least tread 10 in (254 mm) (IRC R311.7.5); stringers at most 18 in apart (AWC
 * DCA 6, not confirmed: decks.com asks for 16).
 */
const RULES: Record<System, { riser: number; tread: number; stringers: number; cutSpan: number; flight: number }> = {
  imperial: { riser: 7.75, tread: 10, stringers: 1.5, cutSpan: 6, flight: 151 / 12 },
  metric: { riser: 196.85, tread: 254, stringers: 0.457, cutSpan: 1.83, flight: 3.835 },
}
const BOARDS_PER_TREAD = 2

/**
 * Calculates straight wood stairs of a deck. Risers = ceil(rise / 7-3/4 in), treads = risers - 1 of two 5/4x6 boards, stringers of treated
 * 2x12 at most 18 in apart, each cut from one piece: sqrt(rise^2 + run^2) and one tread more.
 * @throws ServiceError `bad_request` when the flight is higher than IRC R311.7.3 allows
 */
export function stairs(input: z.output<typeof Stairs>, system: System): Takeoff {
  const { height, width } = input
  const rules = RULES[system]
  if (height > rules.flight + 1e-9)
    throw new ServiceError(
      'bad_request',
      `A flight of stairs rises at most 12 ft 7 in (3.84 m) between landings (IRC R311.7.3). Give each flight as stairs of its own.`,
    )
  const perLength = SMALL_PER_LENGTH[system]
  const risers = Math.max(1, roundUp((height * perLength) / rules.riser))
  const treads = risers - 1
  const run = (treads * rules.tread) / perLength
  const stringers = atSpacing(width, rules.stringers)
  const text = stockLength(system, Math.hypot(run, height) + rules.tread / perLength)
  const boards = bestStock(treads * BOARDS_PER_TREAD, width, LUMBER[system])
  const [size, board, unit] = system === 'imperial' ? ['2x12', '5-4x6', 'ft'] : ['38x286', '140mm', 'm']
  const tread: Pack = {
    key: `decking-${board}-${boards.stock}${unit}`,
    item: `Deck board ${board}, ${boards.stock} ${unit}`,
    net: unit,
    unit: 'each',
    holds: boards.stock,
  }
  return {
    lines: [
      line(each(`joist-${size}-${text}`, `Treated ${size}, ${text}`), system, stringers, COUNTED),
      ...(treads > 0
        ? [cutLine(tread, boards, wasteOf(input.wastePercent, 5, 'boards picked out for splits and knots'))]
        : []),
      line(each('stringer-hanger', 'Stringer hanger'), system, stringers, COUNTED),
    ],
    assumptions: [
      `${risers} risers of ${((height * perLength) / risers).toFixed(2)} ${UNIT[system].small} and ${treads} treads of ${rules.tread} ${UNIT[system].small}; a level landing at both ends.`,
      `Stringers at most 18 in apart; some guides ask for 16 in, composite treads for 10 to 12 in: check the tread’s instructions.`,
      ...(run > rules.cutSpan
        ? ['Cut stringers span at most 6 ft (1.83 m) (AWC DCA 6): these need a support in between, or solid stringers.']
        : []),
      ...(risers >= 4 ? ['Four risers or more need a handrail (IRC R311.7.8): add a railing.'] : []),
    ],
    notCounted: ['handrails and guards (kind railing)', 'riser boards', 'screws', 'landing and its footing'],
  }
}
