/** A unit with its length in seconds, and the count from which the next larger unit is used. */
type Unit = [name: Intl.RelativeTimeFormatUnit, seconds: number, most: number]
const YEAR: Unit = ['year', 31_557_600, Number.POSITIVE_INFINITY]
const UNITS: Unit[] = [['minute', 60, 60], ['hour', 3_600, 24], ['day', 86_400, 31], ['month', 2_629_800, 12], YEAR]

const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'always' })
/** Words for days, such as yesterday and tomorrow; months and years are counted, because "next year" may be tomorrow. */
const DAYS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Formats a time as `2026-11-20 08:15:03 UTC`; seconds are optional. */
export function absolute(at: Date, withSeconds = false): string {
  return `${at
    .toISOString()
    .slice(0, withSeconds ? 19 : 16)
    .replace('T', ' ')} UTC`
}

/** Formats a time relative to now in the largest fitting unit: "3 hours ago", "in 2 days", "just now" within a minute. */
export function relative(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1000
  if (Math.abs(seconds) < 60) return 'just now'
  const [name, size] = UNITS.find(([, size, most]) => Math.round(Math.abs(seconds) / size) < most) ?? YEAR
  return (name === 'day' ? DAYS : WORDS).format(Math.round(seconds / size), name)
}

/** Formats the time left until a moment: `2 d 04:05:06`, `04:05:06`; undefined once it has passed. */
export function left(until: Date, now: Date): string | undefined {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000)
  if (seconds <= 0) return undefined
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const clock = `${two((seconds % 86_400) / 3_600)}:${two((seconds % 3_600) / 60)}:${two(seconds % 60)}`
  const days = Math.floor(seconds / 86_400)
  return days > 0 ? `${days} d ${clock}` : clock
}
