'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { contractorAction } from '@/app/session/action'
import { undoEntry } from '@/lib/operations/entries/undo-entry'
import { execute } from '@/lib/operations/execute'

/** Undoes a note or a follow-up, wherever it is shown. */
export const undoEntryAction = contractorAction(z.object({ id: z.string() }), async (actor, input) => {
  const { kind, projectId } = await execute(undoEntry, { actor, now: new Date() }, input)
  revalidatePath(`/data/projects/${projectId}`)
  revalidatePath('/leads', 'layout')
  return { ok: true, message: kind === 'note' ? 'Note undone.' : 'Follow-up undone.' }
})
