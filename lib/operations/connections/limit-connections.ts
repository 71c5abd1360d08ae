import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { setAllowedDestinations } from '@/db/queries/oauth-grants'
import { audit } from '@/lib/auth/audit'
import { forgetKeys } from '@/lib/auth/key-cache'
import { defineOperation } from '../define'
import { memberOf } from './fields'

const Destination = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(253)
  .regex(
    /^(this computer|(app )?[a-z0-9.-]+)$/,
    'must be as the list of connections shows it: a host such as claude.ai, `this computer`, cursor, or `app` and its scheme',
  )

/** Sets which programs may be connected, by where they send people back to. */
export const limitConnections = defineOperation({
  name: 'limit_connections',
  title: 'Choose which programs may be connected',
  description:
    'Lets people connect only programs that send them back to these destinations; null lets them connect any. Connections to others stop working within five seconds, and work again once their destination is back on the list.',
  access: 'admin',
  effect: 'write',
  proof: 'recent',
  input: z.object({ destinations: z.array(Destination).max(50).nullable() }).strict(),
  output: z.object({ destinations: z.array(z.string()).nullable() }),
  example: { destinations: ['claude.ai', 'this computer'] },
  run: async ({ actor }, { destinations }) => {
    const by = memberOf(actor)
    const wanted = destinations && [...new Set(destinations)]
    const { orm } = await database()
    await withinContractor(orm, by.contractorId, async (tx) => {
      await setAllowedDestinations(tx, by.contractorId, wanted ?? undefined)
      const detail = { allowed: wanted === null ? 'any' : wanted.join(', ') || 'none' }
      await audit(tx, by, { event: 'connections_limited', detail, told: `to ${detail.allowed}` })
    })
    forgetKeys()
    return { destinations: wanted }
  },
})
