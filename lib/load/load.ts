import { type Database, withinContractor } from '@/db/client'
import { customersKnown, hasLoaded, renameStored } from '@/db/queries/adopt'
import {
  type Contradiction,
  contradictions,
  countWithoutProject,
  refreshStatistics,
  retainageBilled,
} from '@/db/queries/load'
import { findMapping, putMapping } from '@/db/queries/load-mappings'
import type { MonthAmount } from '@/db/queries/month-amounts'
import { databaseNow, indexQueued } from '@/db/queries/search-queue'
import { invoicesNumbered, storedDocuments } from '@/db/queries/stored-documents'
import type { ResourceName } from '@/lib/core/resource-names'
import { Pace } from '@/lib/core/slices'
import { adoptEarlier } from './adopt'
import { allocatePayments, changedCustomers } from './allocate'
import type { WriteBatch } from './batches/batch'
import { storedBooks } from './batches/books'
import { inNotation } from './columns'
import { DryRun } from './dry/run'
import { loadFile } from './file'
import { filesOf, requireUsable } from './folder'
import { type FoundFile, findTables } from './join/find'
import { loadJoined, reportSources } from './join/load'
import type { Finding } from './join/recognize'
import { isOfOneLoad } from './join/stored'
import { KINDS, MATERIALS } from './kinds'
import { bySource, type CompleteFile, completeFiles } from './missing'
import { Months } from './months'
import type { Answers } from './questions'
import { addDifferences, beginReconciliation, endReconciliation } from './reconcile'
import { addContradiction, filesWith, type LoadOptions, type LoadReport, newReport, type Progress } from './report'
import { joinedWriter, STEPS, type Step } from './steps'
import type { Table } from './tables/table'
import type { Notation } from './values'
import type { Target } from './write'

/** The most invoices that are named. */
const MOST_NAMED = 1_000

const TABLES = KINDS.map(({ table }) => table)

/** Says what of an invoice contradicts its payments, what counts, and what to do. */
const whyApart = ({ stated, left, counts, isHeld }: Contradiction): string =>
  isHeld
    ? 'has a Paid Date, retainage and no payment, so what is held back counts as paid too. Load its payments, or give a Balance'
    : `the file says that ${stated} is open, the payments leave ${left}; ${counts} counts. Load the missing payments, or correct the balance`

/** Names the invoices that this load changed and whose file says another balance than their payments leave, or that ask for what others hold back. */
async function nameContradictions(
  db: Database,
  contractorId: string,
  since: string,
  report: LoadReport,
): Promise<void> {
  const file = filesWith(report, 'invoices')
  for (const found of await contradictions(db.orm, contractorId, since, MOST_NAMED))
    addContradiction(report, {
      file,
      line: null,
      field: found.isHeld ? 'Paid Date' : 'Balance',
      value: found.number,
      reason: whyApart(found),
    })
  for (const { number, amount, held, credits } of await retainageBilled(db.orm, contractorId, since, MOST_NAMED))
    addContradiction(report, {
      file,
      line: null,
      field: 'Retainage',
      value: number,
      reason: `asks for ${amount}, exactly what is held back on ${held}. If it bills that retainage, the customer owes it twice: load a credit of its date, ${credits}`,
    })
}

/**
 * Keeps mappings, names contradictions, and brings the search index and the database's statistics up to date; after a dry run, says what it
 * would come to.
 */
async function finish(place: Place, since: string, { report, options, dry, months }: Progress): Promise<void> {
  const { db, found } = place
  const contractorId = place.contractor.id
  if (report.reconciliation && months)
    report.reconciliation.months = await months.totals(db, contractorId, dry !== undefined)
  if (dry) {
    report.preview = dry.preview()
    for (const each of dry.unsaid()) addContradiction(report, each)
    return
  }
  if (options.saveMap) await keepMappings(db, contractorId, found)
  await keepAnswers(db, contractorId, { ...options.answers, ...place.learned })
  for await (const customers of changedCustomers(db, contractorId, since)) {
    if (options.signal?.aborted) break
    await allocatePayments(db, contractorId, customers, place.named, { report, options })
    if (report.reconciliation) await addDifferences(db, contractorId, customers, report.reconciliation)
  }
  await nameContradictions(db, contractorId, since, report)
  if (report.reconciliation) await endReconciliation(db, contractorId, report.reconciliation)
  await indexQueued(db, contractorId, options.signal)
  const pace = new Pace(db)
  await refreshStatistics(db, TABLES, () => pace.between())
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

/** Returns what is known of files with strange columns: what is kept, and what the caller says of them. */
const findingFor = (
  db: Database,
  { id: contractorId, ...office }: Loading,
  { map, saveMap, signal }: LoadOptions,
): Finding => ({
  office,
  signal,
  map: map ?? (saveMap ? [] : undefined),
  kept: (shape) => findMapping(db.orm, contractorId, shape),
})

/** Keeps the mappings that were made for files of this load, for the next file of their columns. */
async function keepMappings(db: Database, contractorId: string, found: FoundFile[]): Promise<void> {
  for (const each of found)
    if ('made' in each && each.made) await putMapping(db.orm, contractorId, { ...each.made, name: each.name })
}

/** The name under which a contractor's answers are kept, among what is kept for the shapes of files. */
const ANSWERS = 'answers'

const keptAnswers = async (db: Database, contractorId: string): Promise<Answers> =>
  (await findMapping(db.orm, contractorId, ANSWERS))?.answers ?? {}

/** Keeps the answers of a load that was loaded; they are asked for again only where the files say otherwise. */
async function keepAnswers(db: Database, contractorId: string, answers: Answers): Promise<void> {
  const lasting = Object.entries(answers).filter(([key]) => !isOfOneLoad(key))
  const kept = { ...(await keptAnswers(db, contractorId)), ...Object.fromEntries(lasting) }
  if (lasting.length > 0)
    await putMapping(db.orm, contractorId, { shape: ANSWERS, name: ANSWERS, mapping: { columns: [], answers: kept } })
}

const orderIn = ({ dates }: Answers = {}): Notation['dates'] | undefined =>
  dates === 'mdy' || dates === 'dmy' ? dates : undefined

/** Reports whether a file of other software has records of a resource. */
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
  files: readonly CompleteFile[],
): void {
  if (resource && (files.some(({ source }) => source === undefined) || brings(found, resource)))
    report.resources?.push(resource)
}

/** The contractor whose files are loaded, and what says how its office writes. */
type Loading = { id: string; currency: string; timezone: string; country?: string | null }

const joinedIn = (found: FoundFile[]) => found.flatMap((each) => ('joined' in each ? [each.joined] : []))

/** The context that a load's steps share. */
type Place = {
  db: Database
  contractor: Loading
  notations: Map<string, Notation>
  named: Map<string, string[]>
  files: Map<string, string>
  found: FoundFile[]
  unissued: Set<string>
  kept: ReadonlySet<string>
  learned: Answers
}

/** Loads our file of a kind, and what exports have of it. @returns what is known of our file, where there is one, and of the exports of each source */
async function loadStep(
  { db, contractor, files, found, unissued, notations, named, kept }: Place,
  { kind, write, resource }: Step,
  progress: Progress,
): Promise<CompleteFile[]> {
  const { options, dry } = progress
  const targetFor = async (
    writer: WriteBatch,
    { source, brings }: { source: string; brings?: string },
    name: string,
  ): Promise<Omit<Target, 'fields'>> => {
    const writeFor: Target['write'] = async ({ orm, ...context }, batch) => {
      const moved: MonthAmount[] = []
      const bringing = { source: brings, moved }
      const books = dry ? dry.books(orm, contractor.id, name, bringing) : storedBooks(orm, contractor.id, bringing)
      return { ...(await writer({ ...context, books, contractor, unissued, named, kept }, batch)), moved }
    }
    const step = await options.noting?.begin(kind.file, source)
    return { db, contractorId: contractor.id, kind, write: writeFor, step, readOnly: dry !== undefined }
  }
  const other = found.find((each): each is FoundFile & { table: Table } => 'own' in each && each.own === kind.file)
  const source = files.get(kind.file) ?? other?.table
  const target = source && (await targetFor(write, { source: kind.file }, kind.file))
  const notation = notations.get(other?.name ?? kind.file)
  const file =
    target &&
    (await loadFile({ ...target, kind: notation ? inNotation(target.kind, notation) : target.kind }, source, progress))
  const exports = resource
    ? await loadJoined((of, name) => targetFor(joinedWriter(resource, write), of, name), resource, found, progress)
    : []
  return [...(file ? [file] : []), ...bySource(exports)]
}

/** Gives customers their new names, where a person said that they have them. */
async function renameCustomers(
  { db, contractor }: Place,
  renamed: ReadonlyMap<string, string>,
  { options }: Progress,
): Promise<void> {
  if (renamed.size === 0) return
  const step = await options.noting?.begin('customers.csv')
  await withinContractor(db.orm, contractor.id, (orm) => renameStored(orm, contractor.id, renamed), { step })
}

/** Loads what the folder has of each kind, and deletes what complete files no longer have; `stopped` in the report says where that broke off. */
async function loadSteps(place: Place, progress: Progress): Promise<void> {
  const { report, options } = progress
  const complete: CompleteFile[] = []
  const isStopped = () => options.signal?.aborted === true
  for (const step of STEPS) {
    const files = await loadStep(place, step, progress)
    noteResource(report, step, place.found, files)
    if (step.kind !== MATERIALS) complete.push(...files)
    report.stopped = isStopped()
    if (report.stopped) return
  }
  if (!options.complete) return
  const { db, contractor } = place
  await completeFiles({ db, contractorId: contractor.id }, complete, options.complete, progress)
  report.stopped = isStopped()
}

/**
 * Loads a folder of our files, and of exports of other software, into a contractor's data, in slices that let requests run. Loading the
 * same files again changes nothing; a changed row is an update; an unusable row is reported and the rest continues. Files that are declared
 * complete delete the records that they no longer have; a price book is a history, which loses none. A dry run writes nothing.
 * @throws ServiceError `bad_request` when the folder cannot be read, has none of the files, or has one twice
 */
export async function loadFolder(
  db: Database,
  contractor: Loading,
  folder: string,
  options: LoadOptions = {},
): Promise<LoadReport> {
  const began = performance.now()
  const files = await filesOf(folder)
  const kept = await keptAnswers(db, contractor.id)
  const finding: Finding = {
    ...findingFor(db, contractor, options),
    answers: { ...kept, ...options.answers },
    dates: options.dates ?? orderIn(options.answers),
    keptDates: orderIn(kept),
    customers: (by) => customersKnown(db.orm, contractor.id, by),
    ...((await hasLoaded(db.orm, contractor.id)) && {
      stored: (kind, references) => storedDocuments(db.orm, contractor.id, kind, references),
      numbered: (numbers) => invoicesNumbered(db.orm, contractor.id, numbers),
    }),
  }
  const {
    files: found,
    notations,
    why,
    questions,
    documents,
    totals,
    renamed,
    learned,
    kept: unchanged,
  } = await findTables(files, KINDS, finding)
  const report: LoadReport = { ...newReport(), resources: [], ...(why !== undefined && { dates: why }) }
  // Whoever is asked to stop has not read the files to their end, and says nothing of them.
  if (options.signal?.aborted) return { ...report, stopped: true }
  for (const { name } of found) files.delete(name)
  requireUsable(folder, files, found)
  reportSources(found, { report, options })
  report.reconciliation = await beginReconciliation(db, contractor, { documents, totals })
  if (questions.length > 0) {
    // Nothing is written before it is known what is written.
    report.questions = questions
    report.milliseconds = Math.round(performance.now() - began)
    return report
  }
  const started = await databaseNow(db)
  const unissued = new Set<string>()
  const isJoined = found.some((each) => 'joined' in each)
  const dry = options.dryRun ? new DryRun(isJoined) : undefined
  const place: Place = { db, contractor, files, found, unissued, notations, named: new Map(), kept: unchanged, learned }
  const progress: Progress = { report, options: noted(options, isJoined), dry, months: new Months() }
  if (!dry) {
    await adoptEarlier(db, contractor.id, joinedIn(found))
    // What was answered for an earlier load was renamed by it.
    if (Object.values(options.answers ?? {}).includes('renamed')) await renameCustomers(place, renamed, progress)
  }
  await loadSteps(place, progress)
  // The next search or load indexes what a stopped load left in the queue.
  if (!report.stopped) await finish(place, started.toISOString(), progress)
  report.milliseconds = Math.round(performance.now() - began)
  return report
}
