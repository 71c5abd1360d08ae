import { parseEmail, parsePhone } from '@/lib/core/contact'
import { parseMoney } from '@/lib/core/money'
import { parseExportedDate } from '@/lib/core/time'

/** The value a cell stands for, or why it cannot be used. `null` is a blank cell. */
export type Read = { value: string | null } | { reason: string }

/** A column of a file: the field it fills, the headers it is known by, and how a cell of it is read. */
export type Column = {
  field: string
  /** The documented header first; all are matched without case, spaces and punctuation. */
  headers: [string, ...string[]]
  required?: true
  read(text: string): Read
}

/** A file's kind: its name and columns; the first column is the reference by which a row is known again. */
export type FileKind = { file: string; noun: string; columns: [Column, ...Column[]] }

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be refused.
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

const refused = (reason: string): Read => ({ reason })

/** Text up to a length, without control characters or halves of characters. */
export const text =
  (max: number) =>
  (cell: string): Read => {
    if (CONTROL.test(cell)) return refused('contains control characters')
    if (/\p{Surrogate}/u.test(cell)) return refused('contains half a Unicode character')
    return cell.length > max ? refused(`is longer than ${max} characters`) : { value: cell }
  }

const via =
  (parse: (cell: string) => string | undefined, reason: string) =>
  (cell: string): Read => {
    const value = parse(cell)
    return value === undefined ? refused(reason) : { value }
  }

export const reference = text(100)
export const email = via(parseEmail, 'is not an e-mail address')
export const phone = via((cell) => (parsePhone(cell) ? cell : undefined), 'cannot be a phone number')
export const money = via(parseMoney, 'is not an amount such as $1,250.00')
export const moment = via(
  (cell) => parseExportedDate(cell)?.toISOString(),
  'is not a date such as 11/20/2026 or 2026-11-20',
)
export const day = via(
  (cell) => parseExportedDate(cell)?.toISOString().slice(0, 10),
  'is not a date such as 11/20/2026 or 2026-11-20',
)
export const currency = via(
  (cell) => (/^[a-z]{3}$/i.test(cell) ? cell.toUpperCase() : undefined),
  'is not a currency code such as USD',
)

/** Words for one of a set of values, compared without case, spaces and punctuation. */
export function oneOf(words: Record<string, string[]>) {
  const values = new Map(
    Object.entries(words).flatMap(([value, others]) => [value, ...others].map((word) => [plain(word), value] as const)),
  )
  return via((cell) => values.get(plain(cell)), `is none of ${Object.keys(words).join(', ')}`)
}

/** A header or word without case, spaces and punctuation. */
export const plain = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]/g, '')
