import { parseDay } from '@/lib/core/time'
import type { Read } from '../columns'

/** The date formats that a file may use. */
export const DATE_FORMS = ['iso', 'MM/DD/YYYY', 'epoch_ms'] as const
export type DateForm = (typeof DATE_FORMS)[number]

/** Milliseconds outside these bounds are not the date of a permit (1900 to 2999). */
const FIRST_MS = Date.UTC(1900, 0, 1)
const LAST_MS = Date.UTC(3000, 0, 1)
/** The least value of a date. Values around 1970 are seconds mistaken for milliseconds, or placeholder zeros: up to 27 February 1970. */
const LEAST_MS = 5_000_000_000

const dayIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (ms: number) => format.format(ms)
}

const iso = (cell: string) => /^(\d{4}-\d{2}-\d{2})(?:[T ][\d:.]+ ?(?:Z|[+-]\d{2}:?\d{2})?)?$/i.exec(cell)?.[1]

function usDay(cell: string): string | undefined {
  const [, month = '', day = '', year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: .{1,20})?$/.exec(cell) ?? []
  return year === undefined ? undefined : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

const EXAMPLES: Record<DateForm, string> = {
  iso: 'a date such as 2026-11-20',
  'MM/DD/YYYY': 'a date such as 11/20/2026',
  epoch_ms: 'a count of milliseconds since 1970 (not seconds), of a day between 1900 and 2999',
}

/**
 * Returns a reader of dates. It takes a date with a time as written, and epoch milliseconds in a time zone (UTC by default), because
 * many systems store a date as its local midnight.
 */
export function dateReader(form: DateForm, timeZone = 'UTC'): (cell: string) => Read {
  const localDay = dayIn(timeZone)
  const parse: Record<DateForm, (cell: string) => string | undefined> = {
    iso,
    'MM/DD/YYYY': usDay,
    epoch_ms: (cell) => {
      const ms = /^-?\d{1,15}(?:\.0+)?$/.test(cell) ? Number(cell) : Number.NaN
      return ms >= FIRST_MS && ms < LAST_MS && Math.abs(ms) >= LEAST_MS ? localDay(ms) : undefined
    },
  }
  return (cell) => {
    const day = parse[form](cell)
    return day !== undefined && parseDay(day) ? { value: day } : { reason: `is not ${EXAMPLES[form]}` }
  }
}

/** Reports whether this machine knows a time zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    dayIn(name)
    return true
  } catch {
    return false
  }
}
