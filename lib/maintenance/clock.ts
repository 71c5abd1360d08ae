import { database } from '@/db/client'
import { noteTime } from '@/db/queries/clock'
import { logFault } from '@/lib/core/log'
import { part } from '@/lib/runtime/runtime'

/** Half of the overlap that readers of changes are asked to keep, so that the remembered moment is always within it. */
const EVERY_MS = 60_000
const FIRST_AFTER_MS = 5_000

const timer = part('clockTimer', () => ({}))

/**
 * Records in the database how late it has been, from now on and once per process, so that later changes never get an older time.
 */
export function keepClock(): void {
  if (timer().current) return
  timer().current = true
  const note = () =>
    database()
      .then(({ orm }) => noteTime(orm))
      .catch((fault) => logFault({ operation: 'clock' }, fault))
  setTimeout(note, FIRST_AFTER_MS).unref()
  setInterval(note, EVERY_MS).unref()
}
