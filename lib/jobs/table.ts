import type { Env } from '@/lib/core/env'

/** A kind of background work: how often it runs, and what follows when it is late. */
type Job = {
  /** Its name for people. */
  title: string
  /** On one machine, and in the first worker of each: the wait after a run, before the first one, and how many run side by side. */
  everyMs: number
  firstMs?: number
  lanes?: number
  /** Without settings it has nothing to do, and does not run. */
  isNeeded?: (settings: Env) => boolean
  /** Also begins right after the request that causes it; on Vercel behind its answer, until its time is up. */
  afterRequests?: true
  /** On Vercel: the schedule by which cron calls `/api/internal/<name>`, and its interval. Null where functions have nothing to do. */
  cron: { schedule: string; everyMs: number } | null
  /** What happens while it does not run. */
  late: string
}

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const EVERY_MINUTE = { schedule: '* * * * *', everyMs: MINUTE_MS }
const EVERY_FIVE = { schedule: '*/5 * * * *', everyMs: 5 * MINUTE_MS }

/**
 * All work that runs in the background. The only list of it: the starts on one machine (lib/server/boot.ts), the scheduler's routes
 * (`/api/internal/<name>`), the status page and the metrics follow from it, and a test compares `vercel.json` with it.
 */
export const JOBS = {
  search: {
    title: 'Search index',
    everyMs: 5 * SECOND_MS,
    afterRequests: true,
    cron: EVERY_FIVE,
    late: 'A search adds the first 200 waiting changes itself, misses the rest, and says in `note` how many those are.',
  },
  webhooks: {
    title: 'Outgoing webhooks',
    everyMs: 2 * SECOND_MS,
    afterRequests: true,
    cron: EVERY_MINUTE,
    late: 'Events wait in order and are sent later; none is lost.',
  },
  changes: {
    title: 'Changes feed',
    everyMs: 10 * SECOND_MS,
    cron: EVERY_FIVE,
    late: 'Whoever reads the feed numbers what waits, and the first read takes longer.',
  },
  alerts: {
    title: 'Alerts and email',
    everyMs: MINUTE_MS,
    firstMs: 10 * SECOND_MS,
    afterRequests: true,
    cron: EVERY_MINUTE,
    late: 'Alerts, invitations and links to reset a password arrive later.',
  },
  sources: {
    title: 'Scheduled sources',
    everyMs: 30 * SECOND_MS,
    firstMs: 5 * SECOND_MS,
    // A run may wait for a slow server for half an hour.
    lanes: 4,
    cron: EVERY_FIVE,
    late: 'Files are loaded later than their schedule says.',
  },
  connectors: {
    title: 'Connectors',
    everyMs: 5 * SECOND_MS,
    isNeeded: ({ quickbooks }) => quickbooks.clientId !== undefined,
    afterRequests: true,
    cron: EVERY_FIVE,
    late: 'Changes in connected software arrive later.',
  },
  embeddings: {
    title: 'Embeddings',
    everyMs: MINUTE_MS,
    isNeeded: ({ embeddings }) => embeddings !== undefined,
    cron: EVERY_FIVE,
    late: 'New texts are found by their words and not yet by their meaning.',
  },
  clock: {
    title: 'Clock of changes',
    // Half of the overlap that readers of changes are asked to keep, so that the remembered moment is always within it.
    everyMs: MINUTE_MS,
    firstMs: 5 * SECOND_MS,
    cron: EVERY_MINUTE,
    late: 'If the database’s clock is set back meanwhile, changes may get times that readers have passed.',
  },
  status: {
    title: 'Checks of the service',
    everyMs: MINUTE_MS,
    firstMs: 10 * SECOND_MS,
    cron: EVERY_FIVE,
    late: 'The history on this page has a gap.',
  },
  retention: {
    title: 'Retention',
    everyMs: HOUR_MS,
    firstMs: MINUTE_MS,
    cron: { schedule: '17 * * * *', everyMs: HOUR_MS },
    late: 'Data past its retention period stays, and after a week the request log is no longer divided into days.',
  },
  uploads: {
    title: 'Abandoned upload folders',
    everyMs: HOUR_MS,
    firstMs: 10 * SECOND_MS,
    // A function’s folders go with it.
    cron: null,
    late: 'Folders of killed processes take disk space.',
  },
} as const satisfies Record<string, Job>

export type JobName = keyof typeof JOBS

export const JOB_NAMES = Object.keys(JOBS).filter((name): name is JobName => Object.hasOwn(JOBS, name))

/** Returns what a kind of work is; the fields that it has not are undefined. */
export const jobOf = (name: JobName): Job => JOBS[name]

/** The kinds of work that run with these settings: by the clock of a long-lived process, or by cron on Vercel. */
export const jobsOf = (settings: Env): JobName[] =>
  JOB_NAMES.filter((name) => {
    const { cron, isNeeded } = jobOf(name)
    return (settings.vercel === undefined || cron !== null) && isNeeded?.(settings) !== false
  })

/** The time after the end of a run at which the next one counts as late: three intervals, and five minutes for its own length. */
export function lateAfterMs(name: JobName, { vercel }: Pick<Env, 'vercel'>): number {
  const { everyMs, cron } = jobOf(name)
  return 3 * (vercel === undefined ? everyMs : (cron?.everyMs ?? everyMs)) + 5 * MINUTE_MS
}

/** The budget of a run that a scheduler calls: half of the time `vercel.json` gives the function, so that what has begun can end. */
export const CRON_BUDGET_MS = 30 * SECOND_MS
