import { z } from 'zod'
import { database } from '@/db/client'
import { changeJournal, findJournal, type Journal } from '@/db/queries/load-journal'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { settleBroken } from '@/lib/load/settle'
import { type Conflicts, conflictsOf, takeBack } from '@/lib/load/take-back'
import { takeLoadTurn } from '@/lib/load/turn'
import { FilterId, Instant } from '@/lib/resources/fields'
import { defineOperation } from '../define'

/** How long a load can be taken back. */
const UNDO_MS = 24 * 3_600_000

const LastLoad = z.object({
  load: z.string().describe('Its id'),
  files: z.array(z.string()),
  by: z.string().nullable(),
  loadedAt: Instant,
  until: Instant.describe('Until when it can be taken back'),
  state: z.enum(['running', 'ended', 'taking_back', 'taken_back']),
})
const A_LAST_LOAD: z.output<typeof LastLoad> = {
  load: 'lod_01k9zq2v6n8m4t5c3b7x1w0jd2',
  files: ['customers.csv'],
  by: 'Nora Whitfield <nora@example.com>',
  loadedAt: '2026-11-20T02:30:00.000Z',
  until: '2026-11-21T02:30:00.000Z',
  state: 'ended',
}

const shown = ({ loadId, files, author, createdAt, state }: Journal): z.output<typeof LastLoad> => ({
  load: loadId,
  files,
  by: author,
  loadedAt: createdAt.toISOString(),
  until: new Date(createdAt.getTime() + UNDO_MS).toISOString(),
  state,
})

/** Shows the contractor's last load, and until when it can be taken back. */
export const getLastLoad = defineOperation({
  name: 'get_last_load',
  title: 'Get the last load',
  description: 'The last load of a contractor, by whatever way it came, and until when it can be taken back.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({ last: LastLoad.nullable() }),
  example: { last: A_LAST_LOAD },
  run: async ({ actor, now }) => {
    const journal = await findJournal((await database()).orm, actor.contractorId)
    if (!journal || journal.createdAt.getTime() + UNDO_MS < now.getTime()) return { last: null }
    return { last: shown(journal) }
  },
})

const count = (n: number) => n.toLocaleString('en-US')

/** @throws ServiceError `not_found` or `conflict` when the load cannot be taken back */
function requireUndoable(journal: Journal | undefined, load: string, now: Date): Journal {
  if (!journal || journal.loadId !== load)
    throw new ServiceError(
      'not_found',
      'This is not the last load, and only the last one can be taken back. Nothing was changed.',
    )
  if (journal.state === 'taken_back')
    throw new ServiceError('conflict', 'This load was taken back already. Nothing was changed.')
  if (journal.createdAt.getTime() + UNDO_MS < now.getTime())
    throw new ServiceError(
      'conflict',
      'This load is older than a day and can no longer be taken back. Nothing was changed.',
    )
  return journal
}

function refuseConflicts({ count: n, named }: Conflicts): void {
  if (n === 0) return
  const more = n > named.length ? ` and ${count(n - named.length)} more` : ''
  throw new ServiceError(
    'conflict',
    `The load was not taken back, because ${n === 1 ? 'one record is' : `${count(n)} records are`} no longer as it left them: ` +
      `${named.join('; ')}${more}. Nothing was changed. Correct the file and load it again instead.`,
  )
}

/** Takes the contractor's last load back. */
export const undoLoad = defineOperation({
  name: 'undo_load',
  title: 'Take back the last load',
  description:
    'Puts records back as they were before the last load, within a day: what it added is removed, what it changed or deleted is as before. Refused where somebody changed them since. The changes feed tells of it.',
  access: 'admin',
  effect: 'write',
  input: z
    .object({
      load: FilterId.max(40).describe('The last load’s id, so that nobody takes back another one'),
      onProgress: z.custom<(done: number) => void>((value) => typeof value === 'function').optional(),
    })
    .strict(),
  output: z.object({
    load: z.string(),
    files: z.array(z.string()),
    removed: z.int().describe('Records that the load had added'),
    putBack: z.int().describe('Records that it had changed'),
    restored: z.int().describe('Records that it had deleted'),
    kept: z.array(z.string()).describe('Records that somebody changed while it was taken back'),
  }),
  example: { load: A_LAST_LOAD.load, files: ['customers.csv'], removed: 2, putBack: 0, restored: 0, kept: [] },
  run: async ({ actor, now }, { load, onProgress }) => {
    const db = await database()
    const { contractorId } = actor
    const giveBack = await takeLoadTurn(contractorId)
    try {
      requireUndoable(await findJournal(db.orm, contractorId), load, now)
      await settleBroken(db, contractorId)
      const journal = requireUndoable(await findJournal(db.orm, contractorId), load, now)
      const place = { db, contractorId }
      refuseConflicts(await conflictsOf(place))
      const isMine = await changeJournal(db, contractorId, { state: 'taking_back' }, { loadId: load, state: 'ended' })
      if (!isMine) throw new ServiceError('conflict', 'This load changed in the meantime. Nothing was changed.')
      const { done, kept } = await takeBack(place, { onProgress })
      await changeJournal(db, contractorId, { state: 'taken_back' })
      const { files } = shown(journal)
      await audit(db.orm, personOf(actor), {
        event: 'load_taken_back',
        subject: files.join(', '),
        detail: { load, ...done },
      })
      return { load, files, ...done, kept: kept.named }
    } finally {
      await giveBack()
    }
  },
})
