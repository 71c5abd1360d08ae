import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { lockEntry, markUndone } from '@/db/queries/entries'
import { personOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { isId } from '@/lib/core/ids'
import { defineOperation } from '../define'

const EVENTS = { note: 'note_undone', follow_up: 'follow_up_undone' } as const

/** Undoes a note or a follow-up: agents no longer see it, people see that it was undone; the follow-up before it is in force again. */
export const undoEntry = defineOperation({
  name: 'undo_entry',
  title: 'Undo a note or follow-up',
  description:
    'Undoes a note or a follow-up: agents no longer read it, and people see who undid it. The follow-up that was in force before it is again.',
  access: 'admin',
  effect: 'write',
  input: z.object({ id: z.string().max(50) }).strict(),
  output: z.object({ id: z.string(), projectId: z.string(), kind: z.enum(['note', 'follow_up']) }),
  example: { id: 'nte_01k9zq4w0000000000000000aa', projectId: 'prj_01jb2wa0c5t7e9g1h3k5m7p9qr', kind: 'note' },
  run: async ({ actor, now }, { id }) => {
    const by = personOf(actor)
    const { contractorId } = by
    return await withinContractor((await database()).orm, contractorId, async (orm) => {
      const isOne = isId('note', id) || isId('followUp', id)
      const entry = isOne ? await lockEntry(orm, contractorId, id) : undefined
      if (!entry) throw new ServiceError('not_found', 'There is no note or follow-up with this id.')
      const { projectId, kind } = entry
      // Pressed twice, or by two people: it is undone, which is what both wanted.
      if (entry.undoneAt) return { id, projectId, kind }
      await markUndone(orm, contractorId, id, { at: now, by: by.kind === 'person' ? by.name : 'Command line' })
      await audit(orm, by, { event: EVENTS[kind], subject: projectId, detail: { entry: id, by: entry.authorName } })
      return { id, projectId, kind }
    })
  },
})
