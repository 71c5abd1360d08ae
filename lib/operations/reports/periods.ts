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
export function requireOrder(from: string, to: string, field: 'from' | 'since' = 'from'): void {
  if (from > to)
    throw refused(
      field,
      `${from} is after ${to}, the last day; give a ${field} that is not after ${field === 'from' ? 'to' : 'today'}`,
    )
}

/** Checks that a day is not too long ago. @throws ServiceError `bad_request` when it is more than `most` days before today */
export function requireRecent(since: string, today: string, most: number): void {
  const earliest = dayOf(new Date(new Date(today).getTime() - most * DAY_MS))
  if (since >= earliest) return
  throw refused(
    'since',
    `${since} is more than ${most} days ago, and changes are kept no longer; give ${earliest} or later, or use the reports for sums of longer times`,
  )
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

/** The minimum number of months a comparison goes back, by what is compared. */
const MONTHS: Record<string, number> = { quarter: 3, year: 12 }

/** A day some months earlier; the last of its month where that is shorter. */
function monthsEarlier(day: string, months: number): string {
  const at = new Date(day)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() - months]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return dayOf(new Date(Date.UTC(year, month, Math.min(at.getUTCDate(), last))))
}

/**
 * Returns the days that are compared with some days: as many whole months, quarters or years earlier as these touch, so that a quarter
 * so far stands beside the same part of the one before. From within a month it is as many days earlier.
 */
export function daysBefore(from: string, to: string, by: string): { from: string; to: string } {
  if (!from.endsWith('-01')) {
    const length = new Date(to).getTime() - new Date(from).getTime() + DAY_MS
    const earlier = (day: string) => dayOf(new Date(new Date(day).getTime() - length))
    return { from: earlier(from), to: earlier(to) }
  }
  const least = MONTHS[by] ?? 1
  const months = Math.ceil(periodsBetween(from, to, 'month') / least) * least
  const isWhole = dayOf(new Date(new Date(to).getTime() + DAY_MS)).endsWith('-01')
  const last = monthsEarlier(to, months)
  return { from: monthsEarlier(from, months), to: isWhole ? lastOfMonth(last) : last }
}

function lastOfMonth(day: string): string {
  const at = new Date(day)
  return dayOf(new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)))
}

/** Returns the first day of the month, quarter or year of a day; the day itself for what is no calendar step. */
export function startOfStep(day: string, by: string): string {
  const [year = '', month = ''] = day.split('-')
  if (by === 'year') return `${year}-01-01`
  if (by === 'quarter') return `${year}-${String(Math.floor((Number(month) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`
  return by === 'month' ? `${year}-${month}-01` : day
}

/** Returns the name of the month, quarter or year of a day: `2026-11`, `2026-Q4`, `2026`. */
function nameOfStep(day: string, by: string): string {
  if (by === 'year') return day.slice(0, 4)
  if (by === 'month') return day.slice(0, 7)
  return `${day.slice(0, 4)}-Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
}

/** Returns whether a named month, quarter or year is not over on the last day that counts, so that less than the whole of it is told. */
export function isPartial(name: string, last: string, by: string): boolean {
  const current = nameOfStep(last, by)
  if (name !== current) return name > current
  return nameOfStep(dayOf(new Date(new Date(last).getTime() + DAY_MS)), by) === current
}
