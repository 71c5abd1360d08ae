import { faultCode } from '@/lib/core/fault-code'
import { slicer } from '@/lib/core/slices'
import { type CsvRecord, type Delimiter, LONGEST_RECORD, recordAt } from './csv-record'
import { FileProblem } from './fault'
import { textOf } from './tables/text'

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
