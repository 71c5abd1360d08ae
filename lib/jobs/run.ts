import { database } from '@/db/client'
import { noteJobRun } from '@/db/queries/job-runs'
import { shared } from '@/lib/core/shared'
import { stopping } from '@/lib/core/stopping'
import type { JobName } from './table'

/** A process writes down what has not changed at most this often. */
const NOTED_EVERY_MS = 60_000

/** The outcome of each kind of work that this process wrote down last, and when. */
const noted = shared<Map<JobName, { outcome: string; at: number }>>('jobsNoted', () => new Map())

/** The kinds of rest that a run names which its time did not suffice for. */
function unfinishedOf(result: unknown): string[] {
  const { unfinished } = Object(result)
  return Array.isArray(unfinished) ? unfinished.map(String) : []
}

async function note(job: JobName, tookMs: number, succeeded: boolean, unfinished: string[]): Promise<void> {
  // What it works with is closed while the process stops.
  if (stopping().aborted) return
  const outcome = `${succeeded} ${unfinished.join(' ')}`
  const before = noted().get(job)
  const now = performance.now()
  if (before?.outcome === outcome && now - before.at < NOTED_EVERY_MS) return
  noted().set(job, { outcome, at: now })
  try {
    await noteJobRun((await database()).orm, { job, ranAt: new Date(), tookMs, succeeded, unfinished })
  } catch {
    // What the database does not take is written down by the next run.
    noted().delete(job)
  }
}

/**
 * Runs background work and writes down in the database how it ended, for the status page and the metrics.
 * @param work may return `unfinished`: names of what its time did not suffice for
 * @throws what the work throws
 */
export async function runJob<T>(job: JobName, work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  try {
    const result = await work()
    await note(job, performance.now() - began, true, unfinishedOf(result))
    return result
  } catch (fault) {
    await note(job, performance.now() - began, false, [])
    throw fault
  }
}
