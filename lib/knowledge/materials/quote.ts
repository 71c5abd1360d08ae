import type { Observation } from '@/db/queries/materials'
import { centsOf, dividedHalfUp } from '@/lib/core/cents'

/** A price older than this many days is stale: it is used only where there is no newer one, and named. */
export const STALE_DAYS = 180

/** Of each item so many of the newest prices are looked at. */
export const PRICES_PER_ITEM = 100

/** Cents, lowest, expected and highest. */
export type Range = { low: bigint; expected: bigint; high: bigint }

/** What one of an item costs, from the prices that were used: how many, their first and last day, and whose. */
export type Quote = {
  unitCost: Range
  prices: number
  oldest: string
  newest: string
  stale: boolean
  suppliers: string[]
}

/** The day so many days before another, both ISO days. */
export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)
}

const ascending = (cents: bigint[]) => [...cents].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

/** The middle of some cents; of an even number the mean of the two in the middle, half a cent rounded up. */
export function median(cents: bigint[]): bigint {
  const sorted = ascending(cents)
  const upper = sorted[Math.floor(sorted.length / 2)] ?? 0n
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? upper
  return dividedHalfUp(lower + upper, 2n)
}

/** Each supplier's newest price in each region. `seen` has the newest first. */
function currentPrices(seen: Observation[]): bigint[] {
  const newest = new Map<string, bigint>()
  for (const { supplier, region, cost } of seen) {
    const who = JSON.stringify([supplier, region])
    if (!newest.has(who)) newest.set(who, centsOf(cost))
  }
  return [...newest.values()]
}

/**
 * What an item costs on a day, from prices of one item, unit and currency, the newest first. Those of the last 180 days are used; when
 * there are none, those of the last day on which there were any, marked stale. Low and high are the least and the greatest of them;
 * expected is the median of each supplier's newest, so that one supplier's long history does not outweigh another's quote.
 */
export function quoteOf(observations: Observation[], asOf: string): Quote | undefined {
  const [last] = observations
  if (!last) return undefined
  const since = daysBefore(asOf, STALE_DAYS)
  const stale = last.day < since
  const used = observations.filter(({ day }) => (stale ? day === last.day : day >= since))
  const cents = ascending(used.map(({ cost }) => centsOf(cost)))
  const expected = median(currentPrices(used))
  return {
    unitCost: { low: cents[0] ?? expected, expected, high: cents.at(-1) ?? expected },
    prices: used.length,
    oldest: used.at(-1)?.day ?? last.day,
    newest: last.day,
    stale,
    suppliers: [...new Set(used.flatMap(({ supplier }) => supplier ?? []))].sort(),
  }
}
