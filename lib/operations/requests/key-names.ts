import * as z from 'zod'
import { database } from '@/db/client'
import { keyNames } from '@/db/queries/keys'
import { grantNames } from '@/db/queries/oauth-grants'
import { isOver } from '@/lib/auth/key-state'
import { defineOperation } from '../define'

/** Lists the names of keys and connections, for people who read the log but do not administer them. */
export const listKeyNames = defineOperation({
  name: 'list_key_names',
  title: 'Names of keys',
  description:
    'Every key the contractor has had, newest first, by id, name and last four characters; behind them every connection, by its person and program.',
  access: 'developer',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    items: z.array(
      z.object({
        keyId: z.string(),
        name: z.string(),
        last4: z.string(),
        isOver: z.boolean().describe('Revoked or expired'),
      }),
    ),
  }),
  example: {
    items: [{ keyId: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2', name: 'Accounting sync', last4: 'x7Qd', isOver: false }],
  },
  run: async ({ actor, now }) => {
    const { orm } = await database()
    const kept = await keyNames(orm, actor.contractorId)
    const keys = kept.map(({ keyId, name, last4, ...key }) => ({ keyId, name, last4, isOver: isOver(key, now) }))
    const connections = await grantNames(orm, actor.contractorId)
    return {
      items: [
        ...keys,
        ...connections.map(({ id, person, client, isOver }) => ({
          keyId: id,
          name: `${person} via ${client}`,
          last4: id.slice(-4),
          isOver,
        })),
      ],
    }
  },
})
