import type { BarField } from '@/app/ui/filter-bar'
import { dayOf } from '@/lib/core/time'

/** A choice of days that reports offer as a link. */
export type Preset = { name: string; days: Record<string, string> }

/** Returns the day some months from a day's month: its first day, or with `last` its last one. */
function inMonth(day: string, months: number, last = false): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return dayOf(new Date(last ? Date.UTC(year, month + months, 0) : Date.UTC(year, month - 1 + months, 1)))
}

/** Months since the quarter of a day began. */
const intoQuarter = (day: string): number => (Number(day.slice(5, 7)) - 1) % 3

/** Returns the days that a report of one day offers. */
export const dayPresets = (today: string): Preset[] => [
  { name: 'Today', days: { asOf: today } },
  { name: 'End of last month', days: { asOf: inMonth(today, -1, true) } },
  { name: 'End of last quarter', days: { asOf: inMonth(today, -intoQuarter(today) - 1, true) } },
  { name: 'End of last year', days: { asOf: `${Number(today.slice(0, 4)) - 1}-12-31` } },
]

/** Returns the periods that a report of several days offers; those that are not over end today. */
export function periodPresets(today: string): Preset[] {
  const year = Number(today.slice(0, 4))
  const period = (name: string, from: string, to: string): Preset => ({ name, days: { from, to } })
  return [
    period('This month', inMonth(today, 0), today),
    period('Last month', inMonth(today, -1), inMonth(today, -1, true)),
    period('This quarter', inMonth(today, -intoQuarter(today)), today),
    period('This year', `${year}-01-01`, today),
    period('12 months', inMonth(today, -11), today),
    period('Last year', `${year - 1}-01-01`, `${year - 1}-12-31`),
  ]
}

/** The fields of a report of several days: its first and last one, and what it is grouped by. */
export const periodFields = (by: { value: string; text: string }[]): BarField[] => [
  { name: 'from', label: 'From', kind: 'day' },
  { name: 'to', label: 'To', kind: 'day' },
  { name: 'by', label: 'By', kind: 'choice', options: by },
]

/** Returns a day some days later. */
export const daysAfter = (day: string, days: number): string => dayOf(new Date(Date.parse(day) + days * 86_400_000))

/** Returns how many days one day is after another. */
export const daysBetween = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000)
