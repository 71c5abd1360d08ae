import * as z from 'zod'
import { database, withinContractor } from '@/db/client'
import { listKeys as keysOf } from '@/db/queries/keys'
import { KEY_STATES, keyState } from '@/lib/auth/key-state'
import { defineOperation } from '../define'

const Key = z.object({
  id: z.string(),
  name: z.string(),
  preset: z.string().nullable(),
  leadSource: z.string().nullable().describe('The lead source that a secret URL is for; null for other keys'),
  scopes: z.array(z.string()),
  masked: z.string().describe('The key as people tell it from others: its beginning and its last four characters'),
  state: z.enum(KEY_STATES),
  createdAt: z.date(),
  expiresAt: z
    .date()
    .nullable()
    .describe('Null for one that never ends; of a rotated one when its old secret stops working'),
  revokedAt: z.date().nullable(),
  rotatedTo: z.string().nullable().describe('The key that was made for it by rotation'),
  allowedAddresses: z.array(z.string()).nullable().describe('Null for any'),
  perMinute: z.int().nullable().describe('Its own limit; null for the usual ones alone'),
  insteadOfAddress: z.boolean().describe('Whether that limit takes the place of the one by address'),
})

const EXAMPLE: z.output<typeof Key> = {
  id: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
  name: 'Accounting sync',
  preset: 'integration',
  leadSource: null,
  scopes: ['read:customers', 'read:invoices'],
  masked: 'plb_live_…x7Qa',
  state: 'active',
  createdAt: new Date('2026-11-20T08:30:00.000Z'),
  expiresAt: new Date('2027-11-20T08:30:00.000Z'),
  revokedAt: null,
  rotatedTo: null,
  allowedAddresses: ['203.0.113.0/24'],
  perMinute: 30,
  insteadOfAddress: false,
}

/** Lists a contractor's keys. Their secrets are not stored anywhere. */
export const listKeys = defineOperation({
  name: 'list_keys',
  title: 'Keys',
  description: 'The API keys of the contractor with their terms and state, newest first.',
  access: 'admin',
  effect: 'read',
  input: z.object({}).strict(),
  output: z.object({ items: z.array(Key) }),
  example: { items: [EXAMPLE] },
  run: async ({ actor, now }) => {
    const { contractorId } = actor
    const found = await withinContractor((await database()).orm, contractorId, (orm) => keysOf(orm, contractorId))
    const successors = new Map(found.map(({ id, rotatedFrom }) => [rotatedFrom, id]))
    const items = found.map((key) => {
      const rotatedTo = successors.get(key.id) ?? null
      return {
        ...key,
        masked: `plb_${key.mode}_…${key.last4}`,
        state: keyState(key, rotatedTo !== null, now),
        rotatedTo,
      }
    })
    return { items }
  },
})
