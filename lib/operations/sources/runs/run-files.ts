import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, database, withinContractor } from '@/db/client'
import { noteLoaded } from '@/db/queries/freshness'
import { findJournal } from '@/db/queries/load-journal'
import { learnSettings, type Source } from '@/db/queries/sources'
import type { SourceAuthor } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { HELD, newDraft } from '@/lib/load/draft'
import { holdRefused } from '@/lib/load/draft-bytes'
import { type Fetched, SourceProblem } from '@/lib/load/fetch/fetched'
import { Refusals, refusedName } from '@/lib/load/refused'
import type { LoadReport } from '@/lib/load/report'
import { takeLoadTurn } from '@/lib/load/turn'
import { loadFor } from '../../loads/load-for'
import { firstOfEach, knownFiles, removed, requireSafe, total } from './guard'
import { Postponed, type Running, type RunResult } from './result'

export const authorOfSource = ({ id, name, contractorId }: Source): SourceAuthor => ({
  kind: 'source',
  sourceId: id,
  sourceName: name,
  contractorId,
})

/** Holds the refused rows of a load. @returns the draft that has them; null when they cannot be held */
async function hold(db: Database, source: Source, folder: string): Promise<string | null> {
  try {
    const holder = { db, contractorId: source.contractorId }
    const draft = await newDraft(holder, source.id)
    await holdRefused(holder, draft, folder, { ofFile: HELD.sources.mostBytes, ...HELD.sources })
    return draft.id
  } catch (fault) {
    logFault({ operation: 'sources' }, fault)
    return null
  }
}

const NOTHING = { files: [], added: 0, updated: 0, deleted: 0, refused: 0, loadId: null, draftId: null }

const isBusy = (error: unknown) => error instanceof ServiceError && (error.code === 'conflict' || error.code === 'busy')

/** @throws Postponed while another load has the contractor's turn */
const takeTurn = (contractorId: string) =>
  takeLoadTurn(contractorId).catch((error: unknown) => {
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

/** What a load came to. */
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

/** Loads the earliest file of each kind. @throws SourceProblem in words, after telling the source */
async function runTurn(source: Source, fetched: Fetched, running: Running): Promise<RunResult> {
  const db = await database()
  const { folder } = running
  let names = fetched.files.map(({ name }) => name)
  try {
    const all = await knownFiles(db, source.contractorId, folder, fetched.files)
    names = firstOfEach(all).map(({ name }) => name)
    const place = join(/* turbopackIgnore: true */ folder, 'load')
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
 * can be taken back. A file that leaves a doubt stops all of them, and nothing is written.
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
