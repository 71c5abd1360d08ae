import { parseEmail, parsePhone } from '@/lib/core/contact'
import { parseMoney } from '@/lib/core/money'
import type { ResourceName } from '@/lib/core/resource-names'
import { parseExportedDate } from '@/lib/core/time'
import { canonicalUnit } from '@/lib/knowledge/materials/units'
import { LONGEST_TEXT } from '@/lib/resources/csv'
import { type Notation, plainAmount, plainDate } from './values'

/** The value of a cell, with a note where it counts as less than it says, or why it cannot be used. `null` is a blank cell. */
export type Read = { value: string | null; note?: string } | { reason: string }

/** A column of a file: the field it fills, its accepted headers, and how its cells are read. */
export type Column = {
  field: string
  /** The type of its cells, where the order of dates or a country settles how they are read. */
  cell?: 'moment' | 'day' | 'money' | 'sum' | 'phone' | undefined
  /** The documented header first; all are matched without case, spaces and punctuation. */
  headers: [string, ...string[]]
  /** Headers read in place of `headers` where none of those is in the file; the first that is in it counts. */
  aliases?: readonly string[]
  required?: true
  /** The field whose column this one reads too. */
  alsoOf?: string
  /** True when the file must have the column. */
  expected?: true
  read(text: string): Read
}

/**
 * A kind of file: its name and columns. The first column is the reference that identifies a row, unless `identity` names the fields
 * that identify it together. A file must have at least one of the fields in `oneOf`. Its rows go into `table`.
 */
export type FileKind = {
  file: string
  /** The resource that its rows are. */
  resource?: ResourceName
  table: string
  columns: [Column, ...Column[]]
  oneOf?: string[]
  identity?: string[]
}

const refused = (reason: string): Read => ({ reason })

/** The longest text any column accepts, so that no pattern reads more. */
export const LONGEST_CELL = LONGEST_TEXT

/** Returns why no column accepts a text, or undefined. Invalid UTF-8 arrives as U+FFFD, so the original bytes are lost. */
export function unfit(cell: string): string | undefined {
  if (cell.length > LONGEST_CELL) return `is longer than ${LONGEST_CELL} characters`
  if (/(?![\n\t])\p{Cc}/u.test(cell)) return 'contains control characters'
  if (/[\ufffd\p{Surrogate}]/u.test(cell)) return 'contains characters that are not UTF-8; save the file as CSV UTF-8'
  return undefined
}

/** Reads text up to a length. */
export const text =
  (max: number) =>
  (cell: string): Read =>
    cell.length > max ? refused(`is longer than ${max} characters`) : { value: cell }

const via =
  (parse: (cell: string) => string | undefined, reason: string) =>
  (cell: string): Read => {
    const value = parse(cell)
    return value === undefined ? refused(reason) : { value }
  }

export const reference = text(100)
/** A state's code in capitals, or its name. */
export const state = (cell: string): Read => text(50)(cell.length === 2 ? cell.toUpperCase() : cell)
export const email = via(parseEmail, 'is not an email address')
/** A phone number as it is written. One that cannot be dialed is kept and noted, because the customer is worth more than the number. */
export const phone = (cell: string): Read => {
  if (cell.length > 100) return { value: null, note: 'is longer than 100 characters; it counts as blank' }
  return parsePhone(cell) ? { value: cell } : { value: cell, note: 'cannot be a phone number; it is kept as written' }
}
/** A postal code; what is longer than any counts as blank. */
export const zip = (cell: string): Read =>
  cell.length > 20 ? { value: null, note: 'is no postal code; it counts as blank' } : { value: cell }
export const money = via(parseMoney, 'is not an amount such as $1,250.00')
export const sum = via((cell) => {
  const amount = parseMoney(cell)
  return amount?.startsWith('-') ? undefined : amount
}, 'is not an amount of zero or more such as $1,250.00')
/** A unit cost of up to four decimals, as small parts have it. `1.250` may be a thousand elsewhere, so it is asked, not guessed. */
export const price = (cell: string): Read => {
  if (/^\D*[1-9]\d{0,2}\.\d{3}\D*$/.test(cell))
    return refused('may be thousands or thousandths; write 1.25 or 1.2500 for one and a quarter, 1250 for thousands')
  const amount = parseMoney(cell, 4)
  return amount === undefined || amount === '0.00' || amount.startsWith('-')
    ? refused('is not a price above zero such as $12.50 or 0.0475, of at most four decimals')
    : { value: amount }
}
export const quantity = via((cell) => {
  const number = cell.replaceAll(',', '')
  return /^\d{1,9}(\.\d{1,3})?$/.test(number) ? number : undefined
}, 'is not a quantity such as 45 or 2.75: not negative, at most three decimals')
export const itemKey = via((cell) => {
  const key = cell.toLowerCase().replace(/\s+/g, '-')
  return /^[a-z0-9][a-z0-9._-]{0,99}$/.test(key) ? key : undefined
}, 'is not an item key such as drywall-1-2-4x8: letters, digits, dots, dashes, at most 100')
export const unit = via(
  (cell) => (cell.length <= 20 ? canonicalUnit(cell) : undefined),
  'is longer than 20 characters; use a unit such as bundle, yd3 or each',
)

/** A date as ISO text. An offset can move the last day of 9999 into a year the database does not accept. */
function isoMoment(cell: string): string | undefined {
  const date = parseExportedDate(cell) ?? parseExportedDate(plainDate(cell, { dates: 'mdy', zone: 'UTC' }))
  return date && date.getUTCFullYear() <= 9999 ? date.toISOString() : undefined
}
const NOT_A_DATE = 'is not a date such as 11/20/2026 or 2026-11-20'
export const moment = via(isoMoment, NOT_A_DATE)
export const day = via((cell) => isoMoment(cell)?.slice(0, 10), NOT_A_DATE)
export const currency = via(
  (cell) => (/^[a-z]{3}$/i.test(cell) ? cell.toUpperCase() : undefined),
  'is not a currency code such as USD',
)

/** Reads words for one of a set of values, compared without case, spaces and punctuation. */
export function oneOf(words: Record<string, string[]>) {
  const values = new Map(
    Object.entries(words).flatMap(([value, others]) => [value, ...others].map((word) => [plain(word), value] as const)),
  )
  return via((cell) => values.get(plain(cell)), `is not one of ${Object.keys(words).join(', ')}`)
}

/** The same, but other words count as a blank cell and are noted; `noneIs` says what that means. */
export function oneOfOrNone(words: Record<string, string[]>, noneIs = 'blank') {
  const read = oneOf(words)
  return (cell: string): Read => {
    const known = read(cell)
    return 'reason' in known ? { value: null, note: `${known.reason}; it counts as ${noneIs}` } : known
  }
}

/** Returns a header or word in lower case, without spaces and punctuation. */
export const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Returns a kind whose cells are read in the notation of a file: the order of its dates, its decimal mark, the office's zone and country. */
export function inNotation(kind: FileKind, notation: Notation): FileKind {
  const [first, ...rest] = kind.columns
  const read = (column: Column): Column => {
    const { cell } = column
    if (cell === 'moment' || cell === 'day')
      return { ...column, read: (text) => column.read(parseExportedDateIso(text) ? text : plainDate(text, notation)) }
    if (cell === 'money' || cell === 'sum')
      return { ...column, read: (text) => column.read(plainAmount(text, notation.decimals)) }
    return column
  }
  return { ...kind, columns: [read(first), ...rest.map(read)] }
}

/** Reports whether a date is written in ISO 8601, which no notation changes. */
const parseExportedDateIso = (text: string): boolean => /^\d{4}-\d{2}-\d{2}(?:$|T)/.test(text)
