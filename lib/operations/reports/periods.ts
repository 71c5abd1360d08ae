import { ServiceError } from '@/lib/core/errors'
import { dayOf } from '@/lib/core/time'

export type Step = 'week' | 'month'

/** The most periods in one answer: ten years by month, more than two by week. */
export const MOST_PERIODS = 120

const DAY_MS = 86_400_000

/** Returns how many ISO weeks (from Monday) or calendar months two days span, both days included. */
export function periodsBetween(from: string, to: string, by: Step): number {
  const [first, last] = [new Date(from), new Date(to)]
  if (by === 'month')
    return (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth() + 1
  // 1970 began on a Thursday, so three days are added to count weeks from a Monday.
  const week = (day: Date) => Math.floor((day.getTime() / DAY_MS + 3) / 7)
  return week(last) - week(first) + 1
}

/** Returns the first day of the twelve calendar months that end with a day's month. */
export function twelveMonthsTo(day: string): string {
  const last = new Date(day)
  return dayOf(new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 11, 1)))
}

const refused = (field: string, message: string) =>
  new ServiceError('bad_request', `${field}: ${message}`, { fields: [{ field, message }] })

/** Checks the order of two days. @throws ServiceError `bad_request` when the first day is after the last */
export function requireOrder(from: string, to: string): void {
  if (from > to) throw refused('from', `${from} is after ${to}, the last day; give a from that is not after to`)
}

/**
 * Checks a report's days. @throws ServiceError `bad_request` when they are in the wrong order, or span more periods than one answer
 * may have
 */
export function requirePeriods(from: string, to: string, by: Step): void {
  requireOrder(from, to)
  const count = periodsBetween(from, to, by)
  if (count <= MOST_PERIODS) return
  const found = `${from} to ${to} makes ${count} ${by}s, and an answer holds at most ${MOST_PERIODS}`
  if (by === 'week' && periodsBetween(from, to, 'month') <= MOST_PERIODS)
    throw refused('by', `${found}; widen the step to month, or bring from and to closer together`)
  throw refused(
    'from',
    `${found}; bring from and to closer together${by === 'week' ? ' and widen the step to month' : ''}`,
  )
}
