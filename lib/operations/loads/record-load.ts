import { database, withinContractor } from '@/db/client'
import { changeLoad, insertLoad, type Load } from '@/db/queries/loads'
import type { Actor } from '@/lib/auth/actor'
import { isOurs, ServiceError, toServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { every } from '@/lib/jobs/every'
import { fullDiskFault } from '@/lib/load/full-disk'
import type { Answers } from '@/lib/load/questions'
import type { Uploaded } from '@/lib/load/receive'
import type { Complete } from '@/lib/load/report'
import { authorOf } from '../author'
import { isAsking, withoutCommand } from './asking'
import { loadFor } from './load-for'
import { ALIVE_MS, outcomeOf } from './shown'

/** A received file to load. */
export type Received = {
  file: string
  uploaded: Uploaded
  complete: Complete | undefined
  answers: Answers | undefined
  /**
   * Gives the contractor's turn back, given whether the file is done with, before the load is shown as ended: whoever sees that may send
   * the next file.
   */
  release: (isOver: boolean) => Promise<void>
}

/** A load that has begun: as it is stored, and its end, which is the load as it is then. `ended` rejects for a fault. */
export type Begun = { load: Load; ended: Promise<Load> }

/** Writes what changed of a running load. */
async function change(load: Load, changes: Partial<Load>): Promise<Load> {
  const { contractorId, id } = load
  await withinContractor((await database()).orm, contractorId, (orm) => changeLoad(orm, contractorId, id, changes))
  return { ...load, ...changes }
}

/** Loads the file, says every few seconds that it does, and writes its report down. */
async function run(actor: Actor, load: Load, received: Received): Promise<Load> {
  const { file, uploaded, complete, answers, release } = received
  let read = 0
  const onProgress = ({ rows }: { rows: number }) => {
    read = rows
  }
  const quiet = every('load_file', ALIVE_MS, () => change(load, { read, seenAt: new Date() }), { whileStopping: true })
  const end = async (changes: Partial<Load> & Pick<Load, 'state'>, isOver = false) => {
    await release(isOver)
    await quiet()
    const now = new Date()
    return await change(load, { read, seenAt: now, endedAt: now, ...changes })
  }
  try {
    const by = await authorOf((await database()).orm, actor)
    const options = { onProgress, signal: stopping(), complete, answers }
    const report = withoutCommand(await loadFor(by, uploaded.folder, options))
    const isOver = !report.stopped && !isAsking(report)
    return await end({ ...outcomeOf(file, report), report, counts: report.files[0] ?? null }, isOver)
  } catch (thrown) {
    const error = toServiceError(fullDiskFault(thrown))
    await end({ state: 'failed', error: error.message }).catch(() => {})
    throw error
  } finally {
    await quiet()
  }
}

/**
 * Records a load and begins it. It goes on when nobody waits for its end.
 * @throws ServiceError `internal` when it cannot be recorded
 */
export async function beginLoad(actor: Actor, received: Received): Promise<Begun> {
  const { contractorId } = actor
  const { file, uploaded, complete } = received
  const now = new Date()
  const load: Load = {
    id: newId('load'),
    contractorId,
    keyId: actor.kind === 'key' ? actor.keyId : null,
    file,
    complete: complete ? (complete.delete ? 'delete' : 'count') : null,
    size: uploaded.size,
    state: 'running',
    read: 0,
    report: null,
    counts: null,
    error: null,
    createdAt: now,
    seenAt: now,
    endedAt: null,
  }
  await withinContractor((await database()).orm, contractorId, (orm) => insertLoad(orm, load))
  return { load, ended: run(actor, load, received) }
}

/** Notes a fault of a load that nobody waits for. */
export function logLoadFault(fault: unknown): void {
  if (!(fault instanceof ServiceError) || isOurs(fault))
    logFault({ operation: 'load_file' }, fault instanceof ServiceError ? (fault.cause ?? fault) : fault)
}
