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

/** What a file was taken for, and how it was read. */
export type TakenFor = { file: string; source: string | null; rules: string[]; ignored: string[] }

/** What a load would do beyond its counts: sums by month against what is stored, and the oddest rows. */
export type Preview = {
  months: { file: string; month: string; currency: string; stored: string; after: string }[]
  odd: { file: string; line: number; field: string; value: string | null; reason: string }[]
}

/** What a person asks of a draft: to look at what a load would do, or to load it. */
export type Asked = {
  draft: string
  dryRun: boolean
  map: { file: string; column: string; field: string | null }[]
  dates?: 'mdy' | 'dmy' | undefined
  complete?: { delete: boolean; mostPercent: number; most?: number | undefined } | undefined
}

/** A file of a draft as it is understood. */
export type HeldFile = {
  file: string
  taken: 'ours' | 'software' | 'kept' | 'guessed' | 'unusable'
  source: string | null
  form: string | null
  columns: { column: string; samples: string[]; fields: string[]; confidence: number; reason: string }[]
  problem: string | null
}

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
      sources?: TakenFor[] | undefined
      /** Only of a look: nothing was written. */
      preview?: Preview | undefined
      /** The files whose refused rows can be downloaded. */
      refused?: string[] | undefined
    }
  | { step: 'failed'; error: string; requestId?: string }

/** Parses complete lines of a response as events. */
export const eventsIn = (lines: string): LoadEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LoadEvent => JSON.parse(line))
