import type { ResourceName } from '@/lib/core/resource-names'
import { RESOURCES } from '@/lib/resources/registry'
import { type FileKind, plain } from '../columns'
import { emptyReport, loadRows, noteProblem, type Progress } from '../file'
import { cut, FileProblem } from '../report'
import { readBy } from '../sources/headers'
import type { Target } from '../write'
import { fieldsOf, type Part, rowsOf } from './build'
import type { FoundFile } from './find'
import type { JoinedFile } from './names'

/** Whether a file has rows of a resource, or mentions some. */
function has({ mapping: { fills, kinds, mentions = [] } }: JoinedFile, resource: ResourceName, part: Part): boolean {
  if (part === 'mentioned') return mentions.includes(resource)
  if (kinds) return kinds.words[resource] !== undefined
  return fills[resource] !== undefined && !mentions.includes(resource)
}

type PartOf = { resource: ResourceName; part: Part }

/** What a file has, in the order in which it is loaded; the file is read once for each. */
const partsOf = (joined: JoinedFile): PartOf[] =>
  RESOURCES.flatMap(({ name }) =>
    (['own', 'mentioned'] as const).flatMap((part) => (has(joined, name, part) ? [{ resource: name, part }] : [])),
  )

/** Gives the destination of rows of a file; `name` is what the report calls these rows. */
type TargetFor = (source: string, name: string) => Promise<Omit<Target, 'fields'>>

/**
 * Loads what joined files have of a resource: first their own records, then those that they only mention, which are created where they are
 * missing and never changed.
 */
export async function loadJoined(
  targetFor: TargetFor,
  resource: ResourceName,
  files: FoundFile[],
  progress: Progress,
): Promise<void> {
  for (const part of ['own', 'mentioned'] as const)
    for (const found of files) {
      if (!('joined' in found) || !has(found.joined, resource, part)) continue
      if (progress.options.signal?.aborted) return
      await loadPart(targetFor, resource, { name: found.name, joined: found.joined, part }, progress)
    }
}

/** Loads what one file has of a resource, or only mentions of it. */
async function loadPart(
  targetFor: TargetFor,
  resource: ResourceName,
  { name, joined, part }: { name: string; joined: JoinedFile; part: Part },
  progress: Progress,
): Promise<void> {
  const file = emptyReport(`${name} (${resource}${part === 'own' ? '' : ' it names'})`)
  const target = await targetFor(name, file.file)
  const kind: FileKind = { ...target.kind, file: name }
  progress.report.files.push(file)
  if (part === 'own' && progress.options.complete)
    file.removal = {
      stored: 0,
      missing: 0,
      deleted: 0,
      kept: 0,
      refusal: 'Only files with our own names can be complete.',
    }
  const fields = part === 'own' ? fieldsOf(joined, resource) : []
  const parts = partsOf(joined)
  const nth = parts.findIndex((each) => each.resource === resource && each.part === part) + 1
  const pass = { file: name, part: nth, parts: parts.length }
  await loadRows({ ...target, kind, fields }, file, rowsOf(joined, kind, resource, part), progress, pass)
}

/** What a person should know of how a file was understood, as sentences. */
function rulesOf({ mapping, notation, table }: JoinedFile, leftOut: Map<string, number>): string[] {
  const { fills, mentions = [] } = mapping
  const rules = [...table.notes]
  if (notation.dates === 'dmy') rules.push('Dates have the day before the month.')
  if (notation.decimals === ',') rules.push('Amounts have a decimal comma.')
  if (fills.customers && !fills.customers.reference) rules.push('Customers are known by their names.')
  if (fills.invoices && mentions.includes('projects'))
    rules.push('An invoice that names no job gets a project of its own.')
  if (fills.payments && !fills.payments.reference)
    rules.push('A payment is known by its customer, date, amount and number, because it has no id.')
  if (fills.payments && !fills.payments.invoice)
    rules.push(
      'A payment is applied to the only open invoice of its customer with its amount; otherwise it is unapplied.',
    )
  const rows = [...leftOut].map(([word, n]) => `${cut(word) || 'blank'} (${n})`)
  if (rows.length > 0) rules.push(`Rows of other kinds are left out: ${rows.join(', ')}.`)
  return rules
}

const MARKS = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' }

/** How a file is built, as a sentence. */
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
