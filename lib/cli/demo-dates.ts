import { ANCHOR } from '@/db/demo/generator/dates'

const DAY_MS = 86_400_000
const DAY = /(?<=^|,)(?:(\d{2})\/(\d{2})\/(\d{4})|(\d{4})-(\d{2})-(\d{2}))(?=,|\r?$)/gm

/** Returns how many days later the demonstration's books begin when they are loaded: whole weeks, so that work stays on weekdays. */
export function daysLater(now: Date): number {
  const days = Math.floor(now.getTime() / DAY_MS) - ANCHOR
  return Math.max(0, Math.floor(days / 7) * 7)
}

/** A CSV text with every cell that is a day, US or ISO, moved by a number of days; other cells stay as they are. */
export function movedBy(csv: string, days: number): string {
  if (days === 0) return csv
  return csv.replace(DAY, (cell, usMonth, usDay, usYear, year, month, date) => {
    const at = usYear ? Date.UTC(usYear, usMonth - 1, usDay) : Date.UTC(year, month - 1, date)
    const iso = new Date(at + days * DAY_MS).toISOString().slice(0, 10)
    if (!cell.includes('/')) return iso
    return `${iso.slice(5, 7)}/${iso.slice(8)}/${iso.slice(0, 4)}`
  })
}
