import * as z from 'zod'
import { database } from '@/db/client'
import { passkeysOf, removePasskey as remove, renamePasskey as rename } from '@/db/queries/passkeys'
import { signedInOf } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { ServiceError } from '@/lib/core/errors'
import { defineOperation } from '../define'

const Id = z.string().min(1).max(50)
const EXAMPLE_ID = '6f1f0c0e-4f0e-4b59-9d3e-0a8d5b1f7c2a'
const gone = () => new ServiceError('not_found', 'This passkey was removed already.')

/** The name a person gives a passkey. */
export const PasskeyName = z.string().trim().min(1, 'is required').max(60)

/** Returns the signed-in person's passkeys. */
export const listPasskeys = defineOperation({
  name: 'list_passkeys',
  title: 'Passkeys',
  description: 'The passkeys of the account, oldest first. Nothing of them is secret.',
  access: 'account',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        synced: z.boolean().describe('Kept in an account and so on several devices, or in one device alone'),
        createdAt: z.date().nullable(),
        lastUsedAt: z.date().nullable(),
      }),
    ),
  }),
  example: {
    items: [
      {
        id: EXAMPLE_ID,
        name: 'Phone',
        synced: true,
        createdAt: new Date('2026-11-01T08:30:00.000Z'),
        lastUsedAt: null,
      },
    ],
  },
  run: async ({ actor }) => ({ items: await passkeysOf((await database()).orm, signedInOf(actor).personId) }),
})

/** Renames one of the person's own passkeys. */
export const renamePasskey = defineOperation({
  name: 'rename_passkey',
  title: 'Rename a passkey',
  description: 'Gives a passkey of the account another name.',
  access: 'account',
  effect: 'write',
  input: z.object({ id: Id, name: PasskeyName }).strict(),
  output: z.object({ id: z.string(), name: z.string() }),
  example: { id: EXAMPLE_ID, name: 'Old phone' },
  run: async ({ actor }, { id, name }) => {
    const by = signedInOf(actor)
    await (await database()).orm.transaction(async (tx) => {
      if (!(await rename(tx, by.personId, id, name))) throw gone()
      await audit(tx, by, { event: 'passkey_renamed', subject: name, contractorId: null })
    })
    return { id, name }
  },
})

/** Removes one of the person's own passkeys. */
export const removePasskey = defineOperation({
  name: 'remove_passkey',
  title: 'Remove a passkey',
  description: 'Removes a passkey from the account: it signs nobody in any more.',
  access: 'account',
  effect: 'write',
  proof: 'recent',
  input: z.object({ id: Id }).strict(),
  output: z.object({ id: z.string() }),
  example: { id: EXAMPLE_ID },
  run: async ({ actor }, { id }) => {
    const by = signedInOf(actor)
    await (await database()).orm.transaction(async (tx) => {
      const name = await remove(tx, by.personId, id)
      if (name === undefined) throw gone()
      await audit(tx, by, { event: 'passkey_removed', subject: name, contractorId: null, told: name })
    })
    return { id }
  },
})
