import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { CSV_MARK, csvLine } from '@/lib/core/csv-line'
import type { Fault } from './fault'
import { fits } from './join/recognize'
import { KINDS } from './kinds'
import { REASON_COLUMN } from './mapping/shape'
import { recognize } from './sources/recognize'
import { openTable } from './tables/open'

/** The most rows that are written. */
const MOST_ROWS = 50_000

/** Collects why the rows of files were refused, by file and line. */
export class Refusals {
  private readonly files = new Map<string, Map<number, string[]>>()
  private rows = 0

  note({ file, line, field, reason }: Fault): void {
    if (line === null) return
    const lines = this.files.get(file) ?? new Map<number, string[]>()
    this.files.set(file, lines)
    const reasons = lines.get(line)
    const text = field === null ? reason : `${field} ${reason}`
    if (reasons) reasons.push(text)
    else if (this.rows++ < MOST_ROWS) lines.set(line, [text])
  }

  /**
   * Writes the refused rows of each file of a folder as CSV, with a column that says why, so that they can be corrected and loaded.
   * @returns the names of the files that have some
   */
  async write(folder: string, into: string): Promise<string[]> {
    await rm(into, { recursive: true, force: true })
    await mkdir(into, { recursive: true, mode: 0o700 })
    const written: string[] = []
    const there = await readdir(folder)
    for (const [name, lines] of this.files) {
      // Our own files are called so whatever their case.
      const actual = there.find((each) => each === name) ?? there.find((each) => each.toLowerCase() === name)
      if (actual !== undefined && (await writeRows(join(folder, actual), name, lines, into))) written.push(name)
    }
    return written
  }
}

/** The name under which the refused rows of a file are downloaded and kept; of `jobs.csv` and `jobs.xlsx` each has its own. */
export const refusedName = (file: string): string => `${file}.refused.csv`

async function writeRows(path: string, name: string, lines: Map<number, string[]>, into: string): Promise<boolean> {
  const own = KINDS.find(({ file }) => file === name)
  const knows = (cells: string[]) => recognize(cells) !== undefined || (own !== undefined && fits(own, cells))
  const { header, rows } = await openTable({ path, name }, knows)
  let count = 0
  async function* written() {
    // A byte order mark, because Excel reads a CSV file without one as Windows-1252.
    yield `${CSV_MARK}${csvLine([...header, REASON_COLUMN])}`
    for await (const { line, lastLine, cells } of rows) {
      const reasons = reasonsAt(lines, line, lastLine)
      if (reasons.length === 0) continue
      count++
      const padded = [...cells, ...Array.from({ length: Math.max(0, header.length - cells.length) }, () => '')]
      yield csvLine([...padded, reasons.join('; ')])
    }
  }
  const place = join(into, refusedName(name))
  await pipeline(written, createWriteStream(place, { mode: 0o600 }))
  if (count === 0) await rm(place, { force: true })
  return count > 0
}

/** Returns why the row of these lines was refused. */
function reasonsAt(lines: Map<number, string[]>, line: number, lastLine: number): string[] {
  const found: string[] = []
  for (let at = line; at <= lastLine; at++) found.push(...(lines.get(at) ?? []))
  return found
}
