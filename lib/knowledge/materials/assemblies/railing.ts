import * as z from 'zod'
import { bestStock, CUT_TO_FIT, cutLine } from '../cutting'
import {
  atSpacing,
  COUNTED,
  each,
  LUMBER,
  line,
  long,
  type Pack,
  roundUp,
  type System,
  type Takeoff,
  wasteOf,
  wastePercent,
} from '../define'
import { EXTENT, type Ranges, WASTE } from '../plausible'

export const Railing = z
  .object({
    kind: z.literal('railing'),
    length: long('Length, along the slope on stairs'),
    postSpacing: long('Posts on center').optional(),
    wastePercent,
  })
  .strict()

export const RAILING_RANGES: Ranges<typeof Railing> = {
  length: EXTENT,
  postSpacing: {
    in: 'long',
    least: 2,
    most: 8,
    why: 'posts of guards are at most 6 ft apart (AWC DCA 6), of metal systems 8 ft',
  },
  wastePercent: WASTE,
}

/** Posts at most 6 ft apart (AWC DCA 6). Balusters of 1.5 in with gaps of 3.5 in, as openings stay below 4 in (IRC R312.1.3). */
const RULES: Record<System, { posts: number; baluster: number }> = {
  imperial: { posts: 6, baluster: 5 / 12 },
  metric: { posts: 1.8, baluster: 0.127 },
}
/** Rails of 2x4 at the top and the bottom, and a cap of 5/4x6 on them. */
const RAILS = 2

/** A wood guard 36 in (915 mm) high (IRC R312.1.2) on 4x4 posts: two rails, a cap and balusters. */
export function railing(input: z.output<typeof Railing>, system: System): Takeoff {
  const { length, postSpacing = RULES[system].posts } = input
  const posts = atSpacing(length, postSpacing)
  const [unit, railSize, capSize, balusterSize, postSize] =
    system === 'imperial' ? ['ft', '2x4', '5-4x6', '2x2', '4x4'] : ['m', '38x89', '140mm', '38 mm', '89 mm']
  const pack = (key: string, item: string, stock: number): Pack => ({
    key: `${key}-${stock}${unit}`,
    item: `${item}, ${stock} ${unit}`,
    net: unit,
    unit: 'each',
    holds: stock,
  })
  const rails = bestStock(RAILS, length, LUMBER[system], postSpacing)
  const cap = bestStock(1, length, LUMBER[system], postSpacing)
  const waste = wasteOf(input.wastePercent, 5, 'split and warped pieces')
  return {
    lines: [
      line(each('baluster-2x2', `Baluster ${balusterSize}`), system, roundUp(length / RULES[system].baluster), waste),
      line(each('railing-post-4x4', `Railing post ${postSize}, 4 ft 6 in`), system, posts, COUNTED),
      cutLine(pack(`fence-rail-${railSize}`, `Treated rail ${railSize}`, rails.stock), rails, CUT_TO_FIT),
      cutLine(pack(`decking-${capSize}`, `Deck board ${capSize}`, cap.stock), cap, CUT_TO_FIT),
      line(each('post-tension-tie', 'Post tension tie'), system, posts, COUNTED),
    ],
    assumptions: [
      'A guard 36 in (915 mm) high; some states and heights ask for 42 in.',
      'Openings below 4 in (102 mm) (IRC R312.1.3).',
    ],
    notCounted: ['graspable handrail of stairs (IRC R311.7.8)', 'blocking and bolts', 'screws', 'stain'],
  }
}
