import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@/db/client'
import { contradictions, countWithoutProject, refreshStatistics } from '@/db/queries/load'
import { findMapping, putMapping } from '@/db/queries/load-mappings'
import { databaseNow, indexQueued } from '@/db/queries/search-queue'
import { ServiceError } from '@/lib/core/errors'
import type { ResourceName } from '@/lib/core/resource-names'
import { RESOURCES } from '@/lib/resources/registry'
import type { WriteBatch } from './batches/batch'
import { storedBooks } from './batches/books'
import { writeCustomers } from './batches/customers'
import { writeInvoices } from './batches/invoices'
import { writeMaterials } from './batches/materials'
import { writePayments } from './batches/payments'
import { plainWriter } from './batches/plain'
import { writeProjectMaterials } from './batches/project-materials'
import type { FileKind } from './columns'
import { DryRun } from './dry/run'
import { loadFile, type Progress } from './file'
import { type FoundFile, findTables, mayBeTable } from './join/find'
import { loadJoined, reportSources } from './join/load'
import { matchedWriter } from './join/match'
import type { Finding } from './join/taken'
import { fileKind, MATERIALS, PROJECT_MATERIALS } from './kinds'
import { type CompleteFile, completeFiles } from './missing'
import { addContradiction, type LoadOptions, type LoadReport } from './report'
import { Slices } from './slices'
import type { Table } from './tables/table'
import type { Target } from './write'

/** The most invoices that are named. */
const MOST_NAMED = 1_000

/** A kind of file, the resource that its rows are, and how they are written. */
type Step = { kind: FileKind; write: WriteBatch; resource?: ResourceName }

/** Writers of resources that do more than copy cells: they build ids, normalize phone numbers, or check amounts against a type. */
const SPECIAL_WRITERS: Partial<Record<ResourceName, WriteBatch>> = {
  customers: writeCustomers,
  invoices: writeInvoices,
  payments: writePayments,
}

/** In this order, because each file refers to rows of the earlier ones. */
const STEPS: Step[] = [
  ...RESOURCES.map(
    (resource): Step => ({
      kind: fileKind(resource),
      write: SPECIAL_WRITERS[resource.name] ?? plainWriter(resource),
      resource: resource.name,
    }),
  ),
  { kind: MATERIALS, write: writeMaterials },
  { kind: PROJECT_MATERIALS, write: writeProjectMaterials },
]

/** Our own files, in the order in which they are loaded. */
export const KINDS = STEPS.map(({ kind }) => kind)
const TABLES = STEPS.map(({ kind }) => kind.table)

/** The file names in the order in which they are loaded; each refers only to earlier ones. */
export const FILES = STEPS.map(({ kind }) => kind.file)

const none = (folder: string) =>
  `The folder ${folder} contains none of ${FILES.join(', ')}, and no export of other software that is recognized.`

/** @throws ServiceError `bad_request` when nothing of a folder can be loaded, with the columns that were found */
function requireUsable(folder: string, files: Map<string, string>, found: FoundFile[]): void {
  if (FILES.some((file) => files.has(file)) || found.some((each) => !('problem' in each) || each.isRecognized)) return
  const reasons = found.flatMap((each) => ('problem' in each ? [` ${each.name}: ${each.problem}`] : []))
  throw new ServiceError('bad_request', `${none(folder)}${reasons.slice(0, 5).join('')}`)
}

/**
 * Returns the paths of a folder's files, by their names: those of ours in lower case, and others that may be tables.
 * @throws ServiceError `bad_request` when it cannot be read, has no such file, or has one of ours twice
 */
export async function filesOf(folder: string): Promise<Map<string, string>> {
  const names = await readdir(folder).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ServiceError('bad_request', `The folder ${folder} cannot be read (${code}).`)
  })
  const found = new Map<string, string>()
  for (const name of names) {
    const isOurs = FILES.includes(name.toLowerCase())
    if (isOurs && found.has(name.toLowerCase()))
      throw new ServiceError('bad_request', `The folder ${folder} contains ${name.toLowerCase()} twice. Remove one.`)
    if (isOurs) found.set(name.toLowerCase(), join(folder, name))
    else if (mayBeTable(name)) found.set(name, join(folder, name))
  }
  if (found.size > 0) return found
  throw new ServiceError('bad_request', none(folder))
}

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

/** Payments of other software may name no invoice; theirs is found. */
const joinedWriter = (resource: ResourceName, write: WriteBatch): WriteBatch =>
  resource === 'payments' ? matchedWriter() : write

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
  const report: LoadReport = {
    files: [],
    faults: [],
    faultCount: 0,
    customersWithoutProject: 0,
    milliseconds: 0,
    stopped: false,
  }
  reportSources(found, { report, options })
  const started = await databaseNow(db)
  const complete: CompleteFile[] = []
  const unissued = new Set<string>()
  const isJoined = found.some((each) => 'joined' in each)
  const dry = options.dryRun ? new DryRun(isJoined) : undefined
  const place = { db, contractor, files, found, unissued }
  const progress: Progress = { report, options: isJoined ? asOne(options) : options, dry }
  const isStopped = () => options.signal?.aborted === true
  for (const step of STEPS) {
    const file = await loadStep(place, step, progress)
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
