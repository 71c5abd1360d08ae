import { z } from 'zod'
import { database } from '@/db/client'
import { personOf } from '@/lib/auth/actor'
import { revokeKey as revoke } from '@/lib/auth/manage-keys'
import { defineOperation } from '../define'
import { KeyId } from './terms'

/** Ends a key: at once in this process, within five seconds in every other. */
export const revokeKey = defineOperation({
  name: 'revoke_key',
  title: 'Revoke a key',
  description: 'Ends a key: at once in this process, within five seconds in every other.',
  access: 'admin',
  effect: 'write',
  input: z.object({ id: KeyId }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2' },
  run: async ({ actor }, { id }) => {
    await revoke((await database()).orm, id, personOf(actor))
    return { id }
  },
})
