import type { Database } from '@/db/client'
import { idsByReference } from '@/db/queries/connector-links'
import { type Brought, type Loaded, loadedAfter, namesOf, removeRecords } from '@/db/queries/missing'
import { isSummed, storedAmounts } from '@/db/queries/month-amounts'
import { Pace, stopwatch } from '@/lib/core/slices'
import { RESOURCES } from '@/lib/resources/registry'
import type { FileKind } from './columns'
import { projectOfInvoice } from './identity'
import { gone } from './months'
import { addFault, type Complete, type FileReport, type LoadOptions, type LoadReport, type Progress } from './report'
import type { SeenReferences } from './seen'

/** The days that a report is about, as days since 1970. */
type Period = { from: number; to: number }

/** A file that was read to its end and declared complete: which references it has, and how many of its rows show none. */
export type CompleteFile = {
  kind: FileKind
  report: FileReport
  seen: SeenReferences[]
  unreadable: number
  /** The software whose export it is; undefined of our own files. */
  source?: string | undefined
  period?: Period | undefined
  /** Why such a file is never complete. */
  never?: string | undefined
  /** True where it has some records of the kind and does not list them: the payments of an invoice list. */
  isPart?: boolean
}

/**
 * Joins the exports of one source that have records of one kind: a record is missing when no export of the load has it.
 * @param exports of one kind
 */
export function bySource(exports: readonly CompleteFile[]): CompleteFile[] {
  const seen = exports.flatMap((each) => each.seen)
  return [...new Set(exports.map(({ source }) => source))].flatMap((source) => {
    const [first, ...more] = exports.filter((each) => each.source === source && !each.isPart)
    if (!first) return []
    const all = [first, ...more]
    const broken = all.find(({ report }) => report.problem !== null)
    return {
      ...first,
      seen,
      unreadable: all.reduce((sum, each) => sum + each.unreadable, 0),
      period: periodOfAll(all.map(({ period }) => period)),
      never: all.find(({ never }) => never)?.never ?? (broken && NOT_READ),
    }
  })
}

/** The days from the first to the last of several reports; undefined where one is about all days. */
function periodOfAll(periods: (Period | undefined)[]): Period | undefined {
  const known = periods.filter((each) => each !== undefined)
  if (known.length < periods.length) return undefined
  return { from: Math.min(...known.map(({ from }) => from)), to: Math.max(...known.map(({ to }) => to)) }
}

const dayText = (day: number) => new Date(day * 86_400_000).toISOString().slice(0, 10)

/** Returns what a file can be complete of. */
const broughtBy = ({ source, period }: CompleteFile): Brought => ({
  source,
  ...(period && { days: { from: Number.isFinite(period.from) ? dayText(period.from) : null, to: dayText(period.to) } }),
})

/** The share of the stored records that a complete file may delete unless the caller says otherwise, in percent. */
export const MOST_PERCENT = 10
/** References that are read at once: a few milliseconds, whatever else their records hold. */
const AT_ONCE = 1_000
/** Rows that have no life of their own: they go with the record they belong to. */
const PARTS = ['project_materials']

/** The words people use for the rows of a table, where it is not the list of a resource. */
const ROWS: Record<string, string> = {
  ...Object.fromEntries(RESOURCES.map(({ source, name }) => [source.table, name])),
  analytics_revenue_transactions: 'payments, refunds or adjustments',
  project_entries: 'notes or follow-ups',
  leads: 'a lead',
}

/** Returns what people call the rows of a table. */
export const wordOf = (table: string): string => ROWS[table] ?? table.replaceAll('_', ' ')

const count = (n: number) => n.toLocaleString('en-US')

/** Steps through a contractor's loaded records of a kind, and gives those that a file does not have. */
async function* missingFrom(
  { db, contractorId }: Place,
  file: CompleteFile,
  { signal, onRead }: { signal: AbortSignal | undefined; onRead?: (n: number) => void },
): AsyncGenerator<Loaded[]> {
  const { kind, seen } = file
  const pace = new Pace(db)
  for (let after = ''; ; ) {
    const page = await loadedAfter(db, kind.table, { contractorId, after, most: AT_ONCE, ...broughtBy(file) })
    onRead?.(page.length)
    const missing = page.filter(({ reference }) => !seen.some((each) => each.has(reference)))
    if (missing.length > 0) yield missing
    const last = page.at(-1)
    if (!last || page.length < AT_ONCE || signal?.aborted) return
    after = last.reference
    await pace.between()
  }
}

const NOT_READ = 'The file was not read to its end, so nothing is deleted.'

/** Returns why nothing may be deleted for a file, or null. */
function refusalOf(
  { kind, report, unreadable, period, never }: CompleteFile,
  { mostPercent = MOST_PERCENT, most }: Complete,
): string | null {
  const { removal, rows, problem } = report
  const { stored, missing } = removal ?? { stored: 0, missing: 0 }
  if (problem !== null) return NOT_READ
  if (never !== undefined) return never
  if (period && !isSummed(kind.table))
    return 'The report is about a period, and these records have no day, so nothing is deleted.'
  if (missing === 0) return null
  if (rows === 0) return 'The file has no rows, so nothing is deleted.'
  if (unreadable > 0)
    return `${count(unreadable)} ${unreadable === 1 ? 'row of the file does' : 'rows of the file do'} not show which record it is, so nothing is deleted. Fix that and load the file again.`
  if (most !== undefined && missing > most)
    return `${count(missing)} records are not in the file, and ${count(most)} were confirmed. Nothing is deleted. Count again.`
  if (missing * 100 <= stored * mostPercent) return null
  const percent = Math.ceil((missing * 100) / stored)
  return `${count(missing)} of ${count(stored)} records (${percent}%) are not in the file, and at most ${mostPercent}% may be deleted. Nothing is deleted. If the file is complete, allow ${percent}%.`
}

type Place = { db: Database; contractorId: string }

/** Reports the records that stay because others belong to them. */
function reportKept(
  { report, options }: { report: LoadReport; options: LoadOptions },
  { file, columns: [{ headers }] }: FileKind,
  slice: { id: string; name: string }[],
  kept: Map<string, string[]>,
): void {
  for (const { id, name } of slice) {
    const tables = kept.get(id)
    if (!tables) continue
    const reason = `is not in the file, but is kept: ${tables.map(wordOf).join(' and ')} still belong to it`
    addFault(report, { file, line: null, field: headers[0], value: name, reason }, options.onFault)
  }
}

const deletionsOf = ({ file }: FileKind) => `${file}, deletions`

/** Returns records with what people call them: of our own files their references, of exports their numbers or names. */
async function named({ db }: Place, { kind, source }: CompleteFile, slice: Loaded[]) {
  const names =
    source === undefined
      ? undefined
      : await namesOf(
          db.orm,
          kind.table,
          slice.map(({ id }) => id),
        )
  return slice.map(({ id, reference }) => ({ id, name: names?.get(id) ?? reference }))
}

/** Deletes the projects that invoices made by themselves, where nothing else belongs to them. */
async function removeOwnProjects({ db, contractorId }: Place, invoices: Loaded[], step: string | undefined) {
  const references = invoices.map(({ reference }) => projectOfInvoice(reference))
  const found = await idsByReference(db.orm, 'projects', contractorId, references)
  const ids = found.map(({ id }) => id)
  if (ids.length > 0) await removeRecords(db, 'projects', { contractorId, ids, parts: PARTS, step })
}

/** Deletes a file's missing records in slices; what other records belong to is kept and reported. */
async function removeMissing(place: Place, file: CompleteFile, load: Progress) {
  const { db, contractorId } = place
  const { kind, report } = file
  const { removal } = report
  if (!removal) return
  const pace = new Pace(db)
  const step = await load.options.noting?.begin(deletionsOf(kind))
  // Never more than were counted and shown.
  let left = removal.missing
  for await (const page of missingFrom(place, file, { signal: load.options.signal })) {
    while (page.length > 0 && left > 0) {
      if (load.options.signal?.aborted) return
      const slice = page.splice(0, Math.min(pace.rows, left))
      left -= slice.length
      const held = stopwatch()
      const ids = slice.map(({ id }) => id)
      const removing = { contractorId, ids, parts: PARTS, step }
      const { deleted, kept, amounts } = await removeRecords(db, kind.table, removing)
      load.months?.add(kind.file, kind.table, gone(amounts))
      pace.took(slice.length, held())
      removal.deleted += deleted
      removal.kept += kept.size
      if (kept.size > 0) reportKept(load, kind, await named(place, file, slice), kept)
      if (file.source !== undefined && kind.table === 'analytics_invoice_records')
        await removeOwnProjects(
          place,
          slice.filter(({ id }) => !kept.has(id)),
          step,
        )
      load.options.onProgress?.(report)
      await pace.between()
    }
  }
}

/** Counts what a file no longer has, and decides whether that may be deleted. */
async function countMissing(
  place: Place,
  file: CompleteFile,
  complete: Complete,
  signal: AbortSignal | undefined,
): Promise<void> {
  const removal = { stored: 0, missing: 0, deleted: 0, kept: 0, refusal: null }
  file.report.removal = removal
  const onRead = (n: number) => {
    removal.stored += n
  }
  for await (const page of missingFrom(place, file, { signal, onRead })) removal.missing += page.length
  file.report.removal = { ...removal, refusal: refusalOf(file, complete) }
}

/** Tells a dry run what would be deleted. */
async function removeDry(place: Place, files: CompleteFile[], { options, months }: Progress): Promise<void> {
  for (const file of files)
    for await (const page of missingFrom(place, file, { signal: options.signal })) {
      const ids = page.map(({ id }) => id)
      const { file: name, table } = file.kind
      if (isSummed(table)) months?.add(name, table, gone(await storedAmounts(place.db.orm, table, ids)))
    }
}

/**
 * Deletes the records that complete files no longer have: counts them, asks `confirm`, then deletes those of later files first, because
 * they belong to records of earlier ones. Records without a reference, such as those of leads, are never looked at.
 * @param files in load order
 */
export async function completeFiles(
  place: Place,
  files: CompleteFile[],
  complete: Complete,
  load: Progress,
): Promise<void> {
  const { signal } = load.options
  for (const file of files) await countMissing(place, file, complete, signal)
  // What was not counted to its end decides nothing.
  if (signal?.aborted) return
  const open = files.filter(({ report: { removal } }) => removal && removal.refusal === null && removal.missing > 0)
  if (!complete.delete || open.length === 0) return
  if (load.dry) return await removeDry(place, open, load)
  const confirmed = (await complete.confirm?.(open.map(({ report }) => report))) ?? true
  for (const file of open.reverse()) {
    if (confirmed) await removeMissing(place, file, load)
    else if (file.report.removal) file.report.removal.refusal = 'It was not confirmed, so nothing is deleted.'
  }
}
