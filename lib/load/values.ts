import { dateOfSerial } from './tables/sheet'

/** The order of a date's numbers, and the decimal mark of amounts, in a file. */
export type Notation = { dates: 'mdy' | 'dmy'; decimals: '.' | ',' }

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NUMBERS = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![\d/.-])/
const MONTH_FIRST = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})(?!\d)/i
const DAY_FIRST = /^(\d{1,2})[ -]([a-z]{3,9})\.?[ ,-]+(\d{4})(?!\d)/i
const YEAR_FIRST = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})(?!\d)/
const TIME = /^(?:,?[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(am|pm)?)?$/i

const two = (n: string | number) => String(n).padStart(2, '0')
const year = (text: string) => (text.length === 2 ? `20${text}` : text)
const monthOf = (name: string) => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1

/** Finds the day at the beginning of a text: year, month, day, and the rest. */
function dayAt(
  text: string,
  order: Notation['dates'],
): [y: string, m: string | number, d: string, rest: string] | undefined {
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
  if (second) return [y2, monthOf(monthSecond), d2, text.slice(second.length)]
  const [third, y3 = '', m3 = '', d3 = ''] = YEAR_FIRST.exec(text) ?? []
  return third ? [y3, m3, d3, text.slice(third.length)] : undefined
}

/**
 * A date in any of the forms that exports have as one that {@link parseExportedDate} takes: `Nov 20, 2025`, `20.11.2025`, `20 Nov 2025`,
 * `11/20/2025 2:03 PM`, `2026-01-10 14:03:11` (UTC), Excel's `45981`. A text that is none of these is returned as it is.
 */
export function plainDate(text: string, order: Notation['dates']): string {
  if (/^\d{5}(\.\d+)?$/.test(text)) return plainDate(dateOfSerial(Number(text)) ?? '', order) || text
  const day = dayAt(text, order)
  if (!day) return text
  const [y, m, d, rest] = day
  const time = TIME.exec(rest)
  if (!time) return text
  const date = `${y}-${two(m)}-${two(d)}`
  const [, hour, minute, second = '00', half = ''] = time
  if (hour === undefined || minute === undefined) return date
  const isLate = half.toLowerCase() === 'pm'
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0)
  return `${date}T${two(hours)}:${minute}:${second}Z`
}

/** What a date shows of its file's order: `07/06/2026` alone shows none. */
export function orderShown(text: string): 'mdy' | 'dmy' | 'either' | undefined {
  const [, a = '', mark, b = ''] = NUMBERS.exec(text) ?? []
  if (a === '' || mark === '.') return undefined
  const [first, second] = [Number(a), Number(b)]
  if (first > 12 && second > 12) return undefined
  if (first > 12) return 'dmy'
  if (second > 12) return 'mdy'
  return first === second ? undefined : 'either'
}

/** What an amount shows of its file's decimal mark. */
export function decimalsShown(text: string): '.' | ',' | undefined {
  const digits = text.replace(/[^\d.,]/g, '')
  if (/,\d{1,2}$/.test(digits) || /\.\d{3},/.test(digits)) return ','
  if (/\.\d{1,2}$/.test(digits) || /,\d{3}\./.test(digits)) return '.'
  return undefined
}

/** An amount with a point as its decimal mark and without the sign of a currency, for {@link parseMoney}. */
export function plainAmount(text: string, decimals: Notation['decimals']): string {
  const bare = text.replace(/[€£]|\b(?:CAD|EUR|GBP|AUD)\b|C(?=\$)/g, '').trim()
  return decimals === ',' ? bare.replaceAll('.', '').replace(',', '.') : bare
}
