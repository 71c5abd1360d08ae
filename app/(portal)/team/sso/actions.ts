'use server'

import { revalidatePath } from 'next/cache'
import * as z from 'zod'
import { contractorAction } from '@/app/session/action'
import { ROLES } from '@/lib/core/roles'
import { execute } from '@/lib/operations/execute'
import { removeSso, requireSso, setSso } from '@/lib/operations/sso/sso'

const Settings = z.object({
  issuer: z.string(),
  clientId: z.string(),
  clientSecret: z.string().default(''),
  domains: z.string().max(6_000),
  joinRole: z.enum(['invited', ...ROLES]).default('invited'),
})

/** Saves the provider, after reading its discovery document. */
export const setSsoAction = contractorAction(Settings, async (actor, { clientSecret, domains, joinRole, ...rest }) => {
  const input = {
    ...rest,
    ...(clientSecret !== '' && { clientSecret }),
    domains: domains.split(/[\s,]+/).filter(Boolean),
    joinRole: joinRole === 'invited' ? null : joinRole,
  }
  await execute(setSso, { actor, now: new Date() }, input)
  revalidatePath('/team/sso')
  return { ok: true, message: 'Saved. Try it: sign in at the address below.' }
})

/** Requires single sign-on, or no longer. */
export const requireSsoAction = contractorAction(
  z.object({ required: z.enum(['yes', 'no']) }),
  async (actor, { required }) => {
    await execute(requireSso, { actor, now: new Date() }, { required: required === 'yes' })
    revalidatePath('/team/sso')
    return { ok: true, message: required === 'yes' ? 'Single sign-on is required.' : 'Passwords work again.' }
  },
)

/** Removes the provider. */
export const removeSsoAction = contractorAction(z.object({}), async (actor, input) => {
  await execute(removeSso, { actor, now: new Date() }, input)
  revalidatePath('/team/sso')
  return { ok: true, message: 'Single sign-on removed.' }
})
