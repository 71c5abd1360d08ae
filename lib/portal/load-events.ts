import type { Answers, Question } from './load-questions'

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

/** The counts of a complete file: how many stored records it does not have, and what became of them. */
export type Removal = { stored: number; missing: number; deleted: number; kept: number; refusal: string | null }

/** The source a file was taken for, and how it was read. */
export type TakenFor = { file: string; source: string | null; rules: string[]; ignored: string[] }

/** What a look at a load shows beyond its counts: the oddest rows. */
export type Preview = {
  odd: { file: string; line: number; field: string; value: string | null; reason: string }[]
}

/** What a bookkeeper compares before signing a load. */
export type Reconciliation = {
  currency: string
  documents: { file: string; type: string; count: number; amount: string | null }[]
  totals: { file: string; column: string; stated: string; read: string }[]
  months: { file: string; month: string; currency: string; stored: string; after: string }[]
  before: { receivable: string; credit: string }
  after: { receivable: string; credit: string } | null
  differences: { customer: string; currency: string; stated: string; books: string; reason: string }[]
}

/** The request of a person for a draft: to look at what a load would do, or to load it. */
export type DraftRequest = {
  draft: string
  dryRun: boolean
  map: { file: string; column: string; field: string | null }[]
  dates?: 'mdy' | 'dmy' | undefined
  answers?: Answers | undefined
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
      /** The order in which dates were read, and why. */
      dates?: string | undefined
      /** What has to be answered before anything is written. */
      questions?: Question[] | undefined
      /** The result of a look only: nothing was written. */
      preview?: Preview | undefined
      reconciliation?: Reconciliation | undefined
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
