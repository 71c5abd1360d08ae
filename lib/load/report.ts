/** A row, or a whole file, that could not be used: the place, the field, its value, and the reason. */
export type Fault = { file: string; line: number | null; field: string | null; value: string | null; reason: string }

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
}

/** The result of a load. `faults` holds the first thousand; `faultCount` counts all. */
export type LoadReport = {
  files: FileReport[]
  faults: Fault[]
  faultCount: number
  customersWithoutProject: number
  milliseconds: number
  /** Whether it was stopped before the end; the files' counts say what is loaded. */
  stopped: boolean
}

/** How a caller follows a load. An error it throws ends the load. */
export type LoadOptions = {
  /** After each batch: the file's counts so far. */
  onProgress?: ((file: FileReport) => void) | undefined
  /** Ends the load at the next slice; the report says what is loaded. */
  signal?: AbortSignal | undefined
  /** Called for every fault, including those beyond the thousand that the report keeps. */
  onFault?: (fault: Fault) => void
}

/** A file that cannot be used, or not further; what was read before `line` stands. */
export class FileProblem extends Error {
  override name = 'FileProblem'
  readonly line: number | null

  constructor(message: string, line: number | null = null) {
    super(message)
    this.line = line
  }
}

const KEPT = 1_000
const SHOWN_CHARACTERS = 60

/** A text short enough for a report, never ending in half a character. A copy: a slice would keep all of its file's text in memory. */
export const cut = (text: string): string =>
  Buffer.from(text.slice(0, SHOWN_CHARACTERS).replace(/[\ud800-\udbff]$/, ''), 'utf16le').toString('utf16le')

/** Takes note of a fault; beyond the first thousand only their number grows, so a bad file of any size needs little memory. */
export function addFault(report: LoadReport, fault: Fault, onFault: LoadOptions['onFault']): void {
  const shown = { ...fault, value: fault.value === null ? null : cut(fault.value) }
  report.faultCount++
  if (report.faults.length < KEPT) report.faults.push(shown)
  onFault?.(shown)
}

const LISTED = 20

/** One line for a terminal: what a file holds must not move the cursor or end the line. */
const printable = (text: string) => text.replace(/\p{Cc}/gu, ' ')

function faultLine({ file, line, field, value, reason }: Fault): string {
  const place = line === null ? file : `${file}:${line}`
  const what = field === null ? '' : ` ${field}${value === null ? '' : ` ${JSON.stringify(value)}`}`
  return printable(`  ${place}${what}: ${reason}`)
}

const count = (n: number) => n.toLocaleString('en-US').padStart(10)

/** The faults of rows; those of whole files stand below the table. */
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

/** The report as text for a terminal: a table of the files, what could not be used and why, and how long it took. */
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
    if (ignored.length > 0) lines.push('', printable(`${file}: these columns are not used: ${ignored.join(', ')}`))
  }
  lines.push(...faultLines(report))
  if (report.customersWithoutProject > 0) {
    const customers = report.customersWithoutProject.toLocaleString('en-US')
    lines.push('', `Customers without a project: ${customers}. The API shows a customer from their first project on.`)
  }
  const seconds = (report.milliseconds / 1000).toFixed(1)
  const end = report.stopped
    ? `Stopped after ${seconds} s. The rows above are in; load the folder again for the rest.`
    : `Done in ${seconds} s.`
  return `${lines.join('\n')}\n\n${end}\n`
}
