/**
 * A record of a file, the lines it spans (the first is 1), and whether a stray quote joined several lines. The file's last record may
 * have no line end, which a file that was cut shows.
 */
export type CsvRecord = { line: number; lastLine: number; cells: string[]; stray: boolean; isUnended?: true }

/** The most cells kept of a record; one more marks it as too long. */
export const MOST_CELLS = 512
/** The longest record, in characters: ten times what the fields of a row can hold together. */
export const LONGEST_RECORD = 131_072

/** The character between two cells of a record. */
export type Delimiter = ',' | ';' | '\t' | '|'
export const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|']

/** Blanks before a cell are ignored; a line end or a delimiter is never one of them. */
const BLANKS = /[^\S\r\n\t]*/y
const BLANKS_AND_TABS = /[^\S\r\n]*/y
const CELL_END = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g, '|': /[|\r\n]/g }
const LINE_END = /\r\n|\r|\n/g

/** Returns where a pattern matches at or after a position, or the end of the text when it does not match. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** Reports whether a character is printable ASCII, which no blank is: most cells begin with one and need no pattern. */
const isPlain = (code: number) => code > 0x20 && code < 0x7f

/** Returns the position after the blanks that begin at a position. */
function afterBlanks(text: string, from: number, delimiter: Delimiter): number {
  if (isPlain(text.charCodeAt(from))) return from
  const blanks = delimiter === '\t' ? BLANKS : BLANKS_AND_TABS
  blanks.lastIndex = from
  blanks.test(text)
  return blanks.lastIndex
}

const isCellEnd = (character: string | undefined, delimiter: Delimiter) =>
  character === undefined || character === delimiter || character === '\r' || character === '\n'

/** A cell, where its text ends, and the line ends within its quotes. */
type Cell = { text: string; end: number; lineEnds: number; stray: boolean }

/** Reads a quoted cell up to its closing quote; undefined while more text may still bring it. */
function quotedCell(text: string, at: number, delimiter: Delimiter): Cell | undefined {
  let close = text.indexOf('"', at + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) return undefined
  const inside = text.slice(at + 1, close)
  const value = inside.replaceAll('""', '"')
  const lineEnds = inside.match(LINE_END)?.length ?? 0
  if (isCellEnd(text[close + 1], delimiter)) return { text: value, end: close + 1, lineEnds, stray: false }
  // Text follows the closing quote, so the quotes do not delimit a cell.
  const end = find(CELL_END[delimiter], text, close + 1)
  return { text: `"${value}${text.slice(close, end)}`, end, lineEnds, stray: lineEnds > 0 }
}

function cellAt(text: string, from: number, delimiter: Delimiter): Cell | undefined {
  const at = afterBlanks(text, from, delimiter)
  if (text[at] === '"') return quotedCell(text, at, delimiter)
  // `6" gutter` in an unquoted cell is common in exports and is taken literally.
  const end = isCellEnd(text[at], delimiter) ? at : find(CELL_END[delimiter], text, at)
  return { text: text.slice(at, end), end, lineEnds: 0, stray: false }
}

/**
 * Reads the record that begins at a position before the end of a text. Every character is read a bounded number of times, whatever
 * the input.
 * @param line the line it begins on
 * @returns the record and where the next one begins; undefined when the text ends before the record does
 */
export function recordAt(
  text: string,
  from: number,
  line: number,
  delimiter: Delimiter = ',',
): { record: CsvRecord; next: number } | undefined {
  const record: CsvRecord = { line, lastLine: line, cells: [], stray: false }
  for (let at = from; ; at++) {
    const cell = cellAt(text, at, delimiter)
    if (!cell) return undefined
    if (record.cells.length <= MOST_CELLS) record.cells.push(cell.text)
    record.lastLine += cell.lineEnds
    record.stray ||= cell.stray
    at = cell.end
    if (text[at] === delimiter) continue
    return { record, next: text.startsWith('\r\n', at) ? at + 2 : at + 1 }
  }
}
