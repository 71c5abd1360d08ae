import { createReadStream } from 'node:fs'
import type { FileReport } from './report'

const LINE_FEED = 0x0a

/** Counts the lines of a file after the first, which is roughly its number of rows. */
async function countRows(path: string): Promise<number> {
  let lines = 0
  for await (const chunk of createReadStream(path))
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines++
  return Math.max(1, lines)
}

const count = (n: number) => Math.round(n).toLocaleString('en-US')

/** Formats a duration as a clock does: 0:07, 12:30, 1:05:00. */
export function clock(seconds: number): string {
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

const BAR = 24

/** The progress of a load: rows written of all rows in its files, rows per second, and the remaining time. */
export class LoadProgress {
  private readonly began = performance.now()
  private readonly done = new Map<string, number>()

  /** @param totals the files' rows by name */
  constructor(private readonly totals: Map<string, number>) {}

  static async of(paths: Map<string, string>): Promise<LoadProgress> {
    const totals = new Map<string, number>()
    for (const [name, path] of paths) totals.set(name, await countRows(path).catch(() => 1))
    return new LoadProgress(totals)
  }

  /** Returns the progress line. */
  line({ file, rows }: FileReport, isBar: boolean): string {
    this.done.set(file, rows)
    const sum = (numbers: Map<string, number>) => [...numbers.values()].reduce((all, n) => all + n, 0)
    const [done, total] = [sum(this.done), Math.max(sum(this.totals), sum(this.done))]
    const seconds = Math.max(0.001, (performance.now() - this.began) / 1000)
    const filled = Math.floor((BAR * done) / total)
    const bar = isBar ? `[${'#'.repeat(filled)}${' '.repeat(BAR - filled)}] ` : ''
    const left = clock(Math.ceil(((total - done) * seconds) / Math.max(1, done)))
    const percent = Math.floor((100 * done) / total)
    return `${file} ${bar}${percent}%, ${count(done)} of ${count(total)} rows, ${count(done / seconds)} rows/s, ${left} left`
  }
}
