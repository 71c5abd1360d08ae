import type { Preview } from './dry/run'
import { type Fault, printable } from './fault'
import type { MonthTotal } from './months'
import { type LoadReport, MOST_ERRORS_KEPT } from './report'

/** The most errors that are listed. */
const LISTED = 20

function faultLine({ file, line, field, value, reason }: Fault): string {
  const place = line === null ? file : `${file}:${line}`
  const what = field === null ? '' : ` ${field}${value === null ? '' : ` ${JSON.stringify(value)}`}`
  return printable(`  ${place}${what}: ${reason}`)
}

const count = (n: number) => n.toLocaleString('en-US').padStart(10)

/** Tells what complete files deleted. */
function removalLines({ files }: Pick<LoadReport, 'files'>): string[] {
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
      ? [
          `  and ${rest.toLocaleString('en-US')} more; --json shows the first ${MOST_ERRORS_KEPT.toLocaleString('en-US')}.`,
        ]
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

/** Lists what has to be answered before anything is written. */
function questionLines({ questions = [] }: LoadReport): string[] {
  if (questions.length === 0) return []
  const lines = questions.flatMap(({ file, line, question, key, choices }) => [
    printable(`  ${line === null ? file : `${file}:${line}`} ${question}`),
    ...(choices.length === 0
      ? []
      : [
          printable(
            key === 'dates'
              ? '    Answer with --dates mdy (month first) or --dates dmy (day first).'
              : `    Answer with --answer "${key}=<choice>".`,
          ),
        ]),
  ])
  return ['', 'Questions (nothing was written):', ...lines]
}

/** Shows what a bookkeeper compares before signing. */
function reconciliationLines({ reconciliation }: LoadReport): string[] {
  if (!reconciliation) return []
  const { currency, documents, totals, months, before, after, differences } = reconciliation
  const pair = (name: string, from: string, to: string | undefined) =>
    `  ${name.padEnd(14)}${from.padStart(16)}${(to ?? 'not written').padStart(16)}`
  return [
    '',
    'Documents in the files:',
    ...documents.map(({ file, type, count: n, amount }) =>
      printable(`  ${file.padEnd(28)}  ${type.padEnd(16)}${count(n)}${(amount ?? '').padStart(16)}`),
    ),
    ...totals.map(({ file, column, stated }) =>
      printable(`  ${file}: its own total of ${column}, ${stated}, is what was read.`),
    ),
    ...monthLines(months),
    '',
    `Books, ${currency}${'before'.padStart(22)}${'after'.padStart(16)}`,
    pair('receivable', before.receivable, after?.receivable),
    pair('in credit', before.credit, after?.credit),
    ...(differences.length > 0 ? ['', 'Customers whose stated balances differ from the books:'] : []),
    ...differences
      .slice(0, LISTED)
      .map(({ customer, stated, books, reason }) =>
        printable(`  ${customer}: files ${stated}, books ${books}: ${reason}`),
      ),
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

/** Shows the sums by month before and after. */
function monthLines(months: readonly MonthTotal[]): string[] {
  if (months.length === 0) return []
  const sums = months.map(({ file, month, currency, stored, after }) =>
    printable(`  ${file.padEnd(14)} ${month}  ${currency}  ${stored.padStart(16)}  ${after.padStart(16)}`),
  )
  const head = `  ${'file'.padEnd(14)} ${'month'.padEnd(7)}  ${''.padEnd(3)}  ${'before'.padStart(16)}  ${'after'.padStart(16)}`
  return ['', 'Invoices and payments by month:', head, ...sums]
}

/** Shows the oddest rows. */
const oddLines = ({ odd }: Preview): string[] =>
  odd.length > 0 ? ['', 'Oddest rows (they would be loaded):', ...odd.map(faultLine)] : []

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
  if (report.preview) lines.push(...oddLines(report.preview))
  if (report.dates !== undefined) lines.push('', printable(report.dates))
  lines.push(
    ...questionLines(report),
    ...sourceLines(report),
    ...reconciliationLines(report),
    ...removalLines(report),
    ...contradictionLines(report),
    ...faultLines(report),
  )
  if (report.customersWithoutProject > 0) {
    const customers = report.customersWithoutProject.toLocaleString('en-US')
    lines.push('', `Customers without a project: ${customers}. The API shows customers once they have a project.`)
  }
  const seconds = (report.milliseconds / 1000).toFixed(1)
  if (report.preview) return `${lines.join('\n')}\n\n${dryEnd(report, seconds)}\n`
  if (report.questions)
    return `${lines.join('\n')}\n\nNothing was written: answer the questions above, and load the folder again.\n`
  const isRefused = report.files.some(({ problem }) => problem !== null)
  const end = report.stopped
    ? `Stopped after ${seconds} s. The rows above are loaded; load the folder again for the rest.`
    : isRefused
      ? `Not everything was loaded; see above. It took ${seconds} s.`
      : `Done in ${seconds} s.`
  return `${lines.join('\n')}\n\n${end}\n`
}
