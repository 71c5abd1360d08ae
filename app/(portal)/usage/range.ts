import type { Desk } from '@/lib/core/desk'
import { dayIn, momentIn } from '@/lib/core/time'

/** The time ranges offered, by their name in the URL. */
export const RANGES = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const
export type RangeName = keyof typeof RANGES

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The most hours that the use of keys is told of: when clocks go back, 30 days may have one more. */
const MOST_HOURS = 720

/** A range: its start, the step of its picture, and its length in whole hours. */
export type Range = { name: RangeName; from: Date; by: 'hour' | 'day'; hours: number }

const isRange = (text: unknown): text is RangeName => typeof text === 'string' && Object.hasOwn(RANGES, text)

const hourOf = (milliseconds: number) => Math.floor(milliseconds / HOUR_MS)

/** Returns the first whole hour of the day, by the clock of a zone, that was some days before a moment. */
function dayBegan(zone: string, now: Date, daysBack: number): number {
  const today = Date.parse(dayIn(zone, now))
  const day = new Date(today - daysBack * DAY_MS).toISOString().slice(0, 10)
  return Math.ceil(Date.parse(momentIn(zone, `${day}T00:00:00Z`) ?? day) / HOUR_MS)
}

/**
 * Returns a range up to now in whole steps, including the current one: 24 or 168 hours, or 30 days by the contractor's clock. Whole steps
 * keep the picture's first point complete.
 */
export function rangeOf(wanted: unknown, { now, zone }: Pick<Desk, 'now' | 'zone'>): Range {
  const name = isRange(wanted) ? wanted : '24h'
  const last = hourOf(now.getTime())
  const first = name === '30d' ? dayBegan(zone, now, 29) : last - (name === '7d' ? 167 : 23)
  return {
    name,
    from: new Date(first * HOUR_MS),
    by: name === '30d' ? 'day' : 'hour',
    hours: Math.min(MOST_HOURS, last - first + 1),
  }
}

type Counts = { requests: number; errors: number; limited: number }
export type UsagePeriod = Counts & { at: string }

/** Adds up hours into the days that they are in by the contractor's clock. Each begins with its first hour. */
export function byDay(hours: readonly UsagePeriod[], { dayOf }: Pick<Desk['words'], 'dayOf'>): UsagePeriod[] {
  const days = new Map<string, UsagePeriod>()
  for (const hour of hours) {
    const day = dayOf(new Date(hour.at))
    const { at, requests, errors, limited } = days.get(day) ?? { at: hour.at, requests: 0, errors: 0, limited: 0 }
    days.set(day, {
      at,
      requests: requests + hour.requests,
      errors: errors + hour.errors,
      limited: limited + hour.limited,
    })
  }
  return [...days.values()]
}
