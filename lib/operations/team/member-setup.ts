import * as z from 'zod'
import { database, type Orm, withinContractor } from '@/db/client'
import { lockKey } from '@/db/queries/keys'
import { memberSetup } from '@/db/queries/member-setup'
import { changeSource } from '@/db/queries/sources'
import { changeEndpoint } from '@/db/queries/webhooks'
import type { ActingPerson } from '@/lib/auth/actor'
import { audit } from '@/lib/auth/audit'
import { endKeys } from '@/lib/auth/manage-keys'
import { CONNECTORS } from '@/lib/connectors/registry'
import { ConnectorInput } from '../connectors/fields'
import { defineOperation } from '../define'
import { EXAMPLE_PERSON, PersonId } from './fields'

/** The choice for what a member set up when they are removed, or are no administrator any more. */
export const SetupInput = z
  .enum(['keep', 'end'])
  .default('keep')
  .describe('`end` revokes the keys they made, and pauses the webhooks and sources they set')

const Setup = z.object({
  keys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      masked: z.string(),
      scopes: z.array(z.string()),
      expiresAt: z.date().nullable().describe('Null for one that never ends'),
    }),
  ),
  webhooks: z.array(z.object({ id: z.string(), host: z.string() })),
  sources: z.array(z.object({ id: z.string(), name: z.string() })),
  books: z.array(z.object({ title: z.string(), company: z.string().nullable() })).describe('Software they connected'),
})

/** Lists what a member set up that goes on working without them. */
export const getMemberSetup = defineOperation({
  name: 'get_member_setup',
  title: 'What a member set up',
  description:
    'The keys a member made that still work, the webhooks and sources they set that are not paused, and the books they connected. It goes on working when they leave, unless it is ended with their access.',
  access: 'admin',
  effect: 'read',
  input: z.object({ personId: PersonId }).strict(),
  output: Setup,
  example: {
    keys: [
      {
        id: 'key_01k9zq2v6n8m4t5c3b7x1w0jd2',
        name: 'Accounting sync',
        masked: 'plb_live_…x7Qa',
        scopes: ['read:invoices'],
        expiresAt: null,
      },
    ],
    webhooks: [{ id: EXAMPLE_PERSON.replace('psn_', 'whk_'), host: 'hooks.example.com' }],
    sources: [],
    books: [],
  },
  run: async ({ actor: { contractorId } }, { personId }) => {
    const { orm } = await database()
    const found = await withinContractor(orm, contractorId, (tx) => memberSetup(tx, { contractorId, personId }))
    const isActive = ({ state }: { state: string }) => state === 'active'
    return {
      keys: found.keys.map(({ mode, last4, expiresAt, ...key }) => ({
        ...key,
        masked: `plb_${mode}_…${last4}`,
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
      })),
      webhooks: found.webhooks.filter(isActive).map(({ id, url }) => ({ id, host: new URL(url).hostname })),
      sources: found.sources.filter(isActive).map(({ id, name }) => ({ id, name })),
      books: found.connectors.map(({ connector, companyName: company }) => {
        const known = ConnectorInput.safeParse(connector)
        return { title: known.success ? CONNECTORS[known.data].title : connector, company }
      }),
    }
  },
})

/** Revokes the keys that a member made, and pauses the webhooks and sources they set, in the transaction that ends their right to them. */
export async function endSetup(tx: Orm, by: ActingPerson, personId: string, now: Date): Promise<void> {
  const { contractorId } = by
  const { keys, webhooks, sources } = await memberSetup(tx, { contractorId, personId })
  for (const { id } of keys) {
    const key = await lockKey(tx, id)
    if (key) await endKeys(tx, [key], by)
  }
  const paused = { state: 'paused', pausedAt: now, pausedReason: 'person' } as const
  for (const { id, url } of webhooks.filter(({ state }) => state === 'active')) {
    await changeEndpoint(tx, contractorId, id, paused)
    await audit(tx, by, {
      event: 'webhook_changed',
      subject: id,
      detail: { host: new URL(url).hostname, paused: true },
    })
  }
  for (const { id, name } of sources.filter(({ state }) => state === 'active')) {
    await changeSource(tx, contractorId, id, paused)
    await audit(tx, by, { event: 'source_paused', subject: id, detail: { name } })
  }
}
