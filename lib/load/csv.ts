import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { type Options, type Parser, parse } from 'csv-parse'
import { FileProblem } from './report'

/** A record of a file, the lines it stands on (the first is 1), and whether a stray quote drew lines together into it. */
export type CsvRecord = { line: number; lastLine: number; cells: string[]; stray: boolean }

const CSV: Options = {
  bom: true,
  // Named, because left to itself the parser goes by the first line's end only, and files pasted together mix them.
  record_delimiter: ['\r\n', '\n', '\r'],
  // `6" gutter` in a cell without quotes is common in exports and means what it says.
  relax_quotes: true,
  ltrim: true,
  relax_column_count: true,
  raw: true,
  skip_records_with_error: true,
}

/** A quote that is never closed takes the rest of the file for one cell; beyond this nobody waits for its end. */
const LONGEST_CELL_BYTES = 2_000_000

type Parsed = { record: string[]; raw: string }

/** The file's bytes, up to a cell without an end. */
async function* chunks(path: string, parser: Parser, onEndless: () => void) {
  let bytes = 0
  for await (const chunk of createReadStream(path)) {
    yield chunk
    bytes += chunk.length
    if (bytes - parser.info.bytes > LONGEST_CELL_BYTES) return onEndless()
  }
}

const LINE_END = /\r\n|\r|\n/g
const lineEnds = (cells: string[]) => cells.reduce((sum, cell) => sum + (cell.match(LINE_END)?.length ?? 0), 0)

/**
 * Whether a cell was opened by a quote, ran over a line's end, and met the next quote within a text: the parser then takes all
 * of it literally. A cell that truly begins with a quote stands in the file with that quote doubled.
 */
const isStray = (cell: string, raw: string) =>
  cell.startsWith('"') && /[\r\n]/.test(cell) && !raw.includes(`"${cell.replaceAll('"', '""')}"`)

/**
 * Reads a CSV file as a stream of records; blank lines, and lines of commas only, are passed over. Lines are counted here,
 * since the parser takes each CR LF inside quotes for two.
 * @throws FileProblem when the file cannot be read, or no further
 */
export async function* readCsv(path: string): AsyncGenerator<CsvRecord, undefined> {
  const parser = parse(CSV)
  let trouble: string | undefined
  // With these options one error is left: the input ends inside quotes.
  parser.on('skip', () => {
    trouble = 'A quote (") is not closed.'
  })
  const onEndless = () => {
    trouble = 'A cell is longer than 2 MB.'
  }
  // An error reaches the loop below through the parser.
  pipeline(
    () => chunks(path, parser, onEndless),
    parser,
    () => {},
  )
  let line = 1
  try {
    for await (const parsed of parser) {
      const { record: cells, raw }: Parsed = parsed
      // The beginning of a record whose end was not waited for is none.
      if (trouble !== undefined && !/[\r\n]$/.test(raw)) break
      const next = line + 1 + lineEnds(cells)
      const stray = cells.some((cell) => isStray(cell, raw))
      if (cells.some((cell) => cell.trim() !== '')) yield { line, lastLine: next - 1, cells, stray }
      line = next
    }
  } catch (error) {
    trouble = `The file cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).`
  }
  if (trouble !== undefined) throw new FileProblem(`${trouble} Nothing from line ${line} on was read.`, line)
  return undefined
}
