'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { addProjectNote } from '@/lib/operations/entries/add-project-note'
import { setLeadFollowUp } from '@/lib/operations/entries/set-lead-follow-up'
import { undoEntry } from '@/lib/operations/entries/undo-entry'
import { execute } from '@/lib/operations/execute'

/** The pages that show notes and follow-ups. */
function revalidate(projectId: string): void {
  revalidatePath(`/projects/${projectId}`)
  revalidatePath('/customers', 'layout')
  revalidatePath('/leads', 'layout')
}

const Written = z.object({
  projectId: z.string(),
  text: z.string(),
  date: z.string().default(''),
  idempotencyKey: z.string(),
})

/** Writes a note on a project; with a day, a follow-up. */
export const writeEntryAction = contractorAction(Written, async (actor, { date, text, ...rest }) => {
  const ctx = { actor, now: new Date() }
  if (date === '') await execute(addProjectNote, ctx, { ...rest, text })
  else await execute(setLeadFollowUp, ctx, { ...rest, date, ...(text.trim() !== '' && { text }) })
  revalidate(rest.projectId)
  return { ok: true, message: date === '' ? 'Note added.' : 'Follow-up set.' }
})

/** Undoes a note or a follow-up, wherever it is shown. */
export const undoEntryAction = contractorAction(z.object({ id: z.string() }), async (actor, input) => {
  const { kind, projectId } = await execute(undoEntry, { actor, now: new Date() }, input)
  revalidate(projectId)
  return { ok: true, message: kind === 'note' ? 'Note undone.' : 'Follow-up undone.' }
})
