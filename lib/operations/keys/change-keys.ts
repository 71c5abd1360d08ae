import * as z from 'zod'
import { database } from '@/db/client'
import { personOf } from '@/lib/auth/actor'
import { changeKey as change, revokeKey as revoke, rotateKey as rotate, SECRETS } from '@/lib/auth/manage-keys'
import { defineOperation } from '../define'
import { isOfLasting } from './lasting'
import { KeyId, KeyTermsInput, MADE_KEY, MadeKeyOutput, OverlapInput } from './terms'

/** Creates a key's successor with the same scopes and the same lifetime. */
export const rotateKey = defineOperation({
  name: 'rotate_key',
  title: 'Rotate a key',
  description:
    'Makes a new secret with the same rights and shows it this once; the old one works until the overlap ends.',
  access: 'admin',
  effect: 'write',
  proof: { when: isOfLasting },
  input: z.object({ id: KeyId, overlap: OverlapInput }).strict(),
  output: MadeKeyOutput.extend({ oldWorksUntil: z.date() }),
  example: { ...MADE_KEY, oldWorksUntil: new Date('2026-11-21T08:30:00.000Z') },
  run: async ({ actor }, { id, overlap }) => {
    const { text, ...made } = await rotate((await database()).orm, id, overlap, personOf(actor))
    return { ...made, secret: text }
  },
})

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
