'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { endConnection, endConnectionsOf } from '@/lib/operations/connections/end-connections'
import { limitConnections } from '@/lib/operations/connections/limit-connections'
import { execute } from '@/lib/operations/execute'

export const endAction = contractorAction(z.object({ id: z.string() }), async (actor, input) => {
  await execute(endConnection, { actor, now: new Date() }, input)
  revalidatePath('/connections')
  return { ok: true, message: 'Connection ended.' }
})

export const endAllAction = contractorAction(z.object({ personId: z.string() }), async (actor, input) => {
  await execute(endConnectionsOf, { actor, now: new Date() }, input)
  revalidatePath('/connections')
  return { ok: true, message: 'Connections ended.' }
})

export const limitAction = contractorAction(
  z.object({ mode: z.enum(['any', 'listed']), destinations: z.string().max(5_000).default('') }),
  async (actor, { mode, destinations }) => {
    const listed = destinations.split(/[\n,]/).map((line) => line.trim())
    const wanted = mode === 'any' ? null : listed.filter(Boolean)
    await execute(limitConnections, { actor, now: new Date() }, { destinations: wanted })
    revalidatePath('/connections')
    return { ok: true, message: 'Saved.' }
  },
)
