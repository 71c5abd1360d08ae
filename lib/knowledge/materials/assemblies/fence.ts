import * as z from 'zod'
import {
  atSpacing,
  COUNTED,
  count,
  each,
  line,
  long,
  PICKETS,
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
import { COUNTS, type Ranges, WASTE } from '../plausible'

export const Fence = z
  .object({
    kind: z.literal('fence'),
    length: long('Length of the run, gates included'),
    height: long('Height above ground'),
    postSpacing: long('Posts on center').optional(),
    rails: z.int().min(2).max(5).optional().describe('Rails in a section'),
    picketWidth: small().optional(),
    gap: z.number().min(0).max(200).default(0).describe('Gap between pickets, in or mm'),
    gates: count('Gates; each needs two posts more'),
    wastePercent,
  })
  .strict()

export const FENCE_RANGES: Ranges<typeof Fence> = {
  length: { in: 'long', least: 2, most: 5280, why: 'the fence of a lot is up to a mile long' },
  height: {
    in: 'long',
    least: 2,
    most: 10,
    why: 'fences are 3 to 8 ft high; one above 7 ft needs a permit (IRC R105.2)',
  },
  postSpacing: {
    in: 'long',
    least: 4,
    most: 10,
    why: 'posts stand 6 to 8 ft apart, as far as 8 and 10 ft rails reach',
  },
  rails: { in: 'plain', least: 2, most: 5, why: 'a section has 2 to 4 rails' },
  picketWidth: { in: 'small', least: 1, most: 12, why: 'pickets are 2.5 to 7.25 in wide' },
  gap: { in: 'small', least: 0, most: 8, why: 'gaps between pickets are at most about a picket wide' },
  gates: COUNTS,
  wastePercent: WASTE,
}

const DEFAULTS: Record<System, { spacing: number; picket: number; tall: number; post: number }> = {
  imperial: { spacing: 8, picket: 5.5, tall: 5, post: 3.5 },
  metric: { spacing: 2.4, picket: 140, tall: 1.5, post: 89 },
}
const SIZES: Record<System, { post: string; rail: string }> = {
  imperial: { post: '4x4', rail: '2x4' },
  metric: { post: '89 mm', rail: '38x89 mm' },
}
/** Bags of concrete for posts and piers: an 80 lb bag yields 0.6 ft3 (QUIKRETE, Concrete Mix). */
export const BAGS: Product = {
  imperial: { key: 'concrete-mix-80lb', item: 'Concrete mix, 80 lb', net: 'ft3', unit: 'bag', holds: 0.6 },
  metric: { key: 'concrete-mix-25kg', item: 'Concrete mix, 25 kg', net: 'm3', unit: 'bag', holds: 0.0117 },
}
/** Returns the concrete around a square post in a round hole three posts wide: (pi / 4 x (3 w)^2 - w^2) x depth. */
const aroundPost = (post: number, depth: number): number => ((Math.PI / 4) * 9 - 1) * post ** 2 * depth

/**
 * A picket fence on posts in concrete. Sections = ceil(length / spacing), posts = sections + 1 + 2 per gate, with a third of each
 * post in the ground; rails = sections x rails; pickets = ceil(length / (width + gap)) (geometry). Each hole is three posts wide, and an 80 lb bag yields 0.6 ft3 (QUIKRETE, Concrete Mix).
 */
export function fence(input: z.output<typeof Fence>, system: System): Takeoff {
  const usual = DEFAULTS[system]
  const perLength = SMALL_PER_LENGTH[system]
  const { length, height, postSpacing = usual.spacing, picketWidth = usual.picket, gap, gates } = input
  const { rails = height >= usual.tall ? 3 : 2 } = input
  const posts = atSpacing(length, postSpacing) + 2 * gates
  const buried = height / 2
  const post = stockLength(system, height + buried)
  const rail = stockLength(system, postSpacing)
  const picket = stockLength(system, height, PICKETS)
  const sizes = SIZES[system]
  const sections = roundUp(length / postSpacing)
  const waste = wasteOf(input.wastePercent, 5, 'split and warped pieces')
  return {
    lines: [
      line(each(`fence-post-4x4-${post}`, `Fence post ${sizes.post}, ${post}`), system, posts, COUNTED),
      line(each(`fence-rail-2x4-${rail}`, `Fence rail ${sizes.rail}, ${rail}`), system, sections * rails, waste),
      line(
        each(`fence-picket-${picket}`, `Fence picket, cut from ${picket}`),
        system,
        roundUp((length * perLength) / (picketWidth + gap)),
        waste,
      ),
      line(BAGS, system, posts * aroundPost(usual.post / perLength, buried), {
        percent: 10,
        basis: 'holes dug wider than planned',
      }),
    ],
    assumptions: [
      'A third of each post stands in the ground; where frost goes deeper, the post must too.',
      'Gates are clad with the same pickets.',
      `Posts ${postSpacing} ${UNIT[system].long} apart, ${rails} rails, pickets ${picketWidth} ${UNIT[system].small} wide.`,
    ],
    notCounted: [
      'gate frames, hinges and latches',
      'nails, screws and brackets',
      'gravel under the posts',
      'stain',
      'removal of an old fence',
    ],
  }
}
