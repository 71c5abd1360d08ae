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

/** The result of a load. `faults` holds the first thousand; `faultCount` counts all. */
export type LoadReport = {
  files: FileReport[]
  faults: Fault[]
  faultCount: number
  /** Where loaded rows contradict themselves or their payments, and what counts; the first thousand. */
  contradictions?: Fault[] | undefined
  customersWithoutProject: number
  milliseconds: number
  /** Whether it was stopped before the end; the files' counts say what is loaded. */
  stopped: boolean
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
function faultLines({ files, faults, faultCount }: LoadReport): string[] {
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
    'Fix the rows in the file and load it again: rows that are already loaded stay as they are.',
  ]
}

/** Lists where the files contradict themselves. */
function contradictionLines({ contradictions = [] }: LoadReport): string[] {
  if (contradictions.length === 0) return []
  const more = contradictions.length - LISTED
  return [
    '',
    'Contradictions (the rows are loaded):',
    ...contradictions.slice(0, LISTED).map(faultLine),
    ...(more > 0 ? [`  and ${more.toLocaleString('en-US')} more in --json.`] : []),
  ]
}

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
  lines.push(...removalLines(report), ...contradictionLines(report), ...faultLines(report))
  if (report.customersWithoutProject > 0) {
    const customers = report.customersWithoutProject.toLocaleString('en-US')
    lines.push('', `Customers without a project: ${customers}. The API shows customers once they have a project.`)
  }
  const seconds = (report.milliseconds / 1000).toFixed(1)
  const end = report.stopped
    ? `Stopped after ${seconds} s. The rows above are loaded; load the folder again for the rest.`
    : `Done in ${seconds} s.`
  return `${lines.join('\n')}\n\n${end}\n`
}
