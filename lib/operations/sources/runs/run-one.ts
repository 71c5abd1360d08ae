import { rm } from 'node:fs/promises'
import { type Database, type Orm, withinContractor } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import {
  changeSource,
  closeOpenRuns,
  deleteRun,
  endRun,
  findSource,
  insertRun,
  renewLease,
  type Source,
} from '@/db/queries/sources'
import { inHand, MOST_STOPS } from '@/db/queries/work-in-hand'
import { audit } from '@/lib/auth/audit'
import { isOurs, ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { safeText } from '@/lib/core/log-safe'
import { every } from '@/lib/jobs/every'
import { SourceProblem } from '@/lib/load/fetch/fetched'
import { newFolder } from '@/lib/load/receive'
import { recoverAbandonedLoad } from '@/lib/load/recover'
import { minuteOf, nextRun } from '@/lib/sync/schedule/next-run'
import { Held, LEASE_MS, Postponed, type RunResult, SecretLost } from './result'
import { authorOfSource } from './run-files'
import { type Reaching, RUNNERS } from './runners'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

const RENEW_MS = 30_000
/** Waits after each failed run in a row, in minutes. */
const BACKOFF_MINUTES = [15, 60, 240, 720, 1_440]
/** A source of which every run fails for so long is paused. */
export const PAUSED_AFTER_MS = 7 * DAY_MS
const POSTPONED_MS = MINUTE_MS
const SOON_MS = MINUTE_MS
const MOST_ERROR = 1_000

const LEFT_OPEN = 'The service was stopped in the middle of this run. Nothing of it was kept; it is tried again.'
const OUR_FAULT = 'The run failed by a fault of the service, which is in its log. It is tried again by itself.'

/** Says why a source is paused whose runs the service did not survive, and what to do. */
const stoppedIt = ({ kind }: Source) =>
  `The service stopped in the middle of ${MOST_STOPS} runs in a row, so this source is paused. Nothing of them was kept. ` +
  (kind === 'mail'
    ? 'Resume it to go on without the mail that it was loading, and send the files of that one again in another form.'
    : 'Look at the files that it brings, put them right, then resume it. The log of the service says what stopped it.')

/** The limits of a run and its connections. */
export type RunOptions = {
  deadlineMs: number
  clock: () => Date
  reaching: Reaching
  stop: AbortSignal
  /** A person asks for it: a run that was left open is closed, and another one begins at once. */
  isAsked?: boolean
}

/** Returns why a run failed, for whoever set the source up; a fault of ours is logged and not shown. */
function reasonOf(error: unknown): string {
  if (error instanceof SourceProblem || (error instanceof ServiceError && !isOurs(error)))
    return safeText(error.message).slice(0, MOST_ERROR)
  logFault({ operation: 'sources' }, error)
  return OUR_FAULT
}

/** Returns when a source runs next by its schedule; null where none does. */
async function scheduledAt(orm: Orm, source: Source, after: Date): Promise<Date | null> {
  const { every, hour, weekday } = source
  if (every === null) return null
  const contractor = await findContractor(orm, source.contractorId)
  return nextRun({ every, hour, weekday }, contractor?.timezone ?? 'UTC', minuteOf(source.id), after)
}

/** Returns the changes after a good run. What asked for another one meanwhile, such as a mail, has its way. */
async function afterSuccess(orm: Orm, current: Source, source: Source, result: RunResult, now: Date) {
  const { again, changes, isIdle } = result
  const isAsked = current.nextAt !== null && current.nextAt.getTime() !== source.nextAt?.getTime()
  const soon = again === 'now' ? now : again === 'soon' ? new Date(now.getTime() + SOON_MS) : undefined
  const nextAt = isAsked ? current.nextAt : (soon ?? (await scheduledAt(orm, current, now)))
  if (isIdle && current.failures > 0) return { ...changes, nextAt }
  return { ...changes, failures: 0, failingSince: null, lastSuccessAt: now, nextAt }
}

/** Returns the changes after a failed run: it is tried again later and later, and paused after a week. */
function afterFailure(
  source: Pick<Source, 'failures' | 'failingSince'>,
  now: Date,
  pausedReason?: Source['pausedReason'],
): Partial<Source> {
  const failures = source.failures + 1
  const failingSince = source.failingSince ?? now
  const minutes = BACKOFF_MINUTES[Math.min(failures, BACKOFF_MINUTES.length) - 1] ?? 0
  const counted = { failures, failingSince, nextAt: new Date(now.getTime() + minutes * MINUTE_MS) }
  const isTooLong = failures >= BACKOFF_MINUTES.length && now.getTime() - failingSince.getTime() >= PAUSED_AFTER_MS
  if (!pausedReason && !isTooLong) return counted
  return { ...counted, state: 'paused', pausedAt: now, pausedReason: pausedReason ?? 'failing' }
}

/** Ends a failed run, with what follows from it, in one transaction. */
export async function noteFailure(orm: Orm, source: Source, runId: string, error: unknown, now: Date): Promise<void> {
  const reason = reasonOf(error)
  const draftId = error instanceof Held ? error.draftId : null
  const ended = { outcome: 'failed', error: reason, draftId, endedAt: now } as const
  if (!(await endRun(orm, source.contractorId, runId, ended))) return
  await followFailure(orm, source, { reason, now, pausedReason: error instanceof SecretLost ? 'secret' : null })
}

/** Changes a source as a failed run asks for, and notes it. */
async function followFailure(
  orm: Orm,
  source: Source,
  { reason, now, pausedReason }: { reason: string; now: Date; pausedReason: Source['pausedReason'] },
): Promise<void> {
  const { contractorId, id, name } = source
  const current = (await findSource(orm, contractorId, id, true)) ?? source
  const follows = afterFailure(current, now, pausedReason)
  const isPaused = current.state === 'paused'
  const { state: _, pausedAt: __, pausedReason: ___, ...counted } = follows
  await changeSource(orm, contractorId, id, { ...(isPaused ? counted : follows), lastRunAt: now, leaseUntil: null })
  const by = authorOfSource(source)
  await audit(orm, by, { event: 'source_failed', subject: id, detail: { name, reason } })
  if (follows.state === 'paused' && !isPaused)
    await audit(orm, by, { event: 'source_paused', subject: id, detail: { name, reason: follows.pausedReason ?? '' } })
}

async function noteSuccess(orm: Orm, source: Source, runId: string, result: RunResult, now: Date): Promise<void> {
  const { changes: _, again: __, isIdle: ___, ...ended } = result
  if (!(await endRun(orm, source.contractorId, runId, { ...ended, endedAt: now }))) return
  const current = (await findSource(orm, source.contractorId, source.id, true)) ?? source
  const follows = await afterSuccess(orm, current, source, result, now)
  await changeSource(orm, source.contractorId, source.id, { ...follows, lastRunAt: now, leaseUntil: null })
}

/** Leaves a source for now; it is taken again in a minute. */
async function putOff(orm: Orm, source: Source, now: Date): Promise<void> {
  const nextAt = new Date(now.getTime() + POSTPONED_MS)
  await changeSource(orm, source.contractorId, source.id, { nextAt, leaseUntil: null })
}

/** Says again and again that this process has a source; ends the run when another one has it. */
function keepLease(db: Database, source: Source, lost: AbortController): () => Promise<void> {
  let held = source
  const renew = async () => {
    const until = new Date(Date.now() + LEASE_MS)
    if (await renewLease(db.orm, held, until)) held = { ...held, leaseUntil: until }
    else lost.abort()
  }
  return every('sources', RENEW_MS, renew, { whileStopping: true })
}

/** Closes the run that a process left open which is gone: a failed run like any other, and the third in a row pauses the source. */
async function noteLeft(db: Database, source: Source, times: number, now: Date): Promise<void> {
  const isOver = times >= MOST_STOPS
  const reason = isOver ? stoppedIt(source) : LEFT_OPEN
  await withinContractor(db.orm, source.contractorId, async (orm) => {
    await closeOpenRuns(orm, source, reason, now)
    await followFailure(orm, source, { reason, now, pausedReason: isOver ? 'stopped' : null })
  })
  await recoverAbandonedLoad(db, source.contractorId)
}

/**
 * Runs a source that this process has taken, and notes what came of it. What a process left open that is gone is closed in its place: it is
 * taken again later.
 */
export async function runOne(db: Database, source: Source, options: RunOptions): Promise<void> {
  const { clock, isAsked = false } = options
  const { contractorId, id } = source
  await inHand(
    db.orm,
    { kind: 'source', subject: id },
    {
      begun: () => run(db, source, options),
      left: async (times) => {
        await noteLeft(db, source, times, clock())
        if (!isAsked) return
        await changeSource(db.orm, contractorId, id, { leaseUntil: source.leaseUntil })
        await runOne(db, source, options)
      },
      later: () => withinContractor(db.orm, contractorId, (orm) => putOff(orm, source, clock())),
    },
  )
}

async function run(db: Database, source: Source, options: RunOptions): Promise<void> {
  const { deadlineMs, clock, reaching, stop } = options
  const { contractorId } = source
  const within = <T>(work: (orm: Orm) => Promise<T>) => withinContractor(db.orm, contractorId, work)
  const now = clock()
  const id = newId('sourceRun')
  const row: Parameters<typeof insertRun>[1] = {
    id,
    contractorId,
    sourceId: source.id,
    startedAt: now,
    outcome: 'running',
    files: [],
  }
  await within(async (orm) => {
    // Of a version that did not note what it began.
    await closeOpenRuns(orm, source, LEFT_OPEN, now)
    await insertRun(orm, row)
  })
  const lost = new AbortController()
  const release = keepLease(db, source, lost)
  const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), lost.signal, stop])
  let folder: string | undefined
  try {
    folder = await newFolder()
    const result = await RUNNERS[source.kind](reaching)(source, { folder, signal, now })
    await within((orm) => noteSuccess(orm, source, id, result, clock()))
  } catch (error) {
    // Another load had the contractor's turn: as if nothing had been begun.
    if (error instanceof Postponed)
      await within(async (orm) => {
        await deleteRun(orm, contractorId, id)
        await putOff(orm, source, clock())
      })
    else await within((orm) => noteFailure(orm, source, id, ended(error, signal, stop), clock()))
  } finally {
    await release()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Returns what ended a run that was broken off: the deadline, or that the service stops. */
function ended(error: unknown, signal: AbortSignal, stop: AbortSignal): unknown {
  if (!signal.aborted) return error
  if (stop.aborted) return new SourceProblem(LEFT_OPEN)
  return new SourceProblem(
    'The run took longer than it may and was stopped. Nothing of it was kept; it is tried again.',
  )
}
