'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { joinCustomers, separateCustomers } from '@/lib/operations/customers'
import { execute } from '@/lib/operations/execute'

/** Says of how many projects the customer is another one now. */
const told = (projects: number) => `${projects} ${projects === 1 ? 'project' : 'projects'} moved.`

/** Joins another customer to the one that is shown. */
export const joinAction = contractorAction(
  z.object({ customer: z.string(), other: z.string() }),
  async (actor, input) => {
    const { projects } = await execute(joinCustomers, { actor, now: new Date() }, input)
    revalidatePath('/customers', 'layout')
    return { ok: true, message: `Joined. ${told(projects)}` }
  },
)

/** Separates a customer that was joined to the one that is shown. */
export const separateAction = contractorAction(z.object({ other: z.string() }), async (actor, input) => {
  const { projects } = await execute(separateCustomers, { actor, now: new Date() }, input)
  revalidatePath('/customers', 'layout')
  return { ok: true, message: `Separated. ${told(projects)}` }
})
