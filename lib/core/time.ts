import { shared } from './shared'

const ISO_INSTANT = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)$/i
const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const US_DATE = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d{2})$/

const FIRST = new Date('0001-01-01T00:00:00.000Z')

/** The last moment that has an ISO form with a year of four digits. */
export const LATEST = new Date('9999-12-31T23:59:59.999Z')

/** Returns midnight UTC of a calendar day, or undefined when there is no such day (30 February). */
function utcDay(year: number, month: number, day: number): Date | undefined {
  // Date.UTC takes the years 0 to 99 for those of the last century.
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1 ? date : undefined
}

/**
 * An ISO 8601 moment with its offset (`2026-11-20T08:30:00-06:00`, `…Z`), to the millisecond; undefined for anything else. A moment
 * without an offset is refused because it would mean a different time on every machine.
 */
export function parseInstant(text: string): Date | undefined {
  const parts = ISO_INSTANT.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second = '00', fraction = '', zone = 'Z'] = parts
  if (!utcDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  if (offset !== 'Z' && (Number(offset.slice(1, 3)) > 14 || Number(offset.slice(4)) > 59)) return undefined
  const moment = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`,
  )
  // Within a day of either end an offset leads to a year that has no ISO form of four digits.
  return moment >= FIRST && moment <= LATEST ? moment : undefined
}

/** An ISO day (`2026-11-20`) as midnight UTC; undefined for anything else. */
export function parseDay(text: string): Date | undefined {
  const parts = ISO_DATE.exec(text)
  return parts ? utcDay(Number(parts[1]), Number(parts[2]), Number(parts[3])) : undefined
}

/**
 * Parses a date as office software exports it: an ISO day or timestamp, or US month/day/year (two-digit years mean 2000–2099). A
 * day is midnight UTC. Undefined when it is none of these.
 */
export function parseExportedDate(text: string): Date | undefined {
  const us = US_DATE.exec(text)
  const year = Number(us?.[3])
  const date = us
    ? utcDay(us[3]?.length === 2 ? 2000 + year : year, Number(us[1]), Number(us[2]))
    : (parseDay(text) ?? parseInstant(text.replace(' ', 'T')))
  // An earlier year in a file is a damaged one, such as 0026 for 2026.
  return date && date.getUTCFullYear() >= 1000 ? date : undefined
}

/** The day of a moment, UTC: `2026-11-20`. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10)

/** The calendar day of a moment in a time zone: `2026-11-20`. */
export function dayIn(timeZone: string, date: Date): string {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit' } as const
  return new Intl.DateTimeFormat('en-CA', { timeZone, ...parts }).format(date)
}

/** Returns whole seconds since 1970, rounded up: the unit of rate-limit headers. */
export const epochSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

/** The formats of zones, which are slow to make. */
const formats = shared('zoneFormats', () => new Map<string, Intl.DateTimeFormat>())

/** Returns how far a zone is ahead of UTC at a moment, in milliseconds. */
function offsetOf(timeZone: string, at: number): number {
  let format = formats().get(timeZone)
  if (!format) {
    const parts = {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    } as const
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts })
    formats().set(timeZone, format)
  }
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000
}

/**
 * A clock's time in a zone as the moment it is, in ISO 8601; one that the clock skips is read after the change, as clocks show it then.
 * @param local the clock's time, written as if it were UTC: `2026-02-01T02:15:00Z`
 * @returns undefined when it is no time
 */
export function momentIn(timeZone: string, local: string): string | undefined {
  const clock = Date.parse(local)
  if (Number.isNaN(clock)) return undefined
  const first = clock - offsetOf(timeZone, clock)
  const second = clock - offsetOf(timeZone, first)
  const isSkipped = second + offsetOf(timeZone, second) !== clock
  return new Date(isSkipped ? Math.max(first, second) : second).toISOString()
}
