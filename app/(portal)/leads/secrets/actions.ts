'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { execute } from '@/lib/operations/execute'
import { removeLeadSecret, SOURCES_WITH_SECRET, setLeadSecret } from '@/lib/operations/lead-secrets'

const Source = z.enum(SOURCES_WITH_SECRET)
const Given = z.object({
  source: Source,
  secret: z
    .string()
    .trim()
    .max(200)
    .optional()
    .transform((text) => text || undefined),
})

// This action does not reload the page, because that would take away the secret that it shows.

/** Sets a sender's secret; what was made of it is shown only once. */
export const setSecretAction = contractorAction(Given, async (actor, given) => {
  const { secret, verifyToken } = await execute(setLeadSecret, { actor, now: new Date() }, given)
  return { ok: true, data: { secret, verifyToken } }
})

/** Removes a sender's secret. */
export const removeSecretAction = contractorAction(z.object({ source: Source }), async (actor, given) => {
  await execute(removeLeadSecret, { actor, now: new Date() }, given)
  revalidatePath('/leads/secrets')
  return { ok: true, message: 'Removed. Leads from this sender need no secret any more.' }
})
