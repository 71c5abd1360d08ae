/** A row, or a whole file, that could not be used: the place, the field, its value, and the reason. */
export type Fault = { file: string; line: number | null; field: string | null; value: string | null; reason: string }

/** Returns text for one line, without control characters that could move a cursor or end the line. */
export const printable = (text: string) => text.replace(/\p{Cc}/gu, ' ')

/** The error thrown when a file, or the rest of it from `line` on, cannot be used; earlier rows stay loaded. */
export class FileProblem extends Error {
  override name = 'FileProblem'
  readonly line: number | null

  constructor(message: string, line: number | null = null) {
    // It may quote the file, and no column takes a NUL.
    super(printable(message))
    this.line = line
  }
}

const SHOWN_CHARACTERS = 60

/** Cuts a text for a report without splitting a character. It returns a copy, because a slice would keep the whole file's text in memory. */
export const cut = (text: string): string =>
  Buffer.from(text.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, ''), 'utf16le').toString('utf16le')
