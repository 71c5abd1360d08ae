/** The time ranges offered, by their name in the URL. */
export const RANGES = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const
export type RangeName = keyof typeof RANGES

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A range: its start, its step, and its length in whole hours. */
export type Range = { name: RangeName; from: Date; by: 'hour' | 'day'; hours: number }

const isRange = (text: unknown): text is RangeName => typeof text === 'string' && Object.hasOwn(RANGES, text)

/**
 * Returns a range up to now in whole steps, including the current one: 24 or 168 hours, or 30 days in UTC. Whole steps keep the
 * chart's first point complete.
 */
export function rangeOf(wanted: unknown, now: Date): Range {
  const name = isRange(wanted) ? wanted : '24h'
  const by = name === '30d' ? 'day' : 'hour'
  const step = by === 'day' ? DAY_MS : HOUR_MS
  const steps = { '24h': 24, '7d': 168, '30d': 30 }[name]
  const from = new Date((Math.floor(now.getTime() / step) - (steps - 1)) * step)
  return { name, from, by, hours: Math.floor(now.getTime() / HOUR_MS) - from.getTime() / HOUR_MS + 1 }
}
