import type { Database } from '@/db/client'
import { changeJournal, findJournal, openJournals } from '@/db/queries/load-journal'
import { ServiceError } from '@/lib/core/errors'
import { logFault } from '@/lib/core/log'
import { stopping } from '@/lib/core/stopping'
import type { Conflicts } from './take-back'
import { takeLoadTurn } from './turn'

/**
 * Takes back the part of the contractor's last load whose process died or failed while it wrote it, or goes on with a taking back that was
 * interrupted. The caller has the contractor's turn, so no other process is at it. What others changed since stays.
 * @returns what stays, or undefined where nothing was open
 */
export async function settleBroken(db: Database, contractorId: string): Promise<Conflicts | undefined> {
  const journal = await findJournal(db.orm, contractorId)
  if (!journal || journal.state === 'ended' || journal.state === 'taken_back') return undefined
  // Loaded where something was left, which a start seldom finds.
  const { takeBack } = await import('./take-back')
  const isUndo = journal.state === 'taking_back'
  const step = isUndo ? undefined : (journal.step ?? '')
  const { kept, stopped } = await takeBack({ db, contractorId }, { step, signal: stopping() })
  if (stopped) throw new ServiceError('busy', 'The server is stopping. Nothing of this load was begun.')
  await changeJournal(db, contractorId, { state: isUndo ? 'taken_back' : 'ended', step: null, endedAt: new Date() })
  return kept
}

/** Settles what killed processes left, for every contractor whom no process is loading for. */
export async function settleAllBroken(db: Database): Promise<void> {
  for (const contractorId of await openJournals(db.orm))
    try {
      const giveBack = await takeLoadTurn(contractorId)
      await settleBroken(db, contractorId).finally(giveBack)
    } catch (error) {
      // Another process is loading for them, or this one is stopping.
      if (!(error instanceof ServiceError)) logFault({ operation: 'take_back' }, error)
    }
}
