import { database } from '@/db/client'
import { claimDueSource } from '@/db/queries/sources'
import { stopping } from '@/lib/core/stopping'
import { LEASE_MS } from './result'
import type { RunOptions } from './run-one'

/** The longest run in a long-lived process; the platform's functions have less. */
const DEADLINE_MS = 30 * 60_000

export type SourcesReport = { runs: number }

/** The options of a run, with what is left out as a server has it. */
export const optionsOf = (given: Partial<RunOptions> = {}): RunOptions => ({
  deadlineMs: DEADLINE_MS,
  clock: () => new Date(),
  reaching: {},
  stop: stopping(),
  ...given,
})

/**
 * Runs what is due, one source after another, until nothing is or the time is up. Any number of processes may do so at once: no two run one
 * source. A run may not take longer than what is left of the time.
 */
export async function runSources({
  budgetMs,
  ...given
}: Partial<RunOptions> & { budgetMs?: number | undefined } = {}): Promise<SourcesReport> {
  const options = optionsOf(given)
  const end = performance.now() + (budgetMs ?? Number.POSITIVE_INFINITY)
  const db = await database()
  let runs = 0
  while (performance.now() < end && !options.stop.aborted) {
    const now = options.clock()
    const source = await claimDueSource(db.orm, now, new Date(now.getTime() + LEASE_MS))
    if (!source) break
    // Loaded with the first source that is due: a run brings the whole loader.
    const { runOne } = await import('./run-one')
    const deadlineMs = Math.min(options.deadlineMs, Math.max(1, Math.floor(end - performance.now())))
    await runOne(db, source, { ...options, deadlineMs })
    runs++
  }
  return { runs }
}
