import type { ResourceName } from '@/lib/core/resource-names'
import type { DryRun, Preview } from './dry/run'
import { cut, type Fault } from './fault'
import type { Chosen } from './mapping/propose'
import type { Months } from './months'
import type { Answers, Question } from './questions'
import type { Reconciliation } from './reconcile'

/**
 * The records that a complete file deleted: of the `stored` records that came from files, `missing` are not in it. `kept` are those that
 * other records still belong to. With a `refusal` nothing was deleted.
 */
export type Removal = { stored: number; missing: number; deleted: number; kept: number; refusal: string | null }

export type FileReport = {
  file: string
  rows: number
  added: number
  updated: number
  unchanged: number
  refused: number
  /** Headers the loader ignores. */
  ignored: string[]
  /** The reason why the file, or the part after a line, was not read; null when it was read completely. */
  problem: string | null
  /** The removal; only where the file was declared complete and its kind can be. */
  removal?: Removal | undefined
}

/**
 * The source that a file with other columns than ours was taken for, the rules that fill what it leaves out, and the columns that are not
 * read.
 */
export type SourceReport = {
  file: string
  /** The source, such as `Jobber Invoices`; null when it was not recognized, or could not be used. */
  source: string | null
  rules: string[]
  ignored: string[]
}

/** Declares files complete: records that they no longer have are counted and, with `delete`, deleted. */
export type Complete = {
  delete: boolean
  /** The largest share of the stored records that may be deleted, in percent; ten when left out. */
  mostPercent?: number | undefined
  /** The most records that may be deleted, where a person confirmed a count. */
  most?: number | undefined
  /** Asks for confirmation once everything is counted and before anything is deleted. */
  confirm?: ((files: FileReport[]) => boolean | Promise<boolean>) | undefined
}

/** The means by which a load of a contractor is noted, so that it can be taken back. */
export type Noting = {
  /**
   * Begins a step before anything of a file is written, and before its missing records are deleted. What is written under one step is taken
   * back together when the load fails.
   * @returns the step that the writing is noted as
   */
  begin(step: string, file?: string): Promise<string>
}

/** The result of a load. `faults` holds the first thousand; `faultCount` counts all. */
export type LoadReport = {
  files: FileReport[]
  faults: Fault[]
  faultCount: number
  /** Contradictions of loaded rows with themselves or their payments, and what counts; the first thousand. */
  contradictions?: Fault[] | undefined
  /** The files that are none of ours by name. */
  sources?: SourceReport[] | undefined
  /** The order in which dates were read, and why; only where some could be read two ways. */
  dates?: string | undefined
  /** What a bookkeeper compares: documents, totals, and the books before and after. */
  reconciliation?: Reconciliation | undefined
  /** What has to be answered before anything is written; nothing was. */
  questions?: Question[] | undefined
  /** The resources that its files are about, as far as they were read. */
  resources?: ResourceName[] | undefined
  customersWithoutProject: number
  milliseconds: number
  /** True when it was stopped before the end; the files' counts say what is loaded. */
  stopped: boolean
  /** The preview; only of a dry run, which wrote nothing. */
  preview?: Preview | undefined
}

/** The report of a load that has done nothing yet. */
export const newReport = (): LoadReport => ({
  files: [],
  faults: [],
  faultCount: 0,
  customersWithoutProject: 0,
  milliseconds: 0,
  stopped: false,
})

/** The place where a load is: a file is read once for each part of it, and `line` is the last that was read for this one. */
export type ReadTo = { file: string; part: number; parts: number; line: number }

/** Options by which a caller follows a load. An error thrown by a callback ends the load. */
export type LoadOptions = {
  /** Reports after each batch the file's counts so far, and how far it was read; deleting what complete files lack reads none. */
  onProgress?: ((file: FileReport, read?: ReadTo) => void) | undefined
  /** Ends the load at the next slice; the report says what is loaded. */
  signal?: AbortSignal | undefined
  /** Receives every error, including those beyond the thousand that the report keeps. */
  onFault?: (fault: Fault) => void
  complete?: Complete | undefined
  /** The order of dates in files that do not show it. */
  dates?: 'mdy' | 'dmy' | undefined
  /** Answers to the questions of a load, by their keys. */
  answers?: Answers | undefined
  /** Maps files that are not recognized by what their columns look like, with these fields in place of what is proposed. */
  map?: readonly Chosen[] | undefined
  /** Keeps what was mapped for the contractor's next file of these columns. */
  saveMap?: boolean | undefined
  /** True when nothing is kept of a load that is stopped, because somebody confirmed all of it. */
  isWhole?: boolean | undefined
  /** The noting; without it the load cannot be taken back. */
  noting?: Noting | undefined
  /** True when nothing is written: the report says what would be. */
  dryRun?: boolean | undefined
}

/** A load in progress: its report and the caller's options; `months` takes what it changes of them. */
export type Progress = { report: LoadReport; options: LoadOptions; dry?: DryRun | undefined; months?: Months }

/** The most errors that a report keeps. */
export const MOST_ERRORS_KEPT = 1_000

/** Adds an error to a report; beyond the first thousand only the count grows, so a bad file of any size needs little memory. */
export function addFault(report: LoadReport, fault: Fault, onFault: LoadOptions['onFault']): void {
  const shown = { ...fault, value: fault.value === null ? null : cut(fault.value) }
  report.faultCount++
  if (report.faults.length < MOST_ERRORS_KEPT) report.faults.push(shown)
  onFault?.(shown)
}

/**
 * Names the files of a report that had records of a resource, as the report names them: what is noted of a record after all files are read
 * stands with the person's own file. Where none had any, it is ours.
 */
export function filesWith({ files }: LoadReport, resource: ResourceName): string {
  const own = `${resource}.csv`
  const names = files.map(({ file }) => file).filter((name) => name === own || name.endsWith(`${resource})`))
  return names.length > 0 ? names.join(', ') : own
}

/** Adds a contradiction to a report; beyond the first thousand none is kept. */
export function addContradiction(report: LoadReport, fault: Fault): void {
  report.contradictions ??= []
  if (report.contradictions.length < MOST_ERRORS_KEPT)
    report.contradictions.push({ ...fault, value: fault.value === null ? null : cut(fault.value) })
}
