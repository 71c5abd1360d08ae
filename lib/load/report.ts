/** A row, or a whole file, that could not be used: where, which field, what stood there, why. */
export type Fault = { file: string; line: number | null; field: string | null; value: string | null; reason: string }

export type FileReport = {
  file: string
  rows: number
  added: number
  updated: number
  unchanged: number
  refused: number
  /** Headers that mean nothing here. */
  ignored: string[]
}

/** What a load did. `faults` holds the first thousand; `faultCount` counts all. */
export type LoadReport = {
  files: FileReport[]
  faults: Fault[]
  faultCount: number
  customersWithoutProject: number
  milliseconds: number
}

const SHOWN = 20
const KEPT = 1_000

/** Takes note of a fault; beyond the first thousand only their number grows, so a bad file of any size is reported whole. */
export function addFault(report: LoadReport, fault: Fault): void {
  report.faultCount++
  if (report.faults.length < KEPT)
    report.faults.push({ ...fault, value: fault.value === null ? null : fault.value.slice(0, 60) })
}

function faultLine({ file, line, field, value, reason }: Fault): string {
  const place = line === null ? file : `${file}:${line}`
  const what = field === null ? '' : ` ${field}${value === null ? '' : ` ${JSON.stringify(value)}`}`
  return `  ${place}${what}: ${reason}`
}

const count = (n: number) => n.toLocaleString('en-US').padStart(10)

/** The report as text for a terminal. */
export function formatReport(report: LoadReport): string {
  const lines = [
    `${'file'.padEnd(16)}${['rows', 'added', 'updated', 'unchanged', 'refused'].map((name) => name.padStart(10)).join('')}`,
  ]
  for (const { file, rows, added, updated, unchanged, refused } of report.files) {
    lines.push(file.padEnd(16) + [rows, added, updated, unchanged, refused].map(count).join(''))
  }
  for (const { file, ignored } of report.files) {
    if (ignored.length > 0) lines.push('', `${file}: these columns are not used: ${ignored.join(', ')}`)
  }
  if (report.faultCount > 0) {
    lines.push('', 'Refused:', ...report.faults.slice(0, SHOWN).map(faultLine))
    if (report.faultCount > SHOWN)
      lines.push(`  and ${(report.faultCount - SHOWN).toLocaleString('en-US')} more; --json shows the first ${KEPT}.`)
    lines.push('', 'Mend the rows in the file and load it again: rows that are in already stay as they are.')
  }
  if (report.customersWithoutProject > 0) {
    lines.push(
      '',
      `${report.customersWithoutProject} customers have no project; the API shows a customer from their first project on.`,
    )
  }
  return `${lines.join('\n')}\n\nDone in ${(report.milliseconds / 1000).toFixed(1)} s.\n`
}
