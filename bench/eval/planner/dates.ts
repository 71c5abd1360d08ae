/** Days from one to another, both included; a side that is open is left out. */
export type Range = { from?: string; to?: string; said: string }

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const WEEKDAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')
const DAY = 86_400_000

const iso = (time: number) => new Date(time).toISOString().slice(0, 10)
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)
const plus = (day: string, days: number) => iso(at(day) + days * DAY)
const utc = (year: number, month: number, day = 1) => iso(Date.UTC(year, month, day))

/** The first day of a calendar period that is `ahead` periods from the one of the day, and its last. */
function period(unit: string, today: string, ahead: number): { from: string; to: string } {
  const date = new Date(at(today))
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  if (unit === 'day') return { from: plus(today, ahead), to: plus(today, ahead) }
  if (unit === 'week') {
    const monday = plus(today, -((date.getUTCDay() + 6) % 7) + 7 * ahead)
    return { from: monday, to: plus(monday, 6) }
  }
  const months = unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12
  const first = unit === 'year' ? 0 : unit === 'quarter' ? month - (month % 3) : month
  const from = utc(year, first + ahead * months)
  const start = new Date(at(from))
  return { from, to: utc(start.getUTCFullYear(), start.getUTCMonth() + months, 0) }
}

/** The last time a month, or a day of it, was there. */
function lastTime(today: string, month: number, day: number): string {
  const year = Number(today.slice(0, 4))
  const thisYear = utc(year, month, day)
  return thisYear <= today ? thisYear : utc(year - 1, month, day)
}

const DATE = `(?:(${MONTHS.join('|')})\\s+(\\d{1,2})(?:,?\\s+(\\d{4}))?|(\\d{4}-\\d{2}-\\d{2}))`

/** The day that the groups of `DATE` mean. */
function dayOf([month, day, year, whole]: (string | undefined)[], today: string): string {
  if (whole !== undefined) return whole
  const at = MONTHS.indexOf((month ?? '').toLowerCase())
  return year === undefined ? lastTime(today, at, Number(day)) : utc(Number(year), at, Number(day))
}

const AHEAD: Record<string, number> = { this: 0, last: -1, next: 1, previous: -1 }

/** The ways to say a period, and the days each means. Earlier ones win where two fit. */
const WAYS: [pattern: RegExp, days: (found: RegExpExecArray, today: string) => Omit<Range, 'said'>][] = [
  [
    new RegExp(`(?:between|from) ${DATE} (?:and|to) ${DATE}`, 'i'),
    (f, today) => ({ from: dayOf(f.slice(1, 5), today), to: dayOf(f.slice(5, 9), today) }),
  ],
  [new RegExp(`since ${DATE}`, 'i'), (f, today) => ({ from: dayOf(f.slice(1, 5), today) })],
  [
    new RegExp(`since (${WEEKDAYS.join('|')})`, 'i'),
    (f, today) => ({
      from: plus(today, -((new Date(at(today)).getUTCDay() + 7 - WEEKDAYS.indexOf((f[1] ?? '').toLowerCase())) % 7)),
    }),
  ],
  [new RegExp(`before ${DATE}`, 'i'), (f, today) => ({ to: plus(dayOf(f.slice(1, 5), today), -1) })],
  [new RegExp(`(?:until|up to|by) ${DATE}`, 'i'), (f, today) => ({ to: dayOf(f.slice(1, 5), today) })],
  [
    new RegExp(`on ${DATE}`, 'i'),
    (f, today) => ({ from: dayOf(f.slice(1, 5), today), to: dayOf(f.slice(1, 5), today) }),
  ],
  [/in the next (\d+) days/i, (f, today) => ({ from: today, to: plus(today, Number(f[1])) })],
  [/in the last (\d+) days/i, (f, today) => ({ from: plus(today, -Number(f[1])), to: today })],
  [
    /(this) (week|month|quarter|year) up to today/i,
    (f, today) => ({ from: period((f[2] ?? '').toLowerCase(), today, 0).from, to: today }),
  ],
  [
    /(this|last|next|previous) (week|month|quarter|year)/i,
    (f, today) => period((f[2] ?? '').toLowerCase(), today, AHEAD[(f[1] ?? '').toLowerCase()] ?? 0),
  ],
  [/(week|month|quarter|year) before/i, (f, today) => period((f[1] ?? '').toLowerCase(), today, -1)],
  [/from today on/i, (_, today) => ({ from: today })],
  [/\b(yesterday)\b/i, (_, today) => period('day', today, -1)],
  [
    new RegExp(`in (${MONTHS.join('|')})(?: (\\d{4}))?`, 'i'),
    (f, today) => {
      const month = MONTHS.indexOf((f[1] ?? '').toLowerCase())
      return period('month', f[2] === undefined ? lastTime(today, month, 1) : utc(Number(f[2]), month), 0)
    },
  ],
  [/in (20\d{2})\b/i, (f) => period('year', `${f[1]}-01-01`, 0)],
]

/** The periods a question names, in the order it names them, and the rest of the question. */
export function readDates(text: string, today: string): { ranges: Range[]; rest: string } {
  let rest = text
  const found: (Range & { at: number })[] = []
  for (const [pattern, days] of WAYS) {
    for (let match = pattern.exec(rest); match; match = pattern.exec(rest)) {
      found.push({ ...days(match, today), said: match[0], at: match.index })
      rest = rest.replace(match[0], ' '.repeat(match[0].length))
    }
  }
  const ranges = found.sort((a, b) => a.at - b.at).map(({ at: _, ...range }) => range)
  return { ranges, rest }
}
