import type { Observation } from '@/db/queries/materials'
import { dividedHalfUp, unitCostOf } from '@/lib/core/money'

/** A price older than this many days is stale. A stale price is used only when there is no newer one, and the answer says so. */
export const STALE_DAYS = 180

/** The newest prices that are read for each item. */
export const PRICES_PER_ITEM = 100

/** The lowest, expected and highest of a sum in cents, or of a unit cost in ten thousandths. */
export type Range = { low: bigint; expected: bigint; high: bigint }

/** The newest price of one supplier in one region, in ten thousandths. */
export type Offer = { supplier: string | null; region: string | null; cost: bigint; day: string }

/** An item's unit cost, and the prices behind it: how many, their first and last day, and what each supplier asks, the cheapest first. */
export type Quote = {
  unitCost: Range
  prices: number
  oldest: string
  newest: string
  stale: boolean
  suppliers: string[]
  offers: Offer[]
}

/** Returns the day `days` before `day`, both as ISO days. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
}

const ascending = (costs: bigint[]) => [...costs].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** Returns the median of some costs. For an even number it is the mean of the middle two, rounded half up. */
export function median(costs: bigint[]): bigint {
  const sorted = ascending(costs)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0n
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper
  return dividedHalfUp(lower + upper, 2n)
}

/** Returns each supplier's newest price in each region, the cheapest first. `seen` must be sorted newest first. */
function offersOf(seen: Observation[]): Offer[] {
  const newest = new Map<string, Offer>()
  for (const { supplier, region, cost, day } of seen) {
    const who = JSON.stringify([supplier, region])
    if (!newest.has(who)) newest.set(who, { supplier, region, cost: unitCostOf(cost), day })
  }
  return [...newest.values()].sort((a, b) => (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0))
}

/**
 * Returns what an item costs on a day. The prices must share one item, unit and currency, newest first. Prices from the last 180
 * days are used; if there are none, the prices of the latest earlier day are used and marked stale. Low and high are the lowest and
 * highest of them. Expected is the median of each supplier's newest price, so one supplier's long history cannot outweigh another's
 * quote.
 */
export function quoteOf(observations: Observation[], asOf: string): Quote | undefined {
  const [last] = observations
  if (!last) return undefined
  const since = daysBefore(asOf, STALE_DAYS)
  const stale = last.day < since
  const used = observations.filter(({ day }) => (stale ? day === last.day : day >= since))
  const costs = ascending(used.map(({ cost }) => unitCostOf(cost)))
  const offers = offersOf(used)
  const expected = median(offers.map(({ cost }) => cost))
  return {
    unitCost: { low: costs[0] ?? expected, expected, high: costs.at(-1) ?? expected },
    prices: used.length,
    oldest: used.at(-1)?.day ?? last.day,
    newest: last.day,
    stale,
    suppliers: [...new Set(used.flatMap(({ supplier }) => supplier ?? []))].sort(),
    offers,
  }
}
