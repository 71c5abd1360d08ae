import type { Database } from '@/db/client'
import { changeJournal, findJournal, forgetEmptyLoad, type Journal, openJournals } from '@/db/queries/load-journal'
import { inHand, MOST_STOPS } from '@/db/queries/work-in-hand'
import { ServiceError } from '@/lib/core/errors'
import { log, logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import type { Conflicts } from './revert-load'
import { acquireLoadTurn } from './turn'

const setAside = () =>
  new ServiceError(
    'conflict',
    `The last load broke off, and the service stopped ${MOST_STOPS} times in a row while it took that load back. It is tried again a day later, ` +
      'and nothing else is loaded until then. Ask whoever runs this service. Nothing of this load was begun.',
  )

/**
 * Takes back the part of the contractor's last load whose process died or failed while it wrote it, or goes on with a taking back that was
 * interrupted. The caller has the contractor's turn, so no other process is at it. What others changed since stays.
 * @returns what stays, or undefined where nothing was open
 * @throws ServiceError `conflict` when it was set aside, because it ended its process each time
 */
export async function recoverInterruptedLoad(db: Database, contractorId: string): Promise<Conflicts | undefined> {
  const journal = await findJournal(db.orm, contractorId)
  if (!journal || journal.state === 'ended' || journal.state === 'taken_back') return undefined
  const work = { kind: 'take_back', subject: `${contractorId} ${journal.loadId}`, staysAside: true } as const
  return await inHand<Conflicts | undefined>(db.orm, work, {
    begun: () => settle(db, contractorId, journal),
    left: (times) => {
      if (times < MOST_STOPS) return recoverInterruptedLoad(db, contractorId)
      const what = `taking back the broken load ${journal.loadId} of contractor ${contractorId}`
      log(
        'error',
        { operation: 'take_back' },
        `${what} ended the process ${times} times in a row; it is tried again in a day`,
      )
      throw setAside()
    },
    later: () => {
      throw new ServiceError('busy', 'The last load is being taken back. Try again in a minute. Nothing was begun.')
    },
  })
}

async function settle(db: Database, contractorId: string, journal: Journal): Promise<Conflicts> {
  // Loaded where something was left, which a start seldom finds.
  const { revertLoad } = await import('./revert-load')
  const isUndo = journal.state === 'taking_back'
  const step = isUndo ? undefined : (journal.step ?? '')
  const { kept, stopped } = await revertLoad({ db, contractorId }, { step, signal: stopping() })
  if (stopped) throw new ServiceError('busy', 'The server is stopping. Nothing of this load was begun.')
  await changeJournal(db, contractorId, { state: isUndo ? 'taken_back' : 'ended', step: null, endedAt: new Date() })
  if (!isUndo) await forgetEmptyLoad(db, contractorId)
  return kept
}

/** Settles what a killed process left of a contractor's load, unless a process is loading for them. */
export async function recoverAbandonedLoad(db: Database, contractorId: string): Promise<void> {
  try {
    const giveBack = await acquireLoadTurn(contractorId)
    await recoverInterruptedLoad(db, contractorId).finally(giveBack)
  } catch (error) {
    // Another process is loading for them, this one is stopping, or it was set aside.
    if (!(error instanceof ServiceError)) logFault({ operation: 'take_back' }, error)
  }
}

/** Settles what killed processes left, for every contractor. */
export async function recoverInterruptedLoads(db: Database): Promise<void> {
  for (const contractorId of await openJournals(db.orm)) await recoverAbandonedLoad(db, contractorId)
}
