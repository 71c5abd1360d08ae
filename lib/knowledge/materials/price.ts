import type { Observation } from '@/db/queries/materials'
import { percentOf, thousandths, timesQuantity } from '@/lib/core/cents'
import { canonicalUnit } from '@/lib/core/units'
import { isLabor } from './labor'
import { type Quote, quoteOf, type Range } from './quote'

/** A quantity of an item to price. Without a unit, the unit of its newest price applies. */
export type ToPrice = { item: string; name: string | null; quantity: number; unit: string | null }

export type PricedLine = ToPrice & Quote & { name: string; unit: string; total: Range }
export type MissingLine = ToPrice & { reason: string }

/** What a project costs, in cents. `tax` is on the materials' cost, or on cost and markup. */
export type PricedProject = {
  lines: PricedLine[]
  missing: MissingLine[]
  materials: Range
  /** Lines of the book's labor prices; neither marked up nor taxed. */
  labor: Range
  markup: Range
  tax: Range
  total: Range
}

/** How prices become a total. Percents have at most three decimals. */
export type Terms = {
  currency: string
  asOf: string
  region: string | undefined
  markupPercent: number
  taxPercent: number
  taxOn: 'materials' | 'materials_and_markup'
}

const each = (make: (bound: keyof Range) => bigint): Range => ({
  low: make('low'),
  expected: make('expected'),
  high: make('high'),
})
const sum = (ranges: Range[]): Range => each((bound) => ranges.reduce((total, range) => total + range[bound], 0n))
const percent = (range: Range, value: number): Range => each((bound) => percentOf(range[bound], thousandths(value)))

const listed = (values: string[]) => [...new Set(values)].sort().join(', ')

/** Returns a line's price, or the reason it has none. `seen` holds the item's prices, newest first. */
function priceLine(line: ToPrice, seen: Observation[], { currency, asOf, region }: Terms): PricedLine | MissingLine {
  if (seen.length === 0)
    return { ...line, reason: region === undefined ? 'not in the price book' : `not in the price book for ${region}` }
  const inCurrency = seen.filter((price) => price.currency === currency)
  const [newest] = inCurrency
  if (!newest) return { ...line, reason: `priced in ${listed(seen.map((price) => price.currency))} only` }
  const unit = line.unit === null ? newest.unit : canonicalUnit(line.unit)
  const quote = quoteOf(
    inCurrency.filter((price) => price.unit === unit),
    asOf,
  )
  if (!quote) return { ...line, reason: `priced by ${listed(inCurrency.map((price) => price.unit))}, not by ${unit}` }
  const quantity = thousandths(line.quantity)
  const total = each((bound) => timesQuantity(quote.unitCost[bound], quantity))
  return { ...line, ...quote, name: newest.name, unit, total }
}

/**
 * Prices lines from observed prices, all in whole cents. A line is unit cost x quantity, rounded half up to the cent; materials are
 * the sum of the lines without labor; markup and tax are percents of sums of materials, each rounded once. Lines without a price are left out of every sum.
 */
export function priceProject(lines: ToPrice[], observations: Observation[], terms: Terms): PricedProject {
  const byItem = new Map<string, Observation[]>()
  for (const observation of observations) {
    const seen = byItem.get(observation.item)
    if (seen) seen.push(observation)
    else byItem.set(observation.item, [observation])
  }
  const priced: PricedLine[] = []
  const missing: MissingLine[] = []
  for (const line of lines) {
    const answer = priceLine(line, byItem.get(line.item) ?? [], terms)
    if ('reason' in answer) missing.push(answer)
    else priced.push(answer)
  }
  const sumOf = (labor: boolean) => sum(priced.filter(({ item }) => isLabor(item) === labor).map(({ total }) => total))
  const [materials, labor] = [sumOf(false), sumOf(true)]
  const markup = percent(materials, terms.markupPercent)
  const tax = percent(terms.taxOn === 'materials' ? materials : sum([materials, markup]), terms.taxPercent)
  return { lines: priced, missing, materials, labor, markup, tax, total: sum([materials, labor, markup, tax]) }
}
