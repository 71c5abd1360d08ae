import type { ResourceName } from '@/lib/core/resource-names'
import { RESOURCES } from '@/lib/resources/registry'
import { type FileKind, plain } from '../columns'
import { cut, FileProblem } from '../fault'
import { emptyReport, loadRows, noteProblem } from '../file'
import { shapeOf } from '../mapping/shape'
import type { CompleteFile } from '../missing'
import type { FileReport, Progress } from '../report'
import { readBy } from '../sources/headers'
import type { Target } from '../write'
import { fieldsOf, type Part, rowsOf } from './build'
import { periodOf } from './date-order'
import type { FoundFile } from './find'
import type { JoinedFile } from './joined-file'
import { isPaymentNotKnown } from './names'
import { ownOf } from './words'

/** Reports whether a file has rows of a resource, or mentions some. */
function has({ mapping }: JoinedFile, resource: ResourceName, part: Part): boolean {
  const isDetail = mapping.withoutTax === true && resource === 'invoices'
  if (part === 'mentioned') return isDetail || mapping.mentions?.includes(resource) === true
  // An invoice that nobody will pay is written off.
  if (resource === 'payments' && mapping.fills.invoices?.status !== undefined) return true
  return !isDetail && ownOf(mapping).has(resource)
}

/** The most names that are listed. */
const MOST_NAMED = 20

type PartOf = { resource: ResourceName; part: Part }

/** Returns the parts of a file, in the order in which they are loaded; the file is read once for each. */
const partsOf = (joined: JoinedFile): PartOf[] =>
  RESOURCES.flatMap(({ name }) =>
    (['own', 'mentioned'] as const).flatMap((part) => (has(joined, name, part) ? [{ resource: name, part }] : [])),
  )

/** Gives the destination of rows of a file and of the software that they are of; `name` is what the report calls these rows. */
type TargetFor = (of: { source: string; brings?: string }, name: string) => Promise<Omit<Target, 'fields'>>

/** The source of a file's records. Sheets of an office's own with other columns are other sources. */
const sourceOf = ({ mapping: { source }, table }: JoinedFile): string =>
  source === 'Mapped' ? `Mapped ${shapeOf(table.header)}` : source

/**
 * Loads what joined files have of a resource: first their own records, then those that they only mention, which are created where they are
 * missing and never changed.
 */
export async function loadJoined(
  targetFor: TargetFor,
  resource: ResourceName,
  files: FoundFile[],
  progress: Progress,
): Promise<CompleteFile[]> {
  const complete: CompleteFile[] = []
  for (const part of ['own', 'mentioned'] as const)
    for (const found of files) {
      if (!('joined' in found) || !has(found.joined, resource, part)) continue
      if (progress.options.signal?.aborted) return complete
      const loaded = await loadPart(targetFor, resource, { name: found.name, joined: found.joined, part }, progress)
      if (part === 'own') complete.push(loaded)
    }
  return complete
}

/** Reports whether a file has some records of a resource and does not list them: the payments of an invoice list, and what no row of it is. */
const isPartOf = (joined: JoinedFile, resource: ResourceName, { rows }: FileReport): boolean =>
  (joined.mapping.types !== undefined && rows === 0) ||
  (resource === 'payments' && has(joined, 'invoices', 'own') && !joined.mapping.hasAllMoney)

/** Loads what one file has of a resource, or only mentions of it. */
async function loadPart(
  targetFor: TargetFor,
  resource: ResourceName,
  { name, joined, part }: { name: string; joined: JoinedFile; part: Part },
  progress: Progress,
): Promise<CompleteFile> {
  const file = emptyReport(`${name} (${part === 'own' ? '' : 'its '}${resource})`)
  const target = await targetFor({ source: name, brings: sourceOf(joined) }, file.file)
  const kind: FileKind = { ...target.kind, file: name }
  progress.report.files.push(file)
  const fields = part === 'own' ? fieldsOf(joined, resource) : []
  const parts = partsOf(joined)
  const nth = parts.findIndex((each) => each.resource === resource && each.part === part) + 1
  const pass = { file: name, part: nth, parts: parts.length }
  const loaded = await loadRows({ ...target, kind, fields }, file, rowsOf(joined, kind, resource, part), progress, pass)
  const never = joined.mapping.openOnly && 'The report has only what is open, so it is never complete.'
  return {
    kind,
    report: file,
    ...loaded,
    source: sourceOf(joined),
    period: periodOf(joined.table.preamble),
    isPart: isPartOf(joined, resource, file),
    ...(never && { never }),
  }
}

/** Returns what a person should know of how a file was understood, as sentences. */
function rulesOf({ mapping, notation, table, namesakes }: JoinedFile, leftOut: Map<string, number>): string[] {
  const { fills, mentions = [] } = mapping
  const rules = [...table.notes]
  if (notation.decimals === ',') rules.push('Amounts have a decimal comma.')
  if (fills.customers && !fills.customers.reference)
    rules.push(
      fills.customers.id === undefined
        ? 'Customers are known by their names.'
        : 'Customers are known by their ids, and in other files by their names.',
    )
  if (fills.invoices && mentions.includes('projects'))
    rules.push('An invoice that names no job gets a project of its own.')
  if (fills.payments && !fills.payments.reference)
    rules.push('A payment is known by its customer, date, amount and number, because it has no id.')
  if (fills.payments && !fills.payments.invoice)
    rules.push(
      'A payment is applied to the only open invoice of its customer with its amount; otherwise it is unapplied.',
    )
  if (isPaymentNotKnown({ mapping, table }))
    rules.push(
      'The file does not say what was paid: its invoices are in no receivable and never overdue until payments or a balance come.',
    )
  const shared = [...(namesakes ?? [])].map(([name, ids]) => `${cut(name)} (${ids.length})`)
  if (shared.length > 0)
    rules.push(
      `Customers of one name are told apart by their id, phone or address: ${shared.slice(0, MOST_NAMED).join(', ')}.`,
    )
  const rows = [...leftOut].map(([word, n]) => `${cut(word) || 'blank'} (${n})`)
  if (rows.length > 0) rules.push(`Rows of other kinds are left out: ${rows.join(', ')}.`)
  return rules
}

const MARKS = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }

/** Returns how a file is built, as a sentence. */
export function formOf({ format }: JoinedFile['table']): string {
  const header = format.headerRow === 1 ? '' : `, header on row ${format.headerRow}`
  if (format.kind === 'workbook') return `Excel workbook, sheet ${cut(format.sheet)}${header}.`
  return `${format.encoding.toUpperCase()}, cells between ${MARKS[format.delimiter]}${header}.`
}

/** Reports what the files of a folder were taken for. A file that was recognized and cannot be used is a problem; a stranger is named. */
export function reportSources(files: FoundFile[], progress: Progress): void {
  const { report } = progress
  for (const found of files) {
    report.sources ??= []
    if ('joined' in found) {
      const { mapping, table } = found.joined
      const known = readBy(mapping)
      const ignored = table.header.filter((header) => header !== '' && !known.has(plain(header))).map(cut)
      report.sources.push({
        file: found.name,
        source: `${mapping.source} ${mapping.file}`,
        rules: [...(found.rules ?? []), ...rulesOf(found.joined, found.leftOut)],
        ignored: [...new Set(ignored)].slice(0, 100),
      })
      continue
    }
    if ('own' in found) {
      report.sources.push({
        file: found.name,
        source: `Plumbline ${found.own}`,
        rules: [formOf(found.table)],
        ignored: [],
      })
      continue
    }
    report.sources.push({ file: found.name, source: null, rules: [found.problem], ignored: [] })
    if (!found.isRecognized) continue
    const file = emptyReport(found.name)
    report.files.push(file)
    noteProblem(progress, file, new FileProblem(found.problem))
  }
}
