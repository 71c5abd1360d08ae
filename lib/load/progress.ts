import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import type { FileReport, ReadTo } from './report'

const LINE_FEED = 0x0a

/** Counts the lines of a file after the first, which is roughly its number of rows; undefined for a workbook, which has none. */
async function countRows(name: string, path: string): Promise<number | undefined> {
  if (extname(name).toLowerCase() === '.xlsx') return undefined
  let lines = 0
  for await (const chunk of createReadStream(path))
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++
  return Math.max(1, lines)
}

const count = (n: number) => Math.round(n).toLocaleString('en-US')

/** Formats a duration as a clock does: 0:07, 12:30, 1:05:00. */
function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

const BAR = 24
const sum = (numbers: Iterable<number>) => [...numbers].reduce((all, n) => all + n, 0)

/** The progress in reading a file, in rows of all the times that it is read. */
type Reading = { done: number; parts: number }

/** The progress of a load: rows read of all rows in its files, rows per second, and the remaining time. */
export class LoadProgress {
  private readonly began = performance.now()
  private readonly read = new Map<string, Reading>()

  /** @param totals the files' rows by name; undefined where they are not known before the file is read */
  constructor(private readonly totals: Map<string, number | undefined>) {}

  static async of(paths: Map<string, string>): Promise<LoadProgress> {
    const totals = new Map<string, number | undefined>()
    for (const [name, path] of paths) totals.set(name, await countRows(name, path).catch(() => 1))
    return new LoadProgress(totals)
  }

  /** Returns the progress line. A file that has records of several resources is read once for each, and its rows count each time. */
  line({ file, rows }: FileReport, read: ReadTo | undefined, isBar: boolean): string {
    if (read) this.note(read)
    const done = sum([...this.read.values()].map((each) => each.done))
    const seconds = Math.max(0.001, (performance.now() - this.began) / 1000)
    const total = this.total(done)
    if (total === undefined) return `${file}: ${count(rows)} rows, ${count(done / seconds)} rows/s`
    const filled = Math.floor((BAR * done) / total)
    const bar = isBar ? `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ` : ''
    const left = clock(Math.ceil(((total - done) * seconds) / Math.max(1, done)))
    const percent = Math.floor((100 * done) / total)
    return `${file} ${bar}${percent}%, ${count(done)} of ${count(total)} rows, ${count(done / seconds)} rows/s, ${left} left`
  }

  private note({ file, part, parts, line }: ReadTo): void {
    // A record can have several lines, and the header is one.
    const rows = this.totals.get(file) ?? line
    this.read.set(file, { done: (part - 1) * rows + Math.min(line, rows), parts })
  }

  /** Returns the rows to read in all, as far as files have said how often they are read; undefined when a file's rows are not known. */
  private total(done: number): number | undefined {
    const totals = [...this.totals].map(([name, rows]) =>
      rows === undefined ? undefined : rows * (this.read.get(name)?.parts ?? 1),
    )
    if (totals.some((rows) => rows === undefined)) return undefined
    return Math.max(sum(totals.flatMap((rows) => rows ?? [])), done)
  }
}
