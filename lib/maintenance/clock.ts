import { database } from '@/db/client'
import { noteTime } from '@/db/queries/clock'
import { logFault } from '@/lib/core/log'
import { processWide } from '@/lib/core/shared'

/** Half of the overlap that readers of changes are told to keep, so that the moment remembered is never outside it. */
const EVERY_MS = 60_000
const FIRST_AFTER_MS = 5_000

const timer = processWide<{ set: boolean }>('clock timer', () => ({ set: false }))

/** Keeps in the database, from now on and once for each process, how late it has been: nothing that changes later may look older. */
export function keepClock(): void {
  if (timer().set) return
  timer().set = true
  const note = () =>
    database()
      .then(({ orm }) => noteTime(orm))
      .catch((fault) => logFault({ operation: 'clock' }, fault))
  setTimeout(note, FIRST_AFTER_MS).unref()
  setInterval(note, EVERY_MS).unref()
}
