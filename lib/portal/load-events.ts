/** A row that was refused, or the line from which the rest of the file was. */
export type BadRow = {
  file: string
  line: number | null
  field: string | null
  value: string | null
  reason: string
}

/** The counts of a file's rows so far. */
export type LoadedFile = {
  file: string
  rows: number
  added: number
  updated: number
  unchanged: number
  refused: number
  ignored: string[]
  problem: string | null
  removal?: Removal | undefined
}

/** Of a complete file: how many stored records it does not have, and what became of them. */
export type Removal = { stored: number; missing: number; deleted: number; kept: number; refusal: string | null }

/** What a person declared about their files: that they are complete, and what to do with records they no longer have. */
export type Declared = { complete?: 'count' | 'delete'; mostPercent?: string; most?: string }

/** The events of a load, one JSON line each: rows as they are written, then the report or the reason why there is none. */
export type LoadEvent =
  | { step: 'rows'; rows: number; lines: number }
  | {
      step: 'done'
      files: LoadedFile[]
      faults: BadRow[]
      faultCount: number
      contradictions?: BadRow[] | undefined
      customersWithoutProject: number
    }
  | { step: 'failed'; error: string; requestId?: string }

/** Parses complete lines of a response as events. */
export const eventsIn = (lines: string): LoadEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LoadEvent => JSON.parse(line))
