/** The day the demonstration's books were exported. Not the current day, so that the files stay the same. */
export const ANCHOR = day('2026-11-20')
export const FIRST_DAY = day('2023-01-09')

/** Returns a day as a number of days since 1970, so that dates can be added. */
export function day(iso: string): number {
  return Date.parse(`${iso}T00:00:00Z`) / 86_400_000
}

/** Formats `2026-11-20` */
export const isoDate = (days: number): string => new Date(days * 86_400_000).toISOString().slice(0, 10)

/** Formats `11/20/2026` */
export function usDate(days: number): string {
  const [year, month, date] = isoDate(days).split('-')
  return `${month}/${date}/${year}`
}

/** Returns the day itself, or the Monday after a weekend, because offices and crews work on weekdays. */
export function workday(days: number): number {
  const weekday = new Date(days * 86_400_000).getUTCDay()
  return weekday === 6 ? days + 2 : weekday === 0 ? days + 1 : days
}
