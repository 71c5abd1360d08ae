import { cleanText } from '@/lib/core/clean'

/** Where a command writes: to this terminal, or over the connection to the terminal that called the running server. */
export type Io = {
  out(text: string): void
  err(text: string): void
  cwd: string
  /** Aborted when nobody reads the output any more; undefined where the process ends with its reader. */
  gone?: AbortSignal
  /** Aborted when the user wants the command to end; used by commands that can end early. */
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
  out: (text) => io.out(cleanText(text)),
  err: (text) => io.err(cleanText(text)),
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

/** Rows as aligned columns under their names; each on one line, whatever its cells contain. */
export function writeTable(io: Io, names: string[], rows: string[][]): void {
  const all = [names, ...rows.map((row) => row.map((cell) => cleanText(cell).replace(/\s+/g, ' ')))]
  const widths = names.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  for (const row of all)
    io.out(
      `${row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}
