import { database } from '@/db/client'
import { countWaitingWork, listJobRuns } from '@/db/queries/job-runs'
import { env } from '@/lib/core/env'
import { shared } from '@/lib/core/shared'
import { type JobName, jobOf, jobsOf, lateAfterMs } from './table'

/** The time for which an answer is used again: the status page is public, and several collectors may ask. */
const KEPT_MS = 10_000

/** How a run ended; late when none has for too long, pending when none has yet. */
export const JOB_STATES = ['ok', 'failed', 'late', 'unfinished', 'pending'] as const

/** How a kind of background work stands. */
export type JobState = {
  job: JobName
  title: string
  /** The end of the last run, of whichever process or function; null when none has ended yet. ISO timestamps. */
  ranAt: string | null
  succeededAt: string | null
  state: (typeof JOB_STATES)[number]
  /** What waits for it; null for work without a queue. */
  waiting: number | null
  /** What the last run left when its time was up, or could not do. */
  unfinished: string[]
}

const kept = shared<{ states?: Promise<JobState[]>; until: number }>('jobStates', () => ({ until: 0 }))

async function read(now: Date): Promise<JobState[]> {
  const { orm } = await database()
  const [runs, waiting] = [await listJobRuns(orm), await countWaitingWork(orm)]
  return jobsOf(env()).map((job) => {
    const run = runs.find((each) => each.job === job)
    const isLate = run !== undefined && now.getTime() - Date.parse(run.ranAt) > lateAfterMs(job, env())
    const { ranAt = null, succeededAt = null, unfinished = [] } = run ?? {}
    const ended = run?.succeeded === false ? 'failed' : unfinished.length > 0 ? 'unfinished' : 'ok'
    const state = run === undefined ? 'pending' : isLate ? 'late' : ended
    return { job, title: jobOf(job).title, ranAt, succeededAt, state, waiting: waiting[job] ?? null, unfinished }
  })
}

/** Returns how each kind of background work stands that runs with these settings; at most ten seconds old. */
export function jobStates(now = new Date()): Promise<JobState[]> {
  const before = kept()
  if (before.states && performance.now() < before.until) return before.states
  before.until = performance.now() + KEPT_MS
  before.states = read(now).catch((fault) => {
    before.until = 0
    throw fault
  })
  return before.states
}
