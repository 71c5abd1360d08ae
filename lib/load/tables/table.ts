import type { CsvRecord, Delimiter } from '../csv'
import type { Encoding } from './text'

/** A file to read, and the name that its owner knows it by: an upload lies under another one. */
export type TableSource = { path: string; name?: string }

/** The structure of a file. Lines begin at 1; a workbook's are the row numbers that Excel shows. */
export type TableFormat = { headerRow: number } & (
  | { kind: 'text'; encoding: Encoding; delimiter: Delimiter }
  | { kind: 'iif'; encoding: Encoding; delimiter: '\t' }
  | { kind: 'workbook'; sheet: string; sheets: string[] }
)

/** Decides whether a row is a header that somebody knows: the first such row of a file is its header. */
export type KnowsHeader = (cells: string[]) => boolean

/**
 * A file as a table. `rows` are what follows the header, without blank rows; each iteration reads the file from the start, as a stream.
 * `preamble` is what stands before the header. A row may have more or fewer cells than the header.
 */
export type Table = {
  name: string
  format: TableFormat
  header: string[]
  preamble: string[][]
  rows: AsyncIterable<CsvRecord>
  /** Notes for a person on how it was read, as sentences. */
  notes: string[]
}

/** The number of rows looked at for a header. */
export const FIRST_ROWS = 30

const isBlank = (cell: string) => cell.trim() === ''

/**
 * Finds the header among the first rows: one that is known, otherwise the first of those with the most cells that are not blank, when
 * none of its cells is a number or a date.
 * @returns its index; 0 when no row stands out
 */
export function headerAmong(rows: string[][], knows: KnowsHeader): number {
  const known = rows.findIndex(knows)
  if (known >= 0) return known
  const filled = rows.map((cells) => cells.filter((cell) => !isBlank(cell)).length)
  const most = Math.max(0, ...filled)
  const isWords = (cells: string[]) => cells.every((cell) => !/^[\s$€(+-]*\d[\d\s.,:/)-]*$/.test(cell))
  const found = rows.findIndex((cells, i) => (filled[i] ?? 0) * 3 >= most * 2 && isWords(cells))
  return Math.max(0, found)
}
