import * as z from 'zod'
import { database } from '@/db/client'
import { personOf } from '@/lib/auth/actor'
import { rotateKey as rotate } from '@/lib/auth/manage-keys'
import { defineOperation } from '../define'
import { isOfLasting } from './lasting'
import { KeyId, MADE_KEY, MadeKeyOutput, OverlapInput } from './terms'

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
