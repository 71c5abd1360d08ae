import type { Observation, Prices } from '@/db/queries/materials'
import { percentOf, thousandths, timesQuantity, unitAmountOf, unitCostOf } from '@/lib/core/money'
import { canonicalUnit } from '@/lib/knowledge/materials/units'
import { isLabor } from './labor'
import { type Quote, quoteOf, type Range } from './quote'

/** A quantity of an item to price. Without a unit, the unit of its newest price applies. */
export type ToPrice = { item: string; name: string | null; quantity: number; unit: string | null }

export type PricedLine = ToPrice & Quote & { name: string; unit: string; total: Range }
export type MissingLine = ToPrice & { reason: string }

/**
 * The sums of a project in cents: labor is neither marked up nor taxed; `tax` is on the materials' cost, or on cost and markup. A sum of
 * which no line has a price is null, because nothing known is not a cost of zero.
 */
type Sums = Record<'materials' | 'labor' | 'markup' | 'tax' | 'total', Range | null>

/** The costs of a project. */
export type PricedProject = Sums & { lines: PricedLine[]; missing: MissingLine[] }

/** The terms by which prices become a total. Percents have at most three decimals. */
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
const sum = (ranges: (Range | null)[]): Range | null => {
  const known = ranges.filter((range) => range !== null)
  return known.length === 0 ? null : each((bound) => known.reduce((total, range) => total + range[bound], 0n))
}
const percent = (range: Range | null, value: number): Range | null =>
  range && each((bound) => percentOf(range[bound], thousandths(value)))

const listed = (values: string[]) => [...new Set(values)].sort().join(', ')

/** Returns why a line has no price, when one in its unit and currency is dated ahead. `ahead` holds the item's, the first day first. */
function fromLater({ unit }: ToPrice, ahead: Observation[], currency: string): string | undefined {
  const first = ahead.find((each) => each.currency === currency && (unit === null || each.unit === canonicalUnit(unit)))
  if (!first) return undefined
  return `no price before ${first.day}; from that day ${unitAmountOf(unitCostOf(first.cost))} ${currency} by ${first.unit}`
}

/** The reason of a line whose item the price book does not have at all. */
export const NOT_IN_BOOK = 'not in the price book'

/** Returns a line's price, or the reason it has none. `seen` holds the item's prices, newest first. */
function priceLine(line: ToPrice, { seen, ahead }: Prices, terms: Terms): PricedLine | MissingLine {
  const { currency, asOf, region } = terms
  const later = fromLater(line, ahead, currency)
  if (seen.length === 0)
    return { ...line, reason: later ?? (region === undefined ? NOT_IN_BOOK : `${NOT_IN_BOOK} for ${region}`) }
  const inCurrency = seen.filter((price) => price.currency === currency)
  const [newest] = inCurrency
  if (!newest) return { ...line, reason: later ?? `priced in ${listed(seen.map((price) => price.currency))} only` }
  const unit = line.unit === null ? newest.unit : canonicalUnit(line.unit)
  const quote = quoteOf(
    inCurrency.filter((price) => price.unit === unit),
    asOf,
  )
  if (!quote)
    return { ...line, reason: later ?? `priced by ${listed(inCurrency.map((price) => price.unit))}, not by ${unit}` }
  const quantity = thousandths(line.quantity)
  const total = each((bound) => timesQuantity(quote.unitCost[bound], quantity))
  return { ...line, ...quote, name: newest.name, unit, total }
}

/** Prices by item, each list in its order. */
function byItem(observations: Observation[]): Map<string, Observation[]> {
  const found = new Map<string, Observation[]>()
  for (const observation of observations) {
    const known = found.get(observation.item)
    if (known) known.push(observation)
    else found.set(observation.item, [observation])
  }
  return found
}

/** The sums of priced lines by the terms. */
function sumsOf(lines: PricedLine[], terms: Terms): Sums {
  const sumOf = (labor: boolean) => sum(lines.filter(({ item }) => isLabor(item) === labor).map(({ total }) => total))
  const [materials, labor] = [sumOf(false), sumOf(true)]
  const markup = percent(materials, terms.markupPercent)
  const tax = percent(terms.taxOn === 'materials' ? materials : sum([materials, markup]), terms.taxPercent)
  return { materials, labor, markup, tax, total: sum([materials, labor, markup, tax]) }
}

/**
 * Prices lines from observed prices, all sums in whole cents. A line is unit cost x quantity, rounded half up to the cent; materials are
 * the sum of the lines without labor; markup and tax are percents of sums of materials, each rounded once. Lines without a price are left out of every sum.
 */
export function priceProject(lines: ToPrice[], prices: Prices, terms: Terms): PricedProject {
  const [seen, ahead] = [byItem(prices.seen), byItem(prices.ahead)]
  const priced: PricedLine[] = []
  const missing: MissingLine[] = []
  for (const line of lines) {
    const answer = priceLine(line, { seen: seen.get(line.item) ?? [], ahead: ahead.get(line.item) ?? [] }, terms)
    if ('reason' in answer) missing.push(answer)
    else priced.push(answer)
  }
  return { lines: priced, missing, ...sumsOf(priced, terms) }
}
