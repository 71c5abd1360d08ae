import { createReadStream } from 'node:fs'
import { type Options, parse } from 'csv-parse'
import { type Column, type FileKind, plain } from './columns'
import type { Fault } from './report'

/** A row whose every cell could be read: values by field; a field whose column is absent is absent here too. */
export type Row = { line: number; values: Record<string, string | null> }

/** What a file yields, in its order. */
export type Item = { row: Row } | { faults: Fault[] }

/** A file whose header cannot be used: nothing of it is loaded. */
export class UnusableFile extends Error {
  override name = 'UnusableFile'
}

/** Which column stands where in a file, and the headers that mean nothing. */
export type Layout = { columns: (Column | undefined)[]; fields: string[]; ignored: string[] }

/**
 * Matches a file's header to the columns of its kind.
 * @throws UnusableFile when a required column is missing or two headers mean the same
 */
export function matchHeader(kind: FileKind, header: string[]): Layout {
  const columns = header.map((name) =>
    kind.columns.find(({ headers }) => headers.some((known) => plain(known) === plain(name))),
  )
  for (const [i, column] of columns.entries()) {
    const first = columns.indexOf(column)
    if (column && first !== i)
      throw new UnusableFile(`The columns ${header[first]} and ${header[i]} mean the same. Remove one.`)
  }
  const missing = kind.columns
    .filter((column) => column.required && !columns.includes(column))
    .map(({ headers }) => headers[0])
  if (missing.length > 0)
    throw new UnusableFile(`The column ${missing.join(', ')} is missing. The first line must name the columns.`)
  return {
    columns,
    fields: columns.flatMap((column) => (column ? [column.field] : [])),
    ignored: header.filter((name, i) => !columns[i] && name.trim() !== ''),
  }
}

/** Reads the cells of one row; all its faults at once. */
export function readRow(kind: FileKind, { columns }: Layout, cells: string[], line: number): Item {
  const values: Row['values'] = {}
  const faults: Fault[] = []
  for (const [i, column] of columns.entries()) {
    if (!column) continue
    const cell = (cells[i] ?? '').trim()
    const fault = (reason: string) =>
      faults.push({ file: kind.file, line, field: column.headers[0], value: cell, reason })
    if (cell === '') {
      if (column.required) fault('is blank')
      values[column.field] = null
      continue
    }
    const read = column.read(cell)
    if ('reason' in read) fault(read.reason)
    else values[column.field] = read.value
  }
  return faults.length > 0 ? { faults } : { row: { line, values } }
}

const CSV: Options = {
  bom: true,
  // `6" gutter` in a cell without quotes is common in exports and means what it says.
  relax_quotes: true,
  info: true,
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
  max_record_size: 1_000_000,
}

type Parsed = { record: string[]; info: { lines: number } }

const countOf = (cells: string[], pattern: RegExp) =>
  cells.reduce((sum, cell) => sum + (cell.match(pattern)?.length ?? 0), 0)

/** Finds the line a record begins on: the parser counts to its end, and takes each CR LF inside quotes for two lines. */
class LineCounter {
  private counted = 0

  beginning({ record, info }: Parsed): number {
    const line = info.lines - this.counted - countOf(record, /[\r\n]/g)
    this.counted += countOf(record, /\r\n/g)
    return line
  }
}

/**
 * Reads a CSV file as a stream: the header's layout first through `onLayout`, then its rows in order. A line that is no CSV is
 * yielded as a fault and the reading goes on.
 * @throws UnusableFile when the header is missing or cannot be used
 */
export async function* readRows(
  kind: FileKind,
  path: string,
  onLayout: (layout: Layout) => void,
): AsyncGenerator<Item> {
  const parser = parse(CSV)
  const broken: Fault[] = []
  parser.on('skip', (error: { message: string; lines?: number } | undefined) => {
    broken.push({
      file: kind.file,
      line: error?.lines ?? null,
      field: null,
      value: null,
      reason: `is not valid CSV (${error?.message ?? 'unreadable'})`,
    })
  })
  const source = createReadStream(path)
  source.on('error', (error) => parser.destroy(error))
  source.pipe(parser)
  let layout: Layout | undefined
  const lines = new LineCounter()
  for await (const parsed of parser as AsyncIterable<Parsed>) {
    const { record } = parsed
    const line = lines.beginning(parsed)
    for (const fault of broken.splice(0)) yield { faults: [fault] }
    if (!layout) {
      layout = matchHeader(kind, record)
      onLayout(layout)
    } else if (record.length > layout.columns.length) {
      const reason = `has ${record.length} cells where the header has ${layout.columns.length}; a value with a comma needs quotes`
      yield { faults: [{ file: kind.file, line, field: null, value: null, reason }] }
    } else {
      yield readRow(kind, layout, record, line)
    }
  }
  for (const fault of broken) yield { faults: [fault] }
  if (!layout) throw new UnusableFile('The file is empty. The first line must name the columns.')
}
