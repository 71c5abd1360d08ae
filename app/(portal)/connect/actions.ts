'use server'

import * as z from 'zod'
import { contractorAction, formAction } from '@/app/session/action'
import { requireSignedIn } from '@/app/session/actor'
import { visitor } from '@/app/session/visitor'
import { allow, refuse } from '@/lib/auth/oauth/consent'
import { isScope } from '@/lib/auth/scopes'

const Query = z.string().max(8_192)

/** Connects the program, with what was ticked. Returns where the browser goes. */
export const allowAction = contractorAction(
  z.object({ query: Query, 'scopes[]': z.array(z.string()).default([]) }),
  async (actor, { query, 'scopes[]': ticked }) => ({
    ok: true,
    data: { url: await allow(await visitor(), actor, query, ticked.filter(isScope)) },
  }),
)

/** Refuses the program. Returns where the browser goes. */
export const refuseAction = formAction(z.object({ query: Query }), async ({ query }) => {
  await requireSignedIn()
  return { ok: true, data: { url: await refuse(await visitor(), query) } }
})
