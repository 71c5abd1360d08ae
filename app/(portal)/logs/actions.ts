'use server'

import { revalidatePath } from 'next/cache'
import { contractorAction } from '@/app/session/action'
import { execute } from '@/lib/operations/execute'
import { deleteFilter, saveFilter } from '@/lib/operations/requests/saved-filters'

/** Saves the log's filters under a name for the user. */
export const saveFilterAction = contractorAction(saveFilter.input, async (actor, given) => {
  const { name } = await execute(saveFilter, { actor, now: new Date() }, given)
  revalidatePath('/logs')
  return { ok: true, message: `Saved as “${name}”.` }
})

/** Deletes one of the user's saved filters. */
export const deleteFilterAction = contractorAction(deleteFilter.input, async (actor, given) => {
  await execute(deleteFilter, { actor, now: new Date() }, given)
  revalidatePath('/logs')
  return { ok: true, message: 'Deleted.' }
})
