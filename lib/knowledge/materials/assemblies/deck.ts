import * as z from 'zod'
import { ServiceError } from '@/lib/core/errors'
import { bestStock, CUT_TO_FIT, cutLine } from '../cutting'
import {
  atSpacing,
  COUNTED,
  LUMBER,
  LUMBER_SAID,
  line,
  long,
  OVERHANG,
  type Pack,
  type Product,
  roundUp,
  SMALL_PER_LENGTH,
  type System,
  small,
  stockLength,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { UNIT } from '../measures'
import { type Ranges, SIDE, WASTE } from '../plausible'
import { JOISTS, type Joist, joistFor, SPECIES } from '../spans'

export const Deck = z
  .object({
    kind: z.literal('deck'),
    length: long('Length along the house; the boards run this way'),
    width: long('Width away from the house; the joists run this way'),
    overhang: z.number().min(0).max(10).default(0).describe(OVERHANG),
    lumber: z.enum(JOISTS).optional().describe(LUMBER_SAID),
    species: z.enum(SPECIES).optional().describe('Of the joists'),
    boardWidth: small('Actual width of a board; 5.5 or 140 when left out').optional(),
    gap: z.number().min(0).max(50).optional().describe('Gap between boards; 1/8 in or 3 mm when left out'),
    joistSpacing: small('Joists on center').optional(),
    wastePercent,
  })
  .strict()

export const DECK_RANGES: Ranges<typeof Deck> = {
  length: SIDE,
  width: { ...SIDE, most: 60, why: 'decks reach up to 60 ft (18 m) away from a house, with beams in between' },
  overhang: { in: 'long', least: 0, most: 4.5, why: 'joists of 18 ft reach at most a quarter of that beyond a beam' },
  boardWidth: { in: 'small', least: 2.5, most: 12, why: 'deck boards are 3.5 to 11.25 in wide' },
  gap: { in: 'small', least: 0, most: 0.5, why: 'deck boards are laid with gaps of 1/8 to 1/4 in' },
  joistSpacing: { in: 'small', least: 8, most: 24, why: 'deck joists are 12 to 24 in apart (AWC DCA 6, table 2)' },
  wastePercent: WASTE,
}

const DEFAULTS: Record<System, { boardWidth: number; gap: number; spacing: number }> = {
  imperial: { boardWidth: 5.5, gap: 0.125, spacing: 16 },
  metric: { boardWidth: 140, gap: 3, spacing: 400 },
}
/** Joists may reach beyond the beam by a quarter of their span (DCA 6, table 2, note 3). */
const LONGEST_OVERHANG = 1 / 4

const METRIC_SIZE: Record<Joist, string> = { '2x6': '38x140', '2x8': '38x184', '2x10': '38x235', '2x12': '38x286' }
const BOARDS: Record<System, (length: number) => Pack> = {
  imperial: (length) => ({
    key: `decking-5-4x6-${length}ft`,
    item: `Deck board 5/4x6, ${length} ft`,
    net: 'ft',
    unit: 'each',
    holds: length,
  }),
  metric: (length) => ({
    key: `decking-140mm-${length}m`,
    item: `Deck board 140 mm, ${length} m`,
    net: 'm',
    unit: 'each',
    holds: length,
  }),
}
const rims = (size: Joist, length: number): Record<System, Pack> => {
  const metric = METRIC_SIZE[size]
  return {
    imperial: {
      key: `joist-${size}-${length}ft`,
      item: `Treated ${size}, ${length} ft`,
      net: 'ft',
      unit: 'each',
      holds: length,
    },
    metric: {
      key: `joist-${metric}-${length}m`,
      item: `Treated ${metric} mm, ${length} m`,
      net: 'm',
      unit: 'each',
      holds: length,
    },
  }
}
const joists = (size: Joist, text: string): Product => {
  const metric = METRIC_SIZE[size]
  return {
    imperial: { key: `joist-${size}-${text}`, item: `Treated ${size}, ${text}`, net: 'each', unit: 'each', holds: 1 },
    metric: {
      key: `joist-${metric}-${text}`,
      item: `Treated ${metric} mm, ${text}`,
      net: 'each',
      unit: 'each',
      holds: 1,
    },
  }
}
const hangers = (size: Joist): Product => {
  const hanger = { key: `joist-hanger-${size}`, item: `Joist hanger ${size}`, net: 'each', unit: 'each', holds: 1 }
  return { imperial: hanger, metric: { ...hanger, item: `Joist hanger ${METRIC_SIZE[size]} mm` } }
}
const SCREW_BOX = { key: 'deck-screws-350', item: 'Deck screws, box of 350', net: 'each', unit: 'box', holds: 350 }
const SCREWS: Product = { imperial: SCREW_BOX, metric: SCREW_BOX }

/** Checks that the joists do not reach too far beyond the beam. @throws ServiceError `bad_request` */
function requireOverhang(width: number, overhang: number, system: System): void {
  if (overhang <= (width - overhang) * LONGEST_OVERHANG + 1e-9) return
  throw new ServiceError(
    'bad_request',
    `An overhang of ${overhang} ${UNIT[system].long} is more than a quarter of the joists’ span (AWC DCA 6, table 2, note 3). Move the beam outward and give the new overhang.`,
  )
}

/**
 * Boards and joists of a rectangular deck. Rows = ceil(width / (board + gap)), each as long as the deck, cut
 * from the stock length that leaves least over and joined over joists; joists = ceil(length /
 * spacing) + 1, with one hanger each at the ledger; ledger and rim in whole pieces; two screws wherever a board crosses a joist. The
 * parts and the joists' spans come from the American Wood Council's DCA 6, Prescriptive Residential Wood Deck Construction Guide;
 * the counts are geometry.
 */
export function deck(input: z.output<typeof Deck>, system: System): Takeoff {
  const usual = DEFAULTS[system]
  const perLength = SMALL_PER_LENGTH[system]
  const { length, width, overhang, lumber, species } = input
  const { boardWidth = usual.boardWidth, gap = usual.gap, joistSpacing = usual.spacing } = input
  requireOverhang(width, overhang, system)
  const size = joistFor({ span: width - overhang, spacing: joistSpacing, joist: lumber, species, system })
  const rows = roundUp((width * perLength) / (boardWidth + gap))
  const spacing = joistSpacing / perLength
  const number = atSpacing(length, spacing)
  const boards = bestStock(rows, length, LUMBER[system], spacing)
  const rim = bestStock(2, length, LUMBER[system])
  const culls = wasteOf(
    input.wastePercent,
    5,
    'boards picked out for splits and knots; cuts are in the count of boards',
  )
  return {
    lines: [
      cutLine(BOARDS[system](boards.stock), boards, culls),
      line(joists(size, stockLength(system, width)), system, number, COUNTED),
      cutLine(rims(size, rim.stock)[system], rim, CUT_TO_FIT),
      line(hangers(size), system, number, COUNTED),
      line(SCREWS, system, rows * number * 2, { percent: 5, basis: 'dropped and broken screws' }),
    ],
    assumptions: [
      `Joists of one span in ${system === 'imperial' ? size : `${METRIC_SIZE[size]} mm`}, ${joistSpacing} ${UNIT[system].small} on center, within AWC DCA 6, table 2: 40 psf live and 10 psf dead load, grade no. 2, ${species ? species.replace('_', ' ') : 'any of its species'}; not for hot tubs or drifting snow.`,
      overhang === 0
        ? 'The beam stands under the ends of the joists.'
        : `The joists reach ${overhang} ${UNIT[system].long} beyond the beam.`,
      `Boards of ${boards.stock} ${UNIT[system].long}, the length that leaves least over, at right angles to the joists and joined over them.`,
    ],
    notCounted: ['beams, posts and footings', 'stairs and railings', 'ledger bolts and flashing', 'stain'],
  }
}
