import type { Preview } from './dry/run'
import type { Chosen } from './mapping/propose'

/** A row, or a whole file, that could not be used: the place, the field, its value, and the reason. */
export type Fault = { file: string; line: number | null; field: string | null; value: string | null; reason: string }

/**
 * What a complete file deleted: of the `stored` records that came from files, `missing` are not in it. `kept` are those that other
 * records still belong to. With a `refusal` nothing was deleted.
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
  /** Why the file, or the part after a line, was not read; null when it was read completely. */
  problem: string | null
  /** Only where the file was declared complete and its kind can be. */
  removal?: Removal | undefined
}

/** What a file with other columns than ours was taken for, the rules that fill what it leaves out, and the columns that are not read. */
export type SourceReport = {
  file: string
  /** Such as `Jobber Invoices`; null when it was not recognized, or could not be used. */
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
  /** Asked once everything is counted and before anything is deleted. */
  confirm?: ((files: FileReport[]) => boolean | Promise<boolean>) | undefined
}

/** What a load of a contractor is noted in, so that it can be taken back. */
export type Noting = {
  /**
   * Called before anything of a file is written, and before its missing records are deleted. What is written under one step is taken back
   * together when the load fails.
   * @returns the step that the writing is noted as
   */
  begin(step: string, file?: string): Promise<string>
}

/** The result of a load. `faults` holds the first thousand; `faultCount` counts all. */
export type LoadReport = {
  files: FileReport[]
  faults: Fault[]
  faultCount: number
  /** Where loaded rows contradict themselves or their payments, and what counts; the first thousand. */
  contradictions?: Fault[] | undefined
  /** The files that are none of ours by name. */
  sources?: SourceReport[] | undefined
  customersWithoutProject: number
  milliseconds: number
  /** Whether it was stopped before the end; the files' counts say what is loaded. */
  stopped: boolean
  /** Only of a dry run, which wrote nothing. */
  preview?: Preview | undefined
}

/** How a caller follows a load. An error thrown by a callback ends the load. */
export type LoadOptions = {
  /** After each batch: the file's counts so far. */
  onProgress?: ((file: FileReport) => void) | undefined
  /** Ends the load at the next slice; the report says what is loaded. */
  signal?: AbortSignal | undefined
  /** Called for every error, including those beyond the thousand that the report keeps. */
  onFault?: (fault: Fault) => void
  complete?: Complete | undefined
  /** The order of dates in files that do not show it. */
  dates?: 'mdy' | 'dmy' | undefined
  /** Maps files that are not recognized by what their columns look like, with these fields in place of what is proposed. */
  map?: readonly Chosen[] | undefined
  /** Keeps what was mapped for the contractor's next file of these columns. */
  saveMap?: boolean | undefined
  /** Without it the load cannot be taken back. */
  noting?: Noting | undefined
  /** Nothing is written: the report says what would be. */
  dryRun?: boolean | undefined
}

/** Returns text for one line, without control characters that could move a cursor or end the line. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, ' ')

/** Thrown when a file, or the rest of it from `line` on, cannot be used; earlier rows stay loaded. */
export class FileProblem extends Error {
  override name = 'FileProblem'
  readonly line: number | null

  constructor(message: string, line: number | null = null) {
    // It may quote the file, and no column takes a NUL.
    super(printable(message))
    this.line = line
  }
}

const KEPT = 1_000
const SHOWN_CHARACTERS = 60

/** Cuts a text for a report without splitting a character. It returns a copy, because a slice would keep the whole file's text in memory. */
export const cut = (text: string): string =>
  Buffer.from(text.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, ''), 'utf16le').toString('utf16le')

/** Adds an error to a report; beyond the first thousand only the count grows, so a bad file of any size needs little memory. */
export function addFault(report: LoadReport, fault: Fault, onFault: LoadOptions['onFault']): void {
  const shown = { ...fault, value: fault.value === null ? null : cut(fault.value) }
  report.faultCount++
  if (report.faults.length < KEPT) report.faults.push(shown)
  onFault?.(shown)
}

/** Adds a contradiction to a report; beyond the first thousand none is kept. */
export function addContradiction(report: LoadReport, fault: Fault): void {
  report.contradictions ??= []
  if (report.contradictions.length < KEPT)
    report.contradictions.push({ ...fault, value: fault.value === null ? null : cut(fault.value) })
}

const LISTED = 20

function faultLine({ file, line, field, value, reason }: Fault): string {
  const place = line === null ? file : `${file}:${line}`
  const what = field === null ? '' : ` ${field}${value === null ? '' : ` ${JSON.stringify(value)}`}`
  return printable(`  ${place}${what}: ${reason}`)
}

const count = (n: number) => n.toLocaleString('en-US').padStart(10)

/** Tells what complete files deleted. */
export function removalLines({ files }: Pick<LoadReport, 'files'>): string[] {
  const lines = files.flatMap(({ file, removal }) => {
    if (!removal) return []
    const { stored, missing, deleted, kept, refusal } = removal
    const done = refusal ?? `${deleted.toLocaleString('en-US')} deleted, ${kept.toLocaleString('en-US')} kept.`
    const counted = `${missing.toLocaleString('en-US')} of ${stored.toLocaleString('en-US')} records`
    return [printable(`  ${file}: ${counted}. ${missing === 0 && refusal === null ? '' : done}`).trimEnd()]
  })
  return lines.length === 0 ? [] : ['', 'No longer in the files:', ...lines]
}

/** Lists the errors of rows; those of whole files are shown below the table. */
function faultLines({ files, faults, faultCount, preview }: LoadReport): string[] {
  const problems = files.flatMap(({ problem }) => problem ?? [])
  const listed = faults.filter(({ reason }) => !problems.includes(reason)).slice(0, LISTED)
  const rest = faultCount - problems.length - listed.length
  if (listed.length === 0 && rest === 0) return []
  return [
    '',
    'Refused:',
    ...listed.map(faultLine),
    ...(rest > 0
      ? [`  and ${rest.toLocaleString('en-US')} more; --json shows the first ${KEPT.toLocaleString('en-US')}.`]
      : []),
    '',
    preview
      ? 'Fix the rows in the file, or load it without them.'
      : 'Fix the rows in the file and load it again: rows that are already loaded stay as they are.',
  ]
}

/** Lists where the files contradict themselves. */
function contradictionLines({ contradictions = [], preview }: LoadReport): string[] {
  if (contradictions.length === 0) return []
  const more = contradictions.length - LISTED
  return [
    '',
    preview ? 'Notes (the rows would be loaded):' : 'Notes (the rows are loaded):',
    ...contradictions.slice(0, LISTED).map(faultLine),
    ...(more > 0 ? [`  and ${more.toLocaleString('en-US')} more in --json.`] : []),
  ]
}

/** Tells what files were taken for. */
function sourceLines({ sources = [] }: LoadReport): string[] {
  return sources.flatMap(({ file, source, rules, ignored }) => [
    '',
    printable(`${file}: ${source ?? 'not loaded.'}`),
    ...rules.map((rule) => printable(`  ${rule}`)),
    ...(ignored.length > 0 ? [printable(`  Unused columns: ${ignored.join(', ')}`)] : []),
  ])
}

/** Shows the sums by month against what is stored, and the oddest rows. */
function previewLines({ months, odd }: Preview): string[] {
  const sums = months.map(({ file, month, currency, stored, after }) =>
    printable(`  ${file.padEnd(14)} ${month}  ${currency}  ${stored.padStart(16)}  ${after.padStart(16)}`),
  )
  const head = `  ${'file'.padEnd(14)} ${'month'.padEnd(7)}  ${''.padEnd(3)}  ${'stored'.padStart(16)}  ${'after'.padStart(16)}`
  return [
    ...(sums.length > 0 ? ['', 'Sums by month:', head, ...sums] : []),
    ...(odd.length > 0 ? ['', 'Oddest rows (they would be loaded):', ...odd.map(faultLine)] : []),
  ]
}

const dryEnd = ({ stopped }: LoadReport, seconds: string) =>
  `${stopped ? `Stopped after ${seconds} s: the rest of the files was not looked at.` : `Looked through in ${seconds} s.`} Nothing was written.`

/** Formats the report for a terminal: a table of the files, what could not be used and why, and how long it took. */
export function formatReport(report: LoadReport): string {
  const width = Math.max(16, ...report.files.map(({ file }) => file.length + 2))
  const lines = [
    `${'file'.padEnd(width)}${['rows', 'added', 'updated', 'unchanged', 'refused'].map((name) => name.padStart(10)).join('')}`,
  ]
  for (const { file, rows, added, updated, unchanged, refused } of report.files) {
    lines.push(printable(file).padEnd(width) + [rows, added, updated, unchanged, refused].map(count).join(''))
  }
  for (const { file, problem } of report.files) {
    if (problem !== null) lines.push('', printable(`${file}: ${problem}`))
  }
  for (const { file, ignored } of report.files) {
    if (ignored.length > 0) lines.push('', printable(`${file}: unused columns: ${ignored.join(', ')}`))
  }
  if (report.preview) lines.push(...previewLines(report.preview))
  lines.push(...sourceLines(report), ...removalLines(report), ...contradictionLines(report), ...faultLines(report))
  if (report.customersWithoutProject > 0) {
    const customers = report.customersWithoutProject.toLocaleString('en-US')
    lines.push('', `Customers without a project: ${customers}. The API shows customers once they have a project.`)
  }
  const seconds = (report.milliseconds / 1000).toFixed(1)
  if (report.preview) return `${lines.join('\n')}\n\n${dryEnd(report, seconds)}\n`
  const end = report.stopped
    ? `Stopped after ${seconds} s. The rows above are loaded; load the folder again for the rest.`
    : `Done in ${seconds} s.`
  return `${lines.join('\n')}\n\n${end}\n`
}
