import { cleanText } from '@/lib/core/clean'

/** The ways a text stands out on a terminal with colors. What it means is always in its words too. */
export type Style = 'bold' | 'red' | 'yellow' | 'green'

/** The place where a command writes: this terminal, or the connection to the terminal that called the running server. */
export type Io = {
  out(text: string, style?: Style): void
  err(text: string, style?: Style): void
  cwd: string
  /** The number of characters in a line of the terminal; undefined without one, where nothing is cut. */
  width?: number | undefined
  /** A signal aborted when nobody reads the output any more; undefined where the process ends with its reader. */
  gone?: AbortSignal
  /** Returns a signal aborted when the user wants the command to end; used by commands that can end early. */
  stop?: () => AbortSignal
  /** Replaces the last line on the terminal; undefined without a terminal. An empty text clears the line. */
  progress?: (line: string) => void
  /** Asks the user and returns what they typed; undefined where nobody can answer. */
  ask?: (question: string) => Promise<string>
}

/**
 * The same for a terminal: without escape sequences, control and bidirectional characters, which stored input may contain. Every
 * command writes through it.
 */
export const forTerminal = (io: Io): Io => ({
  ...io,
  out: (text, style) => io.out(cleanText(text), style),
  err: (text, style) => io.err(cleanText(text), style),
  ...(io.progress ? { progress: (line) => io.progress?.(cleanText(line)) } : {}),
})

const UNSEEN = /(?!\n)\p{Cc}|\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/gu

/** A character escaped as in JSON, both halves of a surrogate pair. */
const escaped = (character: string) =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Writes a value as indented JSON; what a terminal would interpret is escaped, so that nothing of the value is lost. */
export const writeJson = (io: Io, value: unknown): void =>
  io.out(`${JSON.stringify(value, null, 2).replace(UNSEEN, escaped)}\n`)

const GAP = 2
/** The width below which no prose is cut. */
const LEAST = 12

/**
 * Returns the widths of columns that make rows fit a terminal: the widest columns of prose are cut. Columns of ids, figures and words
 * without spaces stay whole, because people copy them.
 */
export function fitted(rows: string[][], width: number | undefined): number[] {
  const [names = []] = rows
  const widths = names.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const isProse = names.map((_, at) => rows.slice(1).some((row) => row[at]?.includes(' ')))
  const total = () => widths.reduce((sum, each) => sum + each, 0) + GAP * (widths.length - 1)
  while (width !== undefined && total() > width) {
    const at = widths.reduce(
      (best, each, i) => (isProse[i] && each > LEAST && each > (widths[best] ?? 0) ? i : best),
      -1,
    )
    const now = widths[at]
    if (now === undefined) break
    widths[at] = Math.max(LEAST, now - (total() - width))
  }
  return widths
}

/** A cell in its column; what is cut ends with an ellipsis. */
const inColumn = (cell: string, width: number) =>
  cell.length > width
    ? `${cell.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…`.padEnd(width)
    : cell.padEnd(width)

/** Writes rows as aligned columns under their names; each on one line, whatever its cells contain. */
export function writeTable(io: Io, names: string[], rows: string[][]): void {
  const all = [names, ...rows.map((row) => row.map((cell) => cleanText(cell).replace(/\s+/g, ' ')))]
  const widths = fitted(all, io.width)
  for (const [n, row] of all.entries()) {
    const line = row
      .map((cell, i) => inColumn(cell, widths[i] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd()
    io.out(`${line}\n`, n === 0 ? 'bold' : undefined)
  }
}
