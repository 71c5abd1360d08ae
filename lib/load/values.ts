import { decimalMarkOf } from '@/lib/core/country'
import { oneLine } from '@/lib/core/text'
import { momentIn } from '@/lib/core/time'
import { dateOfSerial } from './tables/sheet'

/** The order of a date's numbers, the decimal mark of amounts, and the zone and country of the office that wrote a file. */
export type Notation = { dates: 'mdy' | 'dmy'; decimals: '.' | ','; zone: string; country: string | undefined }

/** The names of months in English, French, German, Spanish and Italian, by their first letters without accents. */
const MONTHS = [
  ['jan', 'ene', 'gen'],
  ['feb', 'fev', 'fevr'],
  ['mar', 'mars', 'mrz', 'maerz'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'mag'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aout', 'ago'],
  ['sep', 'sept', 'set'],
  ['oct', 'okt', 'ott'],
  ['nov'],
  ['dec', 'dez', 'dic'],
]
const NUMBERS = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/.-])/
const MONTH_FIRST = /^(\p{L}{3,9})\.? (\d{1,2}),? (\d{4})(?!\d)/iu
const DAY_FIRST = /^(\d{1,2})\.?[ -](\p{L}{3,9})\.?[ ,-]+(\d{4}|\d{2})(?!\d)/iu
const YEAR_FIRST = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})(?!\d)/
const TIME = /^(?:(?:, ?| |T)(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d{1,9})? ?(am|pm|a\.m\.|p\.m\.)?(?: ?(utc|gmt|z))?)?$/i

const two = (n: string | number) => String(n).padStart(2, '0')
const year = (text: string) => (text.length === 2 ? `20${text}` : text)

/** Returns the number of a month by its name; 0 for any other word. */
function monthOf(name: string): number {
  const word = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const exact = MONTHS.findIndex((names) => names.includes(word))
  return (exact >= 0 ? exact : MONTHS.findIndex((names) => names.some((each) => word.startsWith(each)))) + 1
}

type Day = [y: string, m: string | number, d: string, rest: string]

/** Finds the day at the beginning of a text: year, month, day, and the rest. */
function dayAt(text: string, order: Notation['dates']): Day | undefined {
  const numbers = NUMBERS.exec(text)
  if (numbers) {
    const [all, a = '', mark, b = '', y = ''] = numbers
    // Dots are used where the day stands first.
    return order === 'dmy' || mark === '.'
      ? [year(y), b, a, text.slice(all.length)]
      : [year(y), a, b, text.slice(all.length)]
  }
  const [first, monthFirst = '', d1 = '', y1 = ''] = MONTH_FIRST.exec(text) ?? []
  if (first) return [y1, monthOf(monthFirst), d1, text.slice(first.length)]
  const [second, d2 = '', monthSecond = '', y2 = ''] = DAY_FIRST.exec(text) ?? []
  if (second) return [year(y2), monthOf(monthSecond), d2, text.slice(second.length)]
  const [third, y3 = '', m3 = '', d3 = ''] = YEAR_FIRST.exec(text) ?? []
  return third ? [y3, m3, d3, text.slice(third.length)] : undefined
}

/**
 * A date in any of the forms that exports have as one that {@link parseExportedDate} takes: `Nov 20, 2025`, `20.11.2025`, `3-Feb-26`,
 * `11/20/2025 2:03 PM`, `2026-01-10 14:03:11`, Excel's `45981`. A time is the office's own where it names no zone. A text that is none of
 * these is returned as it is.
 */
export function plainDate(text: string, { dates, zone }: Pick<Notation, 'dates' | 'zone'>): string {
  if (/^\d{5}(\.\d+)?$/.test(text)) {
    const date = dateOfSerial(Number(text))
    return date === undefined ? text : plainDate(date, { dates, zone })
  }
  const day = dayAt(text, dates)
  if (!day) return text
  const [y, m, d, rest] = day
  const time = TIME.exec(
    oneLine(rest.slice(0, 40)) === '' ? '' : `${/^[,T]/.test(rest) ? '' : ' '}${oneLine(rest.slice(0, 40))}`,
  )
  if (!time) return text
  const date = `${y}-${two(m)}-${two(d)}`
  const [, hour, minute, second = '00', half = '', utc] = time
  if (hour === undefined || minute === undefined) return date
  const isLate = /^p/i.test(half)
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0)
  const local = `${date}T${two(hours)}:${minute}:${second}Z`
  return utc ? local : (momentIn(zone, local) ?? local)
}

/** Returns what a date shows of its file's order: `07/06/2026` alone shows none. */
export function orderShown(text: string): 'mdy' | 'dmy' | 'either' | undefined {
  const [, a = '', mark, b = ''] = NUMBERS.exec(text) ?? []
  if (a === '' || mark === '.') return undefined
  const [first, second] = [Number(a), Number(b)]
  if (first > 12 && second > 12) return undefined
  if (first > 12) return 'dmy'
  if (second > 12) return 'mdy'
  return first === second ? undefined : 'either'
}

/** Returns what an amount shows of its file's decimal mark. */
export function decimalsShown(text: string): '.' | ',' | undefined {
  const digits = text.replace(/[^\d.,]/g, '')
  if (/,\d{1,2}$/.test(digits) || /\.\d{3},/.test(digits) || /\d\.\d{3}\.\d{3}/.test(digits)) return ','
  if (/\.\d{1,2}$/.test(digits) || /\.\d{4}$/.test(digits) || /,\d{3}\./.test(digits) || /\d,\d{3},\d{3}/.test(digits))
    return '.'
  return undefined
}

/** The decimal mark of a file whose amounts show none: the country's. */
export const usualDecimals = (country: string | undefined): '.' | ',' => decimalMarkOf(country)

/** Signs and codes of currencies beside amounts. */
const CURRENCIES: [sign: RegExp, code: string][] = [
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/\bCA\$|\bC\$/i, 'CAD'],
  [/\bAU\$|\bA\$/i, 'AUD'],
  [/\bNZ\$/i, 'NZD'],
  [/\bUS\$/i, 'USD'],
]
const CODE = /(?:^|[^A-Za-z])(USD|CAD|EUR|GBP|AUD|NZD|CHF|MXN)(?![A-Za-z])/

/** The countries whose dollar is meant by a bare `$`; elsewhere it is that of the United States. */
const OF_DOLLARS = ['US', 'CA', 'AU', 'NZ']

/**
 * Returns the currency that a sign or a code beside an amount names (`€100`, `CAD 200`, `C$5`, `Total (EUR)`); undefined when it names none.
 * @param country of the office; where it is not known, a bare `$` is the contractor's own dollar
 */
export function currencyIn(text: string, country?: string): string | undefined {
  const short = text.slice(0, 100)
  const named = CURRENCIES.find(([sign]) => sign.test(short))?.[1] ?? CODE.exec(short)?.[1]
  if (named !== undefined || country === undefined || OF_DOLLARS.includes(country)) return named
  return short.includes('$') ? 'USD' : undefined
}

/** An amount with a point as its decimal mark and without the sign of a currency, for {@link parseMoney}. `100.00 CR` is a credit. */
export function plainAmount(text: string, decimals: Notation['decimals']): string {
  let bare = text
    .slice(0, 100)
    .replace(/\b(?:CA|AU|NZ|US|[CA])\$|[€£$]|(?<![A-Za-z])(?:USD|CAD|EUR|GBP|AUD|NZD|CHF|MXN)(?![A-Za-z])/gi, '')
    .replace(/[\s\u00a0\u202f’']/g, '')
  if (/\dCR$/i.test(bare)) bare = `-${bare.slice(0, -2)}`
  else if (/\dDR$/i.test(bare)) bare = bare.slice(0, -2)
  return decimals === ',' ? bare.replaceAll('.', '').replace(',', '.') : bare
}
