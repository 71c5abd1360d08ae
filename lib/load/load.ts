import type { Database } from '@/db/client'
import { contradictions, countWithoutProject, refreshStatistics } from '@/db/queries/load'
import { findMapping, putMapping } from '@/db/queries/load-mappings'
import { databaseNow, indexQueued } from '@/db/queries/search-queue'
import type { ResourceName } from '@/lib/core/resource-names'
import type { WriteBatch } from './batches/batch'
import { storedBooks } from './batches/books'
import { DryRun } from './dry/run'
import { loadFile, type Progress } from './file'
import { filesOf, requireUsable } from './folder'
import { type FoundFile, findTables } from './join/find'
import { loadJoined, reportSources } from './join/load'
import type { Finding } from './join/taken'
import { KINDS, MATERIALS } from './kinds'
import { type CompleteFile, completeFiles } from './missing'
import { addContradiction, type LoadOptions, type LoadReport, newReport } from './report'
import { Slices } from './slices'
import { joinedWriter, STEPS, type Step } from './steps'
import type { Table } from './tables/table'
import type { Target } from './write'

/** The most invoices that are named. */
const MOST_NAMED = 1_000

const TABLES = KINDS.map(({ table }) => table)

/** Names the invoices that this load changed and whose file says another balance than their payments leave. */
async function nameContradictions(
  db: Database,
  contractorId: string,
  since: string,
  report: LoadReport,
): Promise<void> {
  for (const { number, stated, left, counts } of await contradictions(db.orm, contractorId, since, MOST_NAMED))
    addContradiction(report, {
      file: 'invoices.csv',
      line: null,
      field: 'Balance',
      value: number,
      reason: `the file says that ${stated} is open, the payments leave ${left}; ${counts} counts. Load the missing payments, or correct the balance`,
    })
}

/** Keeps mappings, names contradictions, and brings the search index and the database's statistics up to date. */
async function finish(place: Place, since: string, { report, options }: Progress): Promise<void> {
  const { db, found } = place
  const contractorId = place.contractor.id
  if (options.saveMap) await keepMappings(db, contractorId, found)
  await nameContradictions(db, contractorId, since, report)
  const slices = new Slices(db)
  await indexQueued(db, contractorId, slices, options.signal)
  await refreshStatistics(db, TABLES, () => slices.between())
  report.customersWithoutProject = await countWithoutProject(db.orm, contractorId)
}

/** The step of a whole folder: exports of other software refer to each other, so that none is whole without the others. */
const WHOLE = 'the whole folder'

/** Notes all that a load writes as one step. */
function asOne(options: LoadOptions): LoadOptions {
  const { noting } = options
  return noting ? { ...options, noting: { begin: (_, file) => noting.begin(WHOLE, file) } } : options
}

/** Exports of other software, and what somebody confirmed as a whole, are noted as one step. */
const noted = (options: LoadOptions, isJoined: boolean): LoadOptions =>
  isJoined || options.isWhole ? asOne(options) : options

/** What is known of files with strange columns: what is kept, and what the caller says of them. */
const findingFor = (db: Database, contractorId: string, { dates, map, saveMap }: LoadOptions): Finding => ({
  dates,
  map: map ?? (saveMap ? [] : undefined),
  kept: (shape) => findMapping(db.orm, contractorId, shape),
})

/** Keeps the mappings that were made for files of this load, for the next file of their columns. */
async function keepMappings(db: Database, contractorId: string, found: FoundFile[]): Promise<void> {
  for (const each of found)
    if ('made' in each && each.made) await putMapping(db.orm, contractorId, { ...each.made, name: each.name })
}

/** Whether a file of other software has records of a resource. */
const brings = (found: FoundFile[], resource: ResourceName): boolean =>
  found.some((each) => {
    if (!('joined' in each)) return false
    const { fills, mentions = [] } = each.joined.mapping
    return Object.keys(fills).includes(resource) && !mentions.includes(resource)
  })

/** Notes that the files had records of a step's resource. */
function noteResource(
  report: LoadReport,
  { resource }: Step,
  found: FoundFile[],
  file: CompleteFile | undefined,
): void {
  if (resource && (file || brings(found, resource))) report.resources?.push(resource)
}

/** What the steps of a load share. */
type Place = {
  db: Database
  contractor: { id: string; currency: string }
  files: Map<string, string>
  found: FoundFile[]
  unissued: Set<string>
}

/** Loads our file of a kind, and what exports have of it. @returns what is known of our file, where there is one */
async function loadStep(
  { db, contractor, files, found, unissued }: Place,
  { kind, write, resource }: Step,
  progress: Progress,
): Promise<CompleteFile | undefined> {
  const { options, dry } = progress
  const targetFor = async (writer: WriteBatch, source: string, name: string): Promise<Omit<Target, 'fields'>> => {
    const writeFor: Target['write'] = ({ orm, ...context }, batch) => {
      const books = dry ? dry.books(orm, contractor.id, name) : storedBooks(orm, contractor.id)
      return writer({ ...context, books, contractor, unissued }, batch)
    }
    const step = await options.noting?.begin(kind.file, source)
    return { db, contractorId: contractor.id, kind, write: writeFor, step, readOnly: dry !== undefined }
  }
  const other = found.find((each): each is FoundFile & { table: Table } => 'own' in each && each.own === kind.file)
  const source = files.get(kind.file) ?? other?.table
  const file = source && (await loadFile(await targetFor(write, kind.file, kind.file), source, progress))
  if (resource) {
    const writer = joinedWriter(resource, write)
    await loadJoined((source, name) => targetFor(writer, source, name), resource, found, progress)
  }
  return file || undefined
}

/**
 * Loads a folder of our files, and of exports of other software, into a contractor's data, in slices that let requests run. Loading the
 * same files again changes nothing; a changed row is an update; an unusable row is reported and the rest continues. Files that are declared
 * complete delete the records that they no longer have; a price book is a history, which loses none. A dry run writes nothing.
 * @throws ServiceError `bad_request` when the folder cannot be read, has none of the files, or has one twice
 */
export async function loadFolder(
  db: Database,
  contractor: { id: string; currency: string },
  folder: string,
  options: LoadOptions = {},
): Promise<LoadReport> {
  const began = performance.now()
  const files = await filesOf(folder)
  const found = await findTables(files, KINDS, findingFor(db, contractor.id, options))
  for (const { name } of found) files.delete(name)
  requireUsable(folder, files, found)
  const report: LoadReport = { ...newReport(), resources: [] }
  reportSources(found, { report, options })
  const started = await databaseNow(db)
  const complete: CompleteFile[] = []
  const unissued = new Set<string>()
  const isJoined = found.some((each) => 'joined' in each)
  const dry = options.dryRun ? new DryRun(isJoined) : undefined
  const place = { db, contractor, files, found, unissued }
  const progress: Progress = { report, options: noted(options, isJoined), dry }
  const isStopped = () => options.signal?.aborted === true
  for (const step of STEPS) {
    const file = await loadStep(place, step, progress)
    noteResource(report, step, found, file)
    if (file && step.kind !== MATERIALS) complete.push(file)
    report.stopped = isStopped()
    if (report.stopped) break
  }
  if (options.complete && !report.stopped) {
    await completeFiles({ db, contractorId: contractor.id, dry }, complete, options.complete, progress)
    report.stopped = isStopped()
  }
  // The next search or load indexes what a stopped load left in the queue.
  if (dry) {
    report.preview = await dry.preview(db, contractor.id)
    for (const each of dry.unsaid()) addContradiction(report, each)
  } else if (!report.stopped) await finish(place, started.toISOString(), progress)
  report.milliseconds = Math.round(performance.now() - began)
  return report
}
