import type { Range } from './dates'
import type { Understood } from './understand'
import { closeness, stemsOf } from './words'

/** A row of a list. */
export type Row = Record<string, unknown>
/** A value with its path. */
export type Leaf = { path: readonly string[]; value: unknown }

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns every value of an answer with its path; a row of a list is called by what identifies it, such as a period or a category. */
export function leavesOf(value: unknown, path: readonly string[] = []): Leaf[] {
  if (Array.isArray(value)) return value.flatMap((one, i) => leavesOf(one, [...path, `#${i}`]))
  if (!isRow(value)) return [{ path, value }]
  const { name, value: said } = value
  // A fact says its own name: `{name: 'Amount', value: '12.50 USD'}`.
  if (typeof name === 'string' && typeof said === 'string')
    return [{ path: [...path, name], value: figureIn(said) ?? said }]
  return Object.entries(value).flatMap(([field, inner]) => leavesOf(inner, [...path, field]))
}

/** The figure a text begins with, where it is one of money. */
const figureIn = (text: string): number | undefined => {
  const [figure] = /^-?\d[\d,]*\.\d\d\b/.exec(text) ?? []
  return figure === undefined ? undefined : Number(figure.replaceAll(',', ''))
}

/** Lists of rows in an answer, the longest first. */
export function listsIn(value: unknown, path: readonly string[] = []): { path: readonly string[]; rows: Row[] }[] {
  const inner = isRow(value) ? Object.entries(value).flatMap(([name, one]) => listsIn(one, [...path, name])) : []
  return Array.isArray(value) && value.some(isRow) ? [{ path, rows: value.filter(isRow) }] : inner
}

const DAY = /^(\d{4}-\d{2}-\d{2})(T|$)/
/** The day of a value that is a day or a moment. */
export const dayIn = (value: unknown) => (typeof value === 'string' ? DAY.exec(value)?.[1] : undefined)
/** Reports whether a day is in a period. */
export const inRange = (day: string, { from = '', to = '9' }: Range) => day >= from && day <= to
const wordsIn = (name: string) => new Set(stemsOf(name))
/** Measures how much of some words a name says. */
export const overlap = (name: string, words: ReadonlySet<string>) =>
  [...words].reduce((sum, word) => sum + closeness(word, wordsIn(name)), 0)

/** The same, less for words of the name that nobody said. */
export const precision = (name: string, words: ReadonlySet<string>) => {
  const own = [...wordsIn(name)]
  return overlap(name, words) - 0.3 * own.filter((word) => closeness(word, words) === 0).length
}

/** The field of rows of a kind that fits the question’s words best. */
export function bestField(
  rows: readonly Row[],
  question: Understood,
  accept: (value: unknown) => boolean,
): string | undefined {
  const names = [
    ...new Set(
      rows.flatMap((row) =>
        Object.entries(row)
          .filter(([, value]) => accept(value))
          .map(([name]) => name),
      ),
    ),
  ]
  return names.sort((a, b) => overlap(b, question.words) - overlap(a, question.words))[0]
}
