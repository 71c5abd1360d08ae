import { dayOf, parseDay } from '@/lib/core/time'

/** The first and the last day that a text means. */
type Span = { first: string; last: string }

/** The part of a span that an argument takes; `day` takes a span of one day. */
export type Edge = 'first' | 'last' | 'day'

const EDGES: [name: RegExp, edge: Edge][] = [
  [/^(from|since)$|(From|Since)$/, 'first'],
  [/^to$|To$/, 'last'],
  [/^(asOf|date|day)$/, 'day'],
]

/** Returns the part of a span that an argument of a name takes; undefined where it takes no day. Every tool names its days so, which a test holds. */
export const edgeOf = (name: string): Edge | undefined => EDGES.find(([pattern]) => pattern.test(name))?.[1]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH_NAME = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?'

/** A day by its numbers; those beyond a month or a year go on into the next, and back before the first. */
const at = (year: number, month: number, day: number): string => dayOf(new Date(Date.UTC(year, month - 1, day)))

const months = (year: number, month: number, count: number): Span => ({
  first: at(year, month, 1),
  last: at(year, month + count, 0),
})

const oneDay = (day: string): Span | undefined => (parseDay(day) ? { first: day, last: day } : undefined)

const two = (text: string | undefined) => String(text).padStart(2, '0')
const monthOf = (name: string | undefined) => MONTHS.indexOf(String(name)) + 1
const isMonth = (month: number) => month >= 1 && month <= 12

/** Calendar days, months, quarters and years as people write them. */
const WRITTEN: [form: RegExp, span: (parts: string[]) => Span | undefined][] = [
  [/^([1-9]\d{3})$/, ([year]) => months(Number(year), 1, 12)],
  [
    /^([1-9]\d{3})[-/](\d{1,2})$/,
    ([year, month]) => (isMonth(Number(month)) ? months(Number(year), Number(month), 1) : undefined),
  ],
  [/^([1-9]\d{3})[- ]?q([1-4])$/, ([year, quarter]) => months(Number(year), 3 * Number(quarter) - 2, 3)],
  [/^q([1-4])[- /]?([1-9]\d{3})$/, ([quarter, year]) => months(Number(year), 3 * Number(quarter) - 2, 3)],
  [
    /^([1-9]\d{3})-(\d{1,2})-(\d{1,2})(?:t00:00(?::00(?:\.0{1,9})?)?z?)?$/,
    ([year, month, day]) => oneDay(`${year}-${two(month)}-${two(day)}`),
  ],
  [new RegExp(`^${MONTH_NAME},? ([1-9]\\d{3})$`), ([name, year]) => months(Number(year), monthOf(name), 1)],
  [
    new RegExp(`^${MONTH_NAME} (\\d{1,2})(?:st|nd|rd|th)?,? ([1-9]\\d{3})$`),
    ([name, day, year]) => oneDay(`${year}-${two(String(monthOf(name)))}-${two(day)}`),
  ],
  [
    new RegExp(`^(\\d{1,2})\\.? ${MONTH_NAME},? ([1-9]\\d{3})$`),
    ([day, name, year]) => oneDay(`${year}-${two(String(monthOf(name)))}-${two(day)}`),
  ],
]

const STEPS = new Map([
  ['last', -1],
  ['previous', -1],
  ['past', -1],
  ['this', 0],
  ['current', 0],
  ['next', 1],
])
const DAYS = new Map([
  ['yesterday', -1],
  ['today', 0],
  ['now', 0],
  ['tomorrow', 1],
])

/** A week from Monday, a month, a quarter or a year, so many after that of today. */
function periodFrom(unit: string | undefined, step: number, today: string): Span {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  if (unit === 'year') return months(year + step, 1, 12)
  if (unit === 'quarter') return months(year, month - ((month - 1) % 3) + 3 * step, 3)
  if (unit === 'month') return months(year, month + step, 1)
  const monday = day - ((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7) + 7 * step
  return { first: at(year, month, monday), last: at(year, month, monday + 6) }
}

/** Days and periods said from today on: `last month`, `3 days ago`, `last 30 days`. */
function relative(text: string, today: string): Span | undefined {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number)
  const step = DAYS.get(text)
  if (step !== undefined) return oneDay(at(year, month, day + step))
  const period = /^(last|previous|past|this|current|next) (week|month|quarter|year)$/.exec(text)
  if (period) return periodFrom(period[2], STEPS.get(period[1] ?? '') ?? 0, today)
  const ago = /^(\d{1,4}) (days?|weeks?) ago$/.exec(text)
  if (ago) return oneDay(at(year, month, day - Number(ago[1]) * (ago[2]?.startsWith('w') ? 7 : 1)))
  const past = /^(?:last|past) (\d{1,4}) (days?|weeks?)$/.exec(text)
  if (!past) return undefined
  return { first: at(year, month, day - Number(past[1]) * (past[2]?.startsWith('w') ? 7 : 1)), last: today }
}

/** The longest text that may mean a day. */
const LONGEST = 40

/**
 * Returns the day that a text means for an argument: of `2026-10` and `last month` the first or the last one. Undefined for a text that means
 * none, or several where one is wanted.
 * @param today the contractor's
 */
export function readDay(given: string, edge: Edge, today: string): string | undefined {
  if (given.length > LONGEST) return undefined
  const text = given
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, ' ')
    .replace(/(?<=[a-z])-(?=[a-z\d])|(?<=\d)-(?=[a-pr-z])/g, ' ')
  const written = WRITTEN.map(([form, span]) => {
    const parts = form.exec(text)
    return parts && span(parts.slice(1))
  }).find((span) => span)
  const span = written ?? relative(text, today)
  if (!span) return undefined
  if (edge === 'day') return span.first === span.last ? span.first : undefined
  return span[edge]
}
