'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { execute } from '@/lib/operations/execute'
import { PersonField, separateLead, updateCustomerFromLead } from '@/lib/operations/lead-person'

const revalidate = (projectId: string) => {
  revalidatePath(`/projects/${projectId}`)
  revalidatePath('/leads', 'layout')
}

/** Gives a lead's customer one field that the lead was sent with. */
export const updateCustomerAction = contractorAction(
  z.object({ projectId: z.string(), field: PersonField }),
  async (actor, { projectId, field }) => {
    await execute(updateCustomerFromLead, { actor, now: new Date() }, { projectId, fields: [field] })
    revalidate(projectId)
    return { ok: true, message: 'Customer updated.' }
  },
)

/** Makes a lead's person a customer of their own. */
export const separateLeadAction = contractorAction(
  z.object({ projectId: z.string() }),
  async (actor, { projectId }) => {
    await execute(separateLead, { actor, now: new Date() }, { projectId })
    revalidate(projectId)
    return { ok: true, message: 'The lead has a customer of its own.' }
  },
)
