import { setTimeout as sleep } from 'node:timers/promises'
import { database } from '@/db/client'
import { contractorsQueued, countRecords, numberChanges } from '@/db/queries/changes'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import { part } from '@/lib/runtime/runtime'
import { COUNTED_AT_ONCE, NUMBERED_AT_ONCE } from './feed'

const EVERY_MS = 10_000
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
  for (const contractorId of await contractorsQueued(db))
    while (goesOn() && (await numberChanges(db, contractorId, NUMBERED_AT_ONCE)) === NUMBERED_AT_ONCE)
      await sleep(PAUSE_MS)
  while (goesOn() && !(await countRecords(db, COUNTED_AT_ONCE))) await sleep(PAUSE_MS)
}

const timer = part('numberingTimer', () => ({}))

/** Runs it every ten seconds; call once, in long-lived processes. */
export function scheduleNumbering(): void {
  if (timer().current) return
  timer().current = true
  const run = async () => {
    try {
      await numberAll()
    } catch (fault) {
      if (!stopping().aborted) logFault({ operation: 'changes' }, fault)
    }
    if (!stopping().aborted) setTimeout(run, EVERY_MS).unref()
  }
  setTimeout(run, EVERY_MS).unref()
}
