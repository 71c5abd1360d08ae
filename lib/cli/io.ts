/** Where a command writes: this terminal, or the connection of the terminal that asked the running server. */
export type Io = {
  out(text: string): void
  err(text: string): void
  cwd: string
  /** Aborted when nobody reads any more; undefined where the process ends with its reader. */
  gone?: AbortSignal
  /** Asks whoever sits there, and answers what they typed; undefined where nobody does. */
  ask?: (question: string) => Promise<string>
}

/** Writes a value as indented JSON. */
export const writeJson = (io: Io, value: unknown): void => io.out(`${JSON.stringify(value, null, 2)}\n`)

/** Rows as aligned columns under their names. */
export function writeTable(io: Io, names: string[], rows: string[][]): void {
  const all = [names, ...rows]
  const widths = names.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  for (const row of all)
    io.out(
      `${row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    )
}
