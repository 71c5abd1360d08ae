import { faultCode } from '@/lib/core/fault-code'
import { slicer } from '@/lib/core/slices'
import { FileProblem } from './fault'
import { textOf } from './tables/text'

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
function recordAt(
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

/**
 * Returns what is said of a file that the system does not read, made an error by `as`; any other error is none of the file's and is
 * returned as it is.
 */
export function unreadable(error: unknown, as = (words: string) => new FileProblem(words)): unknown {
  const code = faultCode(error)
  return code === undefined ? error : as(`The file cannot be read (${code}).`)
}

const MOST = `${LONGEST_RECORD.toLocaleString('en-US')} characters`
const NOT_CLOSED = 'A quote (") is not closed.'
const NOT_CLOSED_SOON = `A quote (") is not closed within ${MOST}.`
const TOO_LONG = `A row is longer than ${MOST}.`

/**
 * Reads records from text that arrives in chunks: `add` a chunk, then call `next` until it returns undefined.
 * @throws FileProblem when a record is too long, or a quote is not closed
 */
export class Records {
  /** The line the next record begins on. */
  line = 1
  private text = ''
  private at = 0

  constructor(private readonly delimiter: Delimiter = ',') {}

  add(text: string): void {
    this.text = this.text.slice(this.at) + text
    this.at = 0
  }

  /** Returns the next record; undefined when it needs more text. The last record needs no line end. */
  next(isEnd: boolean): CsvRecord | undefined {
    const { text, at } = this
    if (at >= text.length) return undefined
    const found = recordAt(text, at, this.line, this.delimiter)
    // A line feed may still follow a carriage return at the end, and a second quote may follow a quote.
    const isWhole = found !== undefined && (isEnd || found.next < text.length)
    const end = isWhole ? Math.min(found.next, text.length) : text.length
    if (end - at > LONGEST_RECORD) throw this.problem(found ? TOO_LONG : NOT_CLOSED_SOON)
    if (!isWhole) {
      if (isEnd) throw this.problem(NOT_CLOSED)
      return undefined
    }
    this.at = found.next
    if (isEnd && !/[\r\n]/.test(text[end - 1] ?? '')) found.record.isUnended = true
    this.line = found.record.lastLine + 1
    return found.record
  }

  problem(why: string): FileProblem {
    return new FileProblem(`${why} Nothing from line ${this.line} on was read.`, this.line)
  }
}

/**
 * Reads a CSV file as a stream of records; it skips blank lines and lines with only commas. It yields to other work every few
 * milliseconds, which includes the time that its caller spends on a record.
 * @throws FileProblem when the file cannot be read, a record is too long, or a quote is not closed
 */
export async function* readCsv(path: string, delimiter: Delimiter = ','): AsyncGenerator<CsvRecord, undefined> {
  const records = new Records(delimiter)
  const breathe = slicer(2)
  const texts = textOf(path)
  try {
    for (let isEnd = false; !isEnd; ) {
      const piece = await texts.next().catch((error: unknown) => {
        throw unreadable(error, (words) => records.problem(words))
      })
      isEnd = piece.done === true
      if (!piece.done) records.add(piece.value)
      for (let record = records.next(isEnd); record; record = records.next(isEnd)) {
        await breathe()
        if (record.cells.some((cell) => cell.trim() !== '')) yield record
      }
    }
  } finally {
    await texts.return(undefined)
  }
  return undefined
}
