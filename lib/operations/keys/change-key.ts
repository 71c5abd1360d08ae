import * as z from 'zod'
import { database } from '@/db/client'
import { personOf } from '@/lib/auth/actor'
import { changeKey as change } from '@/lib/auth/manage-keys'
import { defineOperation } from '../define'
import { isOfLasting } from './lasting'
import { KeyId, KeyTermsInput } from './terms'

/** Changes a key's name, allowed IPs and rate limit; an omitted setting is removed. */
export const changeKey = defineOperation({
  name: 'change_key',
  title: 'Edit a key',
  description:
    'Changes a key’s name, allowed IPs and rate limit: at once here, within five seconds in every other process.',
  access: 'admin',
  effect: 'write',
  proof: { when: isOfLasting },
  input: KeyTermsInput.extend({ id: KeyId }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2' },
  run: async ({ actor }, { id, ...terms }) => {
    await change((await database()).orm, id, terms, personOf(actor))
    return { id }
  },
})
