import { z } from 'zod'
import {
  atSpacing,
  COUNTED,
  line,
  long,
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

export const Deck = z
  .object({
    kind: z.literal('deck'),
    length: long('Length along the house; the boards run this way'),
    width: long('Width away from the house; the joists run this way'),
    boardWidth: small('Actual width of a board; 5.5 or 140 when left out').optional(),
    gap: z.number().min(0).max(50).optional().describe('Gap between boards; 1/8 in or 3 mm when left out'),
    joistSpacing: small('Joists on center; 16 or 400 when left out').optional(),
    wastePercent,
  })
  .strict()

const DEFAULTS: Record<System, { boardWidth: number; gap: number; spacing: number }> = {
  imperial: { boardWidth: 5.5, gap: 0.125, spacing: 16 },
  metric: { boardWidth: 140, gap: 3, spacing: 400 },
}
const BOARDS: Product = {
  imperial: { key: 'decking-5-4x6-16ft', item: 'Deck board 5/4x6, 16 ft', net: 'ft', unit: 'each', holds: 16 },
  metric: { key: 'decking-140mm-4.8m', item: 'Deck board 140 mm, 4.8 m', net: 'm', unit: 'each', holds: 4.8 },
}
const RIM: Product = {
  imperial: { key: 'joist-2x8-16ft', item: 'Treated 2x8, 16 ft', net: 'ft', unit: 'each', holds: 16 },
  metric: { key: 'joist-38x184-4.8m', item: 'Treated 38x184 mm, 4.8 m', net: 'm', unit: 'each', holds: 4.8 },
}
const joists = (text: string): Product => ({
  imperial: { key: `joist-2x8-${text}`, item: `Treated 2x8, ${text}`, net: 'each', unit: 'each', holds: 1 },
  metric: { key: `joist-38x184-${text}`, item: `Treated 38x184 mm, ${text}`, net: 'each', unit: 'each', holds: 1 },
})
const HANGER = { key: 'joist-hanger-2x8', item: 'Joist hanger 2x8', net: 'each', unit: 'each', holds: 1 }
const HANGERS: Product = { imperial: HANGER, metric: HANGER }
const SCREW_BOX = { key: 'deck-screws-350', item: 'Deck screws, box of 350', net: 'each', unit: 'box', holds: 350 }
const SCREWS: Product = { imperial: SCREW_BOX, metric: SCREW_BOX }

/**
 * Boards and joists of a rectangular deck. Rows = ceil(width / (board + gap)), each as long as the deck; joists = ceil(length /
 * spacing) + 1, with one hanger each at the ledger; ledger and rim = 2 x length; two screws wherever a board crosses a joist. The
 * parts come from the American Wood Council's DCA 6, Prescriptive Residential Wood Deck Construction Guide; the counts are
 * geometry.
 */
export function deck(input: z.output<typeof Deck>, system: System): Takeoff {
  const usual = DEFAULTS[system]
  const perLength = SMALL_PER_LENGTH[system]
  const { length, width, boardWidth = usual.boardWidth, gap = usual.gap, joistSpacing = usual.spacing } = input
  const rows = roundUp((width * perLength) / (boardWidth + gap))
  const number = atSpacing(length, joistSpacing / perLength)
  const cuts = { percent: 10, basis: 'end cuts' }
  return {
    lines: [
      line(BOARDS, system, rows * length, wasteOf(input.wastePercent, 10, 'end cuts and boards picked out')),
      line(joists(stockLength(system, width)), system, number, COUNTED),
      line(RIM, system, 2 * length, cuts),
      line(HANGERS, system, number, COUNTED),
      line(SCREWS, system, rows * number * 2, { percent: 5, basis: 'dropped and broken screws' }),
    ],
    assumptions: [
      'Joists of one span in 2x8 (38x184 mm); whether that size carries the span is not checked.',
      'Boards at right angles to the joists, joined over them.',
    ],
    notCounted: ['beams, posts and footings', 'stairs and railings', 'ledger bolts and flashing', 'stain'],
  }
}
