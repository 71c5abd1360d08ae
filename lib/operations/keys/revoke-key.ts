import * as z from 'zod'
import { database } from '@/db/client'
import { personOf } from '@/lib/auth/actor'
import { revokeKey as revoke, SECRETS } from '@/lib/auth/manage-keys'
import { defineOperation } from '../define'
import { KeyId } from './terms'

/** Revokes a key: at once in this process, within five seconds in every other. */
export const revokeKey = defineOperation({
  name: 'revoke_key',
  title: 'Revoke a key',
  description:
    'Ends a key: at once in this process, within five seconds in every other. Old secrets of it that still work after a rotation end with it, ' +
    'unless `secrets` says otherwise.',
  access: 'admin',
  effect: 'write',
  input: z
    .object({
      id: KeyId,
      secrets: z
        .enum(SECRETS)
        .default('both')
        .describe(
          'Of a rotated key: this secret and the older ones that still work, only this one, or only the older ones',
        ),
    })
    .strict(),
  output: z.object({ id: z.string(), revoked: z.array(z.string()).describe('The ids of the keys that were ended') }),
  example: { id: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2', revoked: ['key_01k9zq2v6n8m4t5c3b7x1w0jd2'] },
  run: async ({ actor }, { id, secrets }) => ({
    id,
    revoked: await revoke((await database()).orm, id, personOf(actor), secrets),
  }),
})
