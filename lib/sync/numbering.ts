import { setTimeout as sleep } from 'node:timers/promises'
import { database } from '@/db/client'
import { contractorsQueued, countRecords, numberChanges } from '@/db/queries/changes'
import { Pace, stopwatch } from '@/lib/core/slices'
import { stopping } from '@/lib/core/stopping'
import { COUNTED_AT_ONCE, NUMBERED_AT_ONCE } from './feed'

/** A pause between steps lets other statements run: the embedded database has one connection. */
const PAUSE_MS = 20

/**
 * Gives every queued change its position, and counts the records of before the feed, in small steps. The feed does the same for whoever
 * reads it; this keeps the queue short where nobody does.
 * @param end `performance.now()` after which no further step begins
 */
export async function numberAll(end = Number.POSITIVE_INFINITY): Promise<void> {
  const db = await database()
  const goesOn = () => performance.now() < end && !stopping().aborted
  const pace = new Pace(db)
  for (const contractorId of await contractorsQueued(db))
    for (let isMore = true; isMore && goesOn(); await sleep(PAUSE_MS)) {
      const most = Math.min(NUMBERED_AT_ONCE, pace.rows)
      const held = stopwatch()
      const numbered = await numberChanges(db, contractorId, most)
      pace.took(numbered, held())
      isMore = numbered === most
    }
  while (goesOn() && !(await countRecords(db, COUNTED_AT_ONCE))) await sleep(PAUSE_MS)
}
