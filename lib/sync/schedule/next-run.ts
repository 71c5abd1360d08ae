/** The schedule of a run: every hour, nightly at an hour, or weekly at an hour of a weekday (0 is Sunday). */
export type Schedule = { every: 'hour' | 'day' | 'week'; hour: number | null; weekday: number | null }

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The time from one run to the next. */
export const INTERVAL_MS = { hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS } as const

/** Returns how far a zone is from UTC at a moment, in milliseconds. */
function offsetAt(zone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const of = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const local = Date.UTC(of.year ?? 0, (of.month ?? 1) - 1, of.day, of.hour, of.minute, of.second)
  return local - Math.floor(at / 1000) * 1000
}

/** The moment of a local time, given as if it were UTC. Where clocks skip it, it is as much later as they skip. */
function momentOf(zone: string, local: number): number {
  const guess = local - offsetAt(zone, local)
  const found = local - offsetAt(zone, guess)
  return offsetAt(zone, found) === offsetAt(zone, guess) ? found : Math.max(guess, found)
}

/** The minute of the hour at which something runs: each its own, so that not all run at once. */
export function minuteOf(id: string): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 60
  return sum
}

/**
 * Returns when something runs next, later than a moment.
 * @param zone an IANA time zone; hours are of its clocks, also when they change
 * @param minute the minute of the hour
 */
export function nextRun({ every, hour, weekday }: Schedule, zone: string, minute: number, after: Date): Date {
  if (every === 'hour') {
    const inHour = Math.floor(after.getTime() / HOUR_MS) * HOUR_MS + minute * MINUTE_MS
    return new Date(inHour > after.getTime() ? inHour : inHour + HOUR_MS)
  }
  const local = after.getTime() + offsetAt(zone, after.getTime())
  const today = Math.floor(local / DAY_MS) * DAY_MS
  for (let day = today - DAY_MS; day <= today + 8 * DAY_MS; day += DAY_MS) {
    if (every === 'week' && new Date(day).getUTCDay() !== weekday) continue
    const at = momentOf(zone, day + (hour ?? 0) * HOUR_MS + minute * MINUTE_MS)
    if (at > after.getTime()) return new Date(at)
  }
  throw new Error(`there is no weekday ${weekday}`)
}
