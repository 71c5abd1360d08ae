import type { Observation } from '@/db/queries/materials'
import { type System, type TakeoffLine, tidy } from './define'
import type { Assembly } from './takeoff'
import type { Wanted } from './total'

/** Items of the price book that are work and not material: `labor-roofing`, `labor-tile`. */
export const isLabor = (item: string): boolean => item.startsWith('labor-')

type Measure = [quantity: number, unit: string]
type Units = { ft: string; ft2: string }

/** Returns the measures a wall or fence is paid by: its length and its face. */
const run = (length: number, height: number, { ft, ft2 }: Units): Measure[] => [
  [length, ft],
  [length * height, ft2],
]

/** The measures that the work of an assembly is usually paid by, beside those of its materials. */
function measuresOf(assembly: Assembly, units: Units): Measure[] {
  switch (assembly.kind) {
    case 'concrete_slab':
    case 'gravel_base':
    case 'flooring':
    case 'deck':
      return [[assembly.length * assembly.width, units.ft2]]
    case 'framed_wall':
    case 'fence':
    case 'block_wall':
      return run(assembly.length, assembly.height, units)
    case 'concrete_footing':
    case 'gutters':
    case 'railing':
      return [[assembly.length, units.ft]]
    case 'windows_doors':
      return [[assembly.windows + assembly.doors, 'each']]
    case 'insulation':
    case 'tile':
      return [[assembly.area, units.ft2]]
    case 'fiber_cement_siding':
      return [[assembly.wallLength * assembly.height + assembly.gableArea - assembly.openingsArea, units.ft2]]
    case 'pier_footing':
      return [[assembly.count, 'each']]
    case 'stairs':
      return [[1, 'each']]
    default:
      return []
  }
}

const SYSTEM_UNITS = { imperial: { ft: 'ft', ft2: 'ft2' }, metric: { ft: 'm', ft2: 'm2' } }
const SQUARE_FT2 = 100

/** The measure of the main material: a roof's squares, a slab's yards. Paint counts the area of every coat, its work is paid by the area. */
function byMaterial(assembly: Assembly, main: TakeoffLine | undefined): Measure[] {
  if (!main || main.netUnit === 'each') return []
  const quantity = assembly.kind === 'paint' ? main.netQuantity / assembly.coats : main.netQuantity
  const squares: Measure[] = main.netUnit === 'square' ? [[quantity * SQUARE_FT2, 'ft2']] : []
  return [[quantity, main.netUnit], ...squares]
}

/**
 * The work of an assembly as the price book may have it: `labor-<kind>` by each unit that it can be paid in, of one unit the measure of the
 * work before that of the material. `lines` are those of its take-off, the main material first.
 */
export function laborOf(assembly: Assembly, lines: TakeoffLine[], system: System): Wanted[] {
  return [...measuresOf(assembly, SYSTEM_UNITS[system]), ...byMaterial(assembly, lines[0])].map(([quantity, unit]) => ({
    item: `labor-${assembly.kind.replaceAll('_', '-')}`,
    name: null,
    quantity: tidy(quantity),
    unit,
  }))
}

/** The labor that the book has a price for, in the unit of that price, and what has none. */
export type FoundLabor = { lines: Wanted[]; without: string[] }

/**
 * Chooses each assembly's labor by the unit of the book's newest price in the currency. `choices` has one list for each assembly;
 * `without` says what is missing, for people.
 */
export function laborInBook(choices: Wanted[][], seen: Observation[], currency: string): FoundLabor {
  const found: FoundLabor = { lines: [], without: [] }
  for (const units of choices) {
    const [first] = units
    if (!first) continue
    const prices = seen.filter((price) => price.item === first.item && price.currency === currency)
    const chosen = prices.flatMap(({ unit }) => units.filter((each) => each.unit === unit))[0]
    if (chosen) found.lines.push(chosen)
    else if (prices[0])
      found.without.push(`labor: ${first.item} is priced by ${prices[0].unit}; give it as a line with a quantity`)
    else found.without.push(`labor: the price book has no ${first.item}`)
  }
  return { lines: found.lines, without: [...new Set(found.without)] }
}
