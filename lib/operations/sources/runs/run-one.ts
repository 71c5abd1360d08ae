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
  type SourceRun,
} from '@/db/queries/sources'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { safeText } from '@/lib/core/log-safe'
import { SourceProblem } from '@/lib/load/fetch/fetched'
import { newFolder } from '@/lib/load/receive'
import { minuteOf, nextRun } from '@/lib/sync/schedule/next-run'
import { LEASE_MS } from './lease'
import { Postponed, type RunResult } from './result'
import { authorOfSource } from './run-files'
import { type Reaching, RUNNERS } from './runners'
import { SecretLost } from './secret-lost'

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

const LEFT_OPEN = 'The service was stopped in the middle of this run. Nothing of it was kept, and it is done again.'
const OUR_FAULT = 'The run failed by a fault of the service, which is in its log. It is tried again by itself.'

/** How a run is limited and reached. */
export type RunOptions = { deadlineMs: number; clock: () => Date; reaching: Reaching; stop: AbortSignal }

/** Why a run failed, for whoever set the source up; a fault of ours is logged and not shown. */
function reasonOf(error: unknown): string {
  if (error instanceof SourceProblem || (error instanceof ServiceError && error.code !== 'internal'))
    return safeText(error.message).slice(0, MOST_ERROR)
  logFault({ operation: 'sources' }, error)
  return OUR_FAULT
}

/** When a source runs next by its schedule; null where none does. */
async function scheduledAt(orm: Orm, source: Source, after: Date): Promise<Date | null> {
  const { every, hour, weekday } = source
  if (every === null) return null
  const contractor = await findContractor(orm, source.contractorId)
  return nextRun({ every, hour, weekday }, contractor?.timezone ?? 'UTC', minuteOf(source.id), after)
}

/** What follows from a good run. What asked for another one meanwhile, such as a mail, has its way. */
async function afterSuccess(orm: Orm, current: Source, source: Source, result: RunResult, now: Date) {
  const { again, changes, isIdle } = result
  const isAsked = current.nextAt !== null && current.nextAt.getTime() !== source.nextAt?.getTime()
  const soon = again === 'now' ? now : again === 'soon' ? new Date(now.getTime() + SOON_MS) : undefined
  const nextAt = isAsked ? current.nextAt : (soon ?? (await scheduledAt(orm, current, now)))
  if (isIdle && current.failures > 0) return { ...changes, nextAt }
  return { ...changes, failures: 0, failingSince: null, lastSuccessAt: now, nextAt }
}

/** What follows from a failed run: it is tried again later and later, and paused after a week. */
function afterFailure(
  source: Pick<Source, 'failures' | 'failingSince'>,
  now: Date,
  isSecretLost = false,
): Partial<Source> {
  const failures = source.failures + 1
  const failingSince = source.failingSince ?? now
  const minutes = BACKOFF_MINUTES[Math.min(failures, BACKOFF_MINUTES.length) - 1] ?? 0
  const counted = { failures, failingSince, nextAt: new Date(now.getTime() + minutes * MINUTE_MS) }
  const isTooLong = failures >= BACKOFF_MINUTES.length && now.getTime() - failingSince.getTime() >= PAUSED_AFTER_MS
  if (!isSecretLost && !isTooLong) return counted
  return { ...counted, state: 'paused', pausedAt: now, pausedReason: isSecretLost ? 'secret' : 'failing' }
}

/** Ends a failed run, with what follows from it, in one transaction. */
export async function noteFailure(orm: Orm, source: Source, runId: string, error: unknown, now: Date): Promise<void> {
  const reason = reasonOf(error)
  const { contractorId, id, name } = source
  if (!(await endRun(orm, contractorId, runId, { outcome: 'failed', error: reason, endedAt: now }))) return
  const current = (await findSource(orm, contractorId, id, true)) ?? source
  const follows = afterFailure(current, now, error instanceof SecretLost)
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

/** Another load had the contractor's turn: as if nothing had been begun, and again in a minute. */
async function postpone(orm: Orm, source: Source, runId: string, now: Date): Promise<void> {
  await deleteRun(orm, source.contractorId, runId)
  const nextAt = new Date(now.getTime() + POSTPONED_MS)
  await changeSource(orm, source.contractorId, source.id, { nextAt, leaseUntil: null })
}

/** Says again and again that this process has a source; ends the run when another one has it. */
function keepLease(db: Database, source: Source, lost: AbortController): () => void {
  let held = source
  const renew = async () => {
    const until = new Date(Date.now() + LEASE_MS)
    if (await renewLease(db.orm, held, until)) held = { ...held, leaseUntil: until }
    else lost.abort()
  }
  // A failed sign of life is followed by another one.
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_MS)
  return () => clearInterval(timer)
}

/** Runs a source that this process has taken, and notes what came of it. What a process left open that died is closed first. */
export async function runOne(db: Database, source: Source, options: RunOptions): Promise<string> {
  const { deadlineMs, clock, reaching, stop } = options
  const { contractorId } = source
  const within = <T>(work: (orm: Orm) => Promise<T>) => withinContractor(db.orm, contractorId, work)
  const now = clock()
  const id = newId('sourceRun')
  const run: SourceRun | Parameters<typeof insertRun>[1] = {
    id,
    contractorId,
    sourceId: source.id,
    startedAt: now,
    outcome: 'running',
    files: [],
  }
  await within(async (orm) => {
    await closeOpenRuns(orm, source, LEFT_OPEN, now)
    await insertRun(orm, run)
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
    if (error instanceof Postponed) await within((orm) => postpone(orm, source, id, clock()))
    else await within((orm) => noteFailure(orm, source, id, ended(error, signal, stop), clock()))
  } finally {
    release()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
  return id
}

/** What ended a run that was broken off: the deadline, or that the service stops. */
function ended(error: unknown, signal: AbortSignal, stop: AbortSignal): unknown {
  if (!signal.aborted) return error
  if (stop.aborted) return new SourceProblem(LEFT_OPEN)
  return new SourceProblem(
    'The run took longer than it may and was stopped. Nothing of it was kept; it is tried again.',
  )
}
