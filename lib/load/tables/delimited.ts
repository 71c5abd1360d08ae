import { open } from 'node:fs/promises'
import { type CsvRecord, DELIMITERS, type Delimiter, Records, readCsv, unreadable } from '../csv'
import { FileProblem } from '../fault'
import { FIRST_ROWS, headerAmong, type KnowsHeader, type Table } from './table'
import { Decoder } from './text'

/** The part of a file that is looked at for its delimiter and its header. */
const SAMPLE_BYTES = 256 * 1024

/** Reads the first bytes of a file. @throws FileProblem when it cannot be read */
export async function headOf(path: string, size = SAMPLE_BYTES): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(error)
  })
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(size), 0, size, 0)
    return { bytes: buffer.subarray(0, bytesRead), isWhole: bytesRead < size }
  } catch (error) {
    throw unreadable(error)
  } finally {
    await file.close()
  }
}

/** Reads the first records of a text; none of what is damaged. */
function firstRecords(text: string, isEnd: boolean, delimiter: Delimiter): CsvRecord[] {
  const records = new Records(delimiter)
  const found: CsvRecord[] = []
  try {
    records.add(text)
    for (let next = records.next(isEnd); next && found.length < FIRST_ROWS; next = records.next(isEnd))
      if (next.cells.some((cell) => cell.trim() !== '')) found.push(next)
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
  }
  return found
}

/** Rates a delimiter: how many cells most rows have with it, if rows agree. */
function rate(records: CsvRecord[]): number {
  const counts = new Map<number, number>()
  for (const { cells } of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1)
  return Math.max(0, ...[...counts].map(([cells, rows]) => (cells - 1) * rows))
}

/** Opens a file of text with delimiters. @throws FileProblem when it cannot be read or is empty */
export async function openDelimited(path: string, name: string, knows: KnowsHeader): Promise<Table> {
  const { bytes, isWhole } = await headOf(path)
  const decoder = new Decoder()
  const text = decoder.write(bytes) + (isWhole ? decoder.end() : '')
  const read = DELIMITERS.map((delimiter) => ({ delimiter, records: firstRecords(text, isWhole, delimiter) }))
  const known = read.find(({ records }) => records.some(({ cells }) => knows(cells)))
  const best = read.reduce((a, b) => (rate(b.records) > rate(a.records) ? b : a))
  const { delimiter, records } = known ?? best
  const at = headerAmong(
    records.map(({ cells }) => cells),
    knows,
  )
  const header = records[at]
  if (!header) {
    // Nothing of the file could be read: the reader says why.
    for await (const _ of readCsv(path, delimiter)) break
    throw new FileProblem('The file is empty. It must have a row that names the columns.')
  }
  return {
    name,
    format: { kind: 'text', encoding: decoder.encoding ?? 'utf-8', delimiter, headerRow: header.line },
    header: header.cells.map((cell) => cell.trim()),
    preamble: records.slice(0, at).map(({ cells }) => cells),
    rows: { [Symbol.asyncIterator]: () => after(readCsv(path, delimiter), header.line) },
    notes: [],
  }
}

/** Skips the records up to a line. */
export async function* after(records: AsyncIterable<CsvRecord>, line: number): AsyncGenerator<CsvRecord> {
  for await (const record of records) if (record.line > line) yield record
}
