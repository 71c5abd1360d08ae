/** A record of a file, the lines it stands on (the first is 1), and whether a stray quote drew lines together into it. */
export type CsvRecord = { line: number; lastLine: number; cells: string[]; stray: boolean }

/** Cells of a record that are kept; a record with one more than these has too many. */
export const MOST_CELLS = 512
/** Ten times what the fields of a row can hold together. Characters. */
export const LONGEST_RECORD = 131_072

/** Blanks before a cell mean nothing; a line's end is never one of them. */
const BLANKS = /[^\S\r\n]*/y
const CELL_END = /[,\r\n]/g
const LINE_END = /\r\n|\r|\n/g

/** Where a pattern stands from a place on; the text's end when it does not. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

/** Behind the blanks that begin at a place. */
function afterBlanks(text: string, from: number): number {
  BLANKS.lastIndex = from
  BLANKS.test(text)
  return BLANKS.lastIndex
}

const isCellEnd = (character: string | undefined) =>
  character === undefined || character === ',' || character === '\r' || character === '\n'

/** A cell, where its text ends, and the line ends within its quotes. */
type Cell = { text: string; end: number; lineEnds: number; stray: boolean }

/** A cell in quotes: up to the next single quote. Undefined while that may still come. */
function quotedCell(text: string, at: number): Cell | undefined {
  let close = text.indexOf('"', at + 1)
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2)
  if (close === -1) return undefined
  const inside = text.slice(at + 1, close)
  const value = inside.replaceAll('""', '"')
  const lineEnds = inside.match(LINE_END)?.length ?? 0
  if (isCellEnd(text[close + 1])) return { text: value, end: close + 1, lineEnds, stray: false }
  // The quote closes within a text, so none of them was meant to open or close a cell.
  const end = find(CELL_END, text, close + 1)
  return { text: `"${value}${text.slice(close, end)}`, end, lineEnds, stray: lineEnds > 0 }
}

function cellAt(text: string, from: number): Cell | undefined {
  const at = afterBlanks(text, from)
  if (text[at] === '"') return quotedCell(text, at)
  // `6" gutter` in a cell without quotes is common in exports and means what it says.
  const end = find(CELL_END, text, at)
  return { text: text.slice(at, end), end, lineEnds: 0, stray: false }
}

/**
 * Reads the record that begins at a place of a text, which must not be the text's end. Every character is looked at a bounded number of
 * times, whatever stands there.
 * @param line the line it begins on
 * @returns the record and where the next begins; undefined when it does not end within the text
 */
export function recordAt(text: string, from: number, line: number): { record: CsvRecord; next: number } | undefined {
  const record: CsvRecord = { line, lastLine: line, cells: [], stray: false }
  for (let at = from; ; at++) {
    const cell = cellAt(text, at)
    if (!cell) return undefined
    if (record.cells.length <= MOST_CELLS) record.cells.push(cell.text)
    record.lastLine += cell.lineEnds
    record.stray ||= cell.stray
    at = cell.end
    if (text[at] === ',') continue
    return { record, next: text.startsWith('\r\n', at) ? at + 2 : at + 1 }
  }
}
