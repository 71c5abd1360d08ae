import { createReadStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, database, withinContractor } from '@/db/client'
import { noteLoaded } from '@/db/queries/freshness'
import { draftFiles, listDrafts } from '@/db/queries/load-drafts'
import { findJournal } from '@/db/queries/load-journal'
import { learnSettings, type Source } from '@/db/queries/sources'
import type { SourceAuthor } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { newDraft } from '@/lib/load/draft'
import { forgetDraft, storeFile, storeRefusedRows } from '@/lib/load/draft-bytes'
import { DRAFT_LIMITS } from '@/lib/load/draft-limits'
import { type Fetched, SourceProblem } from '@/lib/load/fetch/fetched'
import { Refusals, refusedName } from '@/lib/load/refused'
import type { LoadReport } from '@/lib/load/report'
import { acquireLoadTurn } from '@/lib/load/turn'
import { loadFor } from '../../loads/load-for'
import { earliestMail } from './fetch-mail'
import { firstOfEach, removed, requireLoadableFiles, requireSafe, total } from './guard'
import { Held, Postponed, type Running, type RunResult } from './result'

export const authorOfSource = ({ id, name, contractorId }: Source): SourceAuthor => ({
  kind: 'source',
  sourceId: id,
  sourceName: name,
  contractorId,
})

const MOST_HELD = { ofFile: DRAFT_LIMITS.sources.mostBytes, ...DRAFT_LIMITS.sources }

/** Holds the refused rows of a load. @returns the draft that has them; null when they cannot be held */
async function hold(db: Database, source: Source, folder: string): Promise<string | null> {
  try {
    const holder = { db, contractorId: source.contractorId }
    const draft = await newDraft(holder, source.id)
    await storeRefusedRows(holder, draft, folder, MOST_HELD)
    return draft.id
  } catch (fault) {
    logFault({ operation: 'sources' }, fault)
    return null
  }
}

/** Holds the files that have questions, in place of those of the run before. @returns their draft; null when they cannot be held */
async function holdFiles(source: Source, place: string, names: readonly string[]): Promise<string | null> {
  // A mail waits in a draft of its own until it is loaded.
  if (source.kind === 'mail') return await earliestMail(source)
  try {
    const db = await database()
    const holder = { db, contractorId: source.contractorId }
    for (const { id } of await listDrafts(db.orm, source.contractorId, source.id))
      if ((await draftFiles(db.orm, source.contractorId, id, { role: 'dropped' })).length > 0)
        await forgetDraft(holder, id)
    const draft = await newDraft(holder, source.id)
    for (const file of names) {
      const bytes = createReadStream(join(/* turbopackIgnore: true */ place, file))
      await storeFile(holder, { draft, file, role: 'dropped' }, bytes, { most: MOST_HELD })
    }
    return draft.id
  } catch (fault) {
    logFault({ operation: 'sources' }, fault)
    return null
  }
}

const ANSWER =
  'Open the files on the load page from the runs of this source, where they are held for a week, and answer there.'
const DROP = 'Open the load page, drop the files there, and answer.'
const KEPT = 'The answers are kept for the next files.'

/** Holds files that have questions, and says where to answer. */
async function held(source: Source, place: string, names: readonly string[], { message }: Held): Promise<Held> {
  const draftId = await holdFiles(source, place, names)
  return new Held(`${message} ${draftId === null ? DROP : ANSWER} ${KEPT}`, draftId)
}

const NOTHING = { files: [], added: 0, updated: 0, deleted: 0, refused: 0, loadId: null, draftId: null }

const isBusy = (error: unknown) => error instanceof ServiceError && (error.code === 'conflict' || error.code === 'busy')

/** @throws Postponed while another load has the contractor's turn */
const takeTurn = (contractorId: string) =>
  acquireLoadTurn(contractorId).catch((error: unknown) => {
    throw isBusy(error) ? new Postponed() : error
  })

type Loaded = { report: LoadReport; isWritten: boolean; csvs: Map<string, string>; draftId: string | null }

/** Loads the files of a folder, after a look at what that would do. The caller has the contractor's turn. */
async function load(db: Database, source: Source, place: string, { folder, signal }: Running): Promise<Loaded> {
  const by = authorOfSource(source)
  const complete = source.complete ? { delete: true } : undefined
  const options = { signal, dates: source.dates ?? undefined, complete }
  const looked = await loadFor(by, place, { ...options, dryRun: true })
  requireSafe(looked)
  // What changes nothing takes no other load's place among those that can be taken back.
  const changes = total(looked, 'added') + total(looked, 'updated') + total(looked, 'refused')
  if (changes + removed(looked, 'missing') === 0 && !looked.stopped) {
    await noteLoaded(db, source.contractorId, looked.resources ?? [])
    return { report: looked, isWritten: false, csvs: new Map(), draftId: null }
  }
  const refusals = new Refusals()
  const report = await loadFor(by, place, { ...options, isWhole: true, onFault: refusals.note.bind(refusals) })
  if (report.stopped) throw new SourceProblem('The load was stopped. Nothing of it was kept; it is tried again.')
  const into = join(folder, 'refused')
  const refused = await refusals.write(place, into)
  const csvs = new Map(refused.map((name) => [name.toLowerCase(), join(into, refusedName(name))]))
  return { report, isWritten: true, csvs, draftId: refused.length > 0 ? await hold(db, source, into) : null }
}

/** Returns a load's outcome. */
function outcomeOf({ report, isWritten }: Loaded): RunResult['outcome'] {
  if (total(report, 'refused') > 0) return 'partial'
  const changes = total(report, 'added') + total(report, 'updated') + removed(report, 'deleted')
  return isWritten && changes > 0 ? 'loaded' : 'unchanged'
}

/** Tells a source how its files fared; what it cannot do about it is logged. */
async function tell(
  fetched: Fetched,
  names: readonly string[],
  problem: string | null,
  csvs = new Map<string, string>(),
): Promise<void> {
  const fates = names.map((name) => ({ name, problem, refusedCsv: csvs.get(name.toLowerCase()) }))
  await fetched.settle?.(fates).catch((fault: unknown) => logFault({ operation: 'sources' }, fault))
}

/** Loads the earliest file of each kind. @throws SourceProblem in words, after telling the source; Held for files that stay where they are */
async function runTurn(source: Source, fetched: Fetched, running: Running): Promise<RunResult> {
  const db = await database()
  const { folder } = running
  const place = join(/* turbopackIgnore: true */ folder, 'load')
  let names = fetched.files.map(({ name }) => name)
  try {
    const all = await requireLoadableFiles(db, source.contractorId, folder, fetched.files)
    names = firstOfEach(all).map(({ name }) => name)
    await mkdir(place, { mode: 0o700 })
    for (const name of names)
      await rename(join(/* turbopackIgnore: true */ folder, name), join(/* turbopackIgnore: true */ place, name))
    const loaded = await load(db, source, place, running)
    await tell(fetched, names, null, loaded.csvs)
    const { report, isWritten, draftId } = loaded
    const journal = isWritten ? await findJournal(db.orm, source.contractorId) : undefined
    const seen = { ...fetched.seen(names), resources: (report.resources ?? []).join(',') }
    return {
      files: names,
      added: total(report, 'added'),
      updated: total(report, 'updated'),
      deleted: removed(report, 'deleted'),
      refused: total(report, 'refused'),
      outcome: outcomeOf(loaded),
      loadId: journal?.loadId ?? null,
      draftId,
      changes: { seen },
      ...(all.length > names.length || fetched.isMore ? { again: 'now' } : {}),
    }
  } catch (error) {
    if (error instanceof Held && !running.signal.aborted) throw await held(source, place, names, error)
    const isTheirs = error instanceof SourceProblem || (error instanceof ServiceError && !isOurs(error))
    if (isTheirs && !running.signal.aborted) await tell(fetched, names, error.message)
    throw error
  }
}

/** A fault that another try may not meet. */
const isOurs = ({ code }: ServiceError) => code === 'internal' || code === 'busy' || code === 'conflict'

/** Keeps what a source learned of its place, such as the key of a server, also when nothing can be loaded. */
async function learn({ contractorId, id, settings }: Source, learned: Record<string, string>): Promise<void> {
  if (Object.entries(learned).every(([name, value]) => settings[name] === value)) return
  await withinContractor((await database()).orm, contractorId, (orm) =>
    learnSettings(orm, { contractorId, id, settings }, learned),
  )
}

/**
 * Loads what a source brought, in the way of files dropped on the load page: recognized or mapped as before, looked at, then loaded in one go that
 * can be taken back. A file that leaves a doubt, or has a question, stops all of them, and nothing is written.
 * @throws SourceProblem in words; Postponed while another load runs
 */
export async function runFiles(source: Source, fetched: Fetched, running: Running): Promise<RunResult> {
  if (fetched.changes) await learn(source, fetched.changes)
  const soon = fetched.isMoving ? { again: 'soon' as const } : {}
  if (fetched.files.length === 0) {
    const resources = source.seen.resources ?? ''
    // The source says that what it brought before is as it was.
    const isIdle = fetched.isIdle === true
    if (!isIdle) await noteLoaded(await database(), source.contractorId, resources.split(',').filter(Boolean))
    return {
      ...NOTHING,
      outcome: 'unchanged',
      isIdle,
      changes: { seen: { ...fetched.seen([]), resources } },
      ...soon,
    }
  }
  const giveBack = await takeTurn(source.contractorId)
  try {
    return { ...soon, ...(await runTurn(source, fetched, running)) }
  } finally {
    await giveBack()
  }
}
