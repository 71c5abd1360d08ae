import type { ReactNode } from 'react'
import { cleanText } from '@/lib/core/clean'
import type { Desk } from '@/lib/core/desk'
import type { Tone } from './badge'

/** The sorting of a list by a column: the link that sorts it, and the current order if it is sorted by this column. */
export type Sort = { href: string; now?: 'ascending' | 'descending' | undefined }

/** What a cell holds; null and undefined are shown as a dash. */
export type Cell = string | number | Date | null | undefined

/**
 * A typed column: one definition gives its cell, its place in a narrow window, its total, its print and its CSV. `day` is a stored day
 * (`2026-11-20`), `moment` a date. `status` is a word with a tone. Text is cleaned here.
 */
export type DataColumn<Row> = {
  name: string
  head: string
  kind: 'text' | 'money' | 'count' | 'percent' | 'day' | 'moment' | 'status' | 'phone' | 'email' | 'code'
  value: (row: Row) => Cell
  /** Writes the text for people. Browsers load tables too, and the numbering of phones is longer than all of them: a list of phones brings it. */
  written?: (text: string, at: Desk) => string
  /** The page that the cell leads to. */
  href?: (row: Row) => string | undefined
  /** The currency of an amount that may differ from the contractor's. */
  currency?: (row: Row) => string | undefined
  tone?: (row: Row) => Tone
  /** 1 is shown in every window, 2 from about 1,024 px, 3 from about 1,440 px. A narrow one shows ranks 1 and 2 in two lines. */
  rank?: 1 | 2 | 3
  /**
   * The line of a narrow window that it stands in, where that is not the first one for the main amount and the second one for the rest.
   * `labeled` is the second one, behind the column's name.
   */
  narrow?: 'first' | 'second' | 'labeled' | 'none'
  /** Text that is never long, such as a number of the office: its column takes no more than it needs. */
  isShort?: true
  /** Text that is read whole, such as a reason: it wraps instead of ending in an ellipsis. */
  isLong?: true
  /** A second line below the first column, in quiet type. */
  under?: (row: Row) => string | undefined
  /** What stands below the column in the line of totals. */
  total?: Cell
  sort?: Sort | undefined
}

/** A column whose cells are no single value: buttons, links of their own, several lines. It has no place in a file. */
export type PartsColumn<Row> = {
  name: string
  head: string
  kind: 'parts'
  parts: (row: Row) => ReactNode
  rank?: 1 | 2 | 3
  /** The width that its parts need, where it is not a share of what is left. */
  width?: `@xl:w-${number}`
  /** It has figures, which stand at the end. */
  isFigure?: true
  /** Buttons need no head that is seen. */
  isAction?: true
}

export type TableColumn<Row> = DataColumn<Row> | PartsColumn<Row>

/** Returns a stored word as people write it: `in_progress` as `In progress`, `ach` as `ACH`. */
export const sentence = (word: string): string =>
  ['ach', 'sms', 'api'].includes(word)
    ? word.toUpperCase()
    : word.replaceAll('_', ' ').replace(/^./, (c) => c.toUpperCase())

const MIDNIGHT = /T00:00:00(\.0+)?Z$/

/** Returns the day that a stored day or moment means for the contractor: a plain day is stored as midnight UTC. */
export const storedDay = (text: string, { words }: Pick<Desk, 'words'>): string =>
  text.length > 10 && !MIDNIGHT.test(text) ? words.dayOf(new Date(text)) : text.slice(0, 10)

const plain = (value: string | number | Date) =>
  typeof value === 'number' ? value.toLocaleString('en-US') : cleanText(String(value))

/** Returns a cell's text as people read it; undefined where there is nothing. */
export function cellText<Row>(
  { kind, currency, written }: DataColumn<Row>,
  value: Cell,
  row: Row | undefined,
  at: Desk | undefined,
) {
  if (value === null || value === undefined || value === '') return undefined
  if (!at) return plain(value)
  const { words } = at
  if (value instanceof Date) return words.moment(value, at.now)
  if (typeof value === 'number') {
    if (kind === 'money') return words.money(value, row && currency?.(row))
    return kind === 'percent' ? words.percent(value) : words.number(value)
  }
  const text = cleanText(value)
  if (kind === 'day') return words.day(storedDay(text, at))
  if (kind === 'moment') return words.moment(new Date(text), at.now)
  if (kind === 'status') return sentence(text)
  return written ? written(text, at) : text
}

/** Returns a cell as a file holds it: amounts and counts as plain numbers, days and moments in ISO form. */
export function fileCell<Row>({ kind, value }: DataColumn<Row>, row: Row, at?: Desk): string | number | null {
  const found = value(row)
  if (found === null || found === undefined) return null
  if (found instanceof Date) return found.toISOString()
  if (typeof found === 'number') return found
  if (kind === 'day') return at ? storedDay(found, at) : found.slice(0, 10)
  return cleanText(found)
}
