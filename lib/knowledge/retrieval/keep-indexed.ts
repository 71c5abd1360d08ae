import { database } from '@/db/client'
import { indexAllQueued } from '@/db/queries/search-queue'
import { logFault } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { stopping } from '@/lib/core/stopping'
import { runJob } from '@/lib/jobs/run'

/** Indexes what waits in the search queue, of every contractor, until nothing does or the time is up. */
export async function keepIndexed(budgetMs = Number.POSITIVE_INFINITY): Promise<{ unfinished: string[] }> {
  const end = performance.now() + budgetMs
  const left = await indexAllQueued(await database(), () => performance.now() < end && !stopping().aborted)
  return { unfinished: left === 0 ? [] : [`changes of ${left} ${left === 1 ? 'owner' : 'owners'}`] }
}

/** The time that a function gives to it behind the answer to a write. */
const BEHIND_ANSWER_MS = 20_000

/** The indexing under way behind answers in this process; `isAsked` says that something was written since it began to look. */
export type Indexing = { running?: Promise<void> | undefined; isAsked: boolean }
const indexing = shared<Indexing>('indexing', () => ({ isAsked: false }))

async function untilSeen(): Promise<void> {
  const now = indexing()
  try {
    do {
      now.isAsked = false
      await runJob('search', () => keepIndexed(BEHIND_ANSWER_MS))
    } while (now.isAsked)
  } catch (fault) {
    if (!stopping().aborted) logFault({ operation: 'search' }, fault)
  } finally {
    now.running = undefined
  }
}

/** Indexes what was written, one run at a time; for functions, behind the answer to the write. A failure is logged. */
export function indexBehindAnswer(): Promise<void> {
  const now = indexing()
  now.isAsked = true
  now.running ??= untilSeen()
  return now.running
}
