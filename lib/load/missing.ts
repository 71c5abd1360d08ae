import type { Database } from '@/db/client'
import { type Loaded, loadedAfter, removeRecords } from '@/db/queries/missing'
import { RESOURCES } from '@/lib/resources/registry'
import type { FileKind } from './columns'
import type { DryRun } from './dry/run'
import { addFault, type Complete, type FileReport, type LoadOptions, type LoadReport } from './report'
import type { SeenReferences } from './seen'
import { Slices } from './slices'

/** A file that was read to its end and declared complete: which references it has, and how many of its rows show none. */
export type CompleteFile = { kind: FileKind; report: FileReport; seen: SeenReferences; unreadable: number }

/** The share of the stored records that a complete file may delete unless the caller says otherwise, in percent. */
export const MOST_PERCENT = 10
const AT_ONCE = 1_000
/** Rows that have no life of their own: they go with the record they belong to. */
const PARTS = ['project_materials']

/** What people call the rows of a table, where it is not the list of a resource. */
const ROWS: Record<string, string> = {
  ...Object.fromEntries(RESOURCES.map(({ source, name }) => [source.table, name])),
  analytics_revenue_transactions: 'payments, refunds or adjustments',
  project_entries: 'notes or follow-ups',
  leads: 'a lead',
}

/** What people call the rows of a table. */
export const wordOf = (table: string): string => ROWS[table] ?? table.replaceAll('_', ' ')

const count = (n: number) => n.toLocaleString('en-US')

/** Steps through a contractor's loaded records of a kind, and gives those that a file does not have. */
async function* missingFrom(
  { db, contractorId }: Place,
  { kind, seen }: CompleteFile,
  onRead?: (n: number) => void,
): AsyncGenerator<Loaded[]> {
  const slices = new Slices(db)
  for (let after = ''; ; ) {
    const page = await loadedAfter(db, kind.table, { contractorId, after, most: AT_ONCE })
    onRead?.(page.length)
    const missing = page.filter(({ reference }) => !seen.has(reference))
    if (missing.length > 0) yield missing
    const last = page.at(-1)
    if (!last || page.length < AT_ONCE) return
    after = last.reference
    await slices.between()
  }
}

/** Returns why nothing may be deleted for a file, or null. */
function refusalOf(
  { report, unreadable }: CompleteFile,
  { mostPercent = MOST_PERCENT, most }: Complete,
): string | null {
  const { removal, rows, problem } = report
  const { stored, missing } = removal ?? { stored: 0, missing: 0 }
  if (problem !== null) return 'The file was not read to its end, so nothing is deleted.'
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

type Place = { db: Database; contractorId: string; dry?: DryRun | undefined }

/** Reports the records that stay because others belong to them. */
function reportKept(
  { report, options }: { report: LoadReport; options: LoadOptions },
  { file, columns: [{ headers }] }: FileKind,
  slice: Loaded[],
  kept: Map<string, string[]>,
): void {
  for (const { id, reference } of slice) {
    const tables = kept.get(id)
    if (!tables) continue
    const reason = `is not in the file, but is kept: ${tables.map(wordOf).join(' and ')} still belong to it`
    addFault(report, { file, line: null, field: headers[0], value: reference, reason }, options.onFault)
  }
}

const deletionsOf = ({ file }: FileKind) => `${file}, deletions`

/** Deletes a file's missing records in slices; what other records belong to is kept and reported. */
async function removeMissing(place: Place, file: CompleteFile, load: { report: LoadReport; options: LoadOptions }) {
  const { db, contractorId } = place
  const { kind, report } = file
  const { removal } = report
  if (!removal) return
  const slices = new Slices(db)
  const step = await load.options.noting?.begin(deletionsOf(kind))
  // Never more than were counted and shown.
  let left = removal.missing
  for await (const page of missingFrom(place, file)) {
    while (page.length > 0 && left > 0) {
      if (load.options.signal?.aborted) return
      const slice = page.splice(0, Math.min(slices.rows, left))
      left -= slice.length
      const began = performance.now()
      const ids = slice.map(({ id }) => id)
      const removing = { contractorId, ids, parts: PARTS, step }
      const { deleted, kept } = await removeRecords(db, kind.table, removing)
      slices.took(slice.length, performance.now() - began)
      removal.deleted += deleted
      removal.kept += kept.size
      reportKept(load, kind, slice, kept)
      load.options.onProgress?.(report)
      await slices.between()
    }
  }
}

/** Counts what a file no longer has, and decides whether that may be deleted. */
async function countMissing(place: Place, file: CompleteFile, complete: Complete): Promise<void> {
  const removal = { stored: 0, missing: 0, deleted: 0, kept: 0, refusal: null }
  file.report.removal = removal
  const onRead = (n: number) => {
    removal.stored += n
  }
  for await (const page of missingFrom(place, file, onRead)) removal.missing += page.length
  file.report.removal = { ...removal, refusal: refusalOf(file, complete) }
}

/** Tells a dry run what would be deleted. */
async function removeDry(place: Place, files: CompleteFile[]): Promise<void> {
  for (const file of files)
    for await (const page of missingFrom(place, file)) {
      const ids = page.map(({ id }) => id)
      await place.dry?.remove(place.db.orm, file.kind, ids)
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
  load: { report: LoadReport; options: LoadOptions },
): Promise<void> {
  for (const file of files) await countMissing(place, file, complete)
  const open = files.filter(({ report: { removal } }) => removal && removal.refusal === null && removal.missing > 0)
  if (!complete.delete || open.length === 0) return
  if (place.dry) return await removeDry(place, open)
  const confirmed = (await complete.confirm?.(open.map(({ report }) => report))) ?? true
  for (const file of open.reverse()) {
    if (confirmed) await removeMissing(place, file, load)
    else if (file.report.removal) file.report.removal.refusal = 'It was not confirmed, so nothing is deleted.'
  }
}
