/** A row, or what follows it, that was not taken. */
export type BadRow = {
  file: string
  line: number | null
  field: string | null
  value: string | null
  reason: string
}

/** What became of a file's rows so far. */
export type LoadedFile = {
  file: string
  rows: number
  added: number
  updated: number
  unchanged: number
  refused: number
  ignored: string[]
  problem: string | null
}

/** The events of a load, one JSON line each: rows as they are written, and at the end the report or the reason there is none. */
export type LoadEvent =
  | { step: 'rows'; rows: number; lines: number }
  | { step: 'done'; files: LoadedFile[]; faults: BadRow[]; faultCount: number; customersWithoutProject: number }
  | { step: 'failed'; error: string; requestId?: string }

/** Whole lines of an answer, as events. */
export const eventsIn = (lines: string): LoadEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LoadEvent => JSON.parse(line))
