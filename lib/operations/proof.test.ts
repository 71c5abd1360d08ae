import { expect, test } from 'vitest'
import type * as z from 'zod'
import type { Actor, PersonActor } from '@/lib/auth/actor'
import { operatorFor } from '@/lib/auth/actor'
import { PROOF_MINUTES, ProofNeeded } from '@/lib/auth/require'
import { scopesOfRole } from '@/lib/auth/roles'
import { SCOPES } from '@/lib/auth/scopes'
import { requireRecent } from './access'
import { type AnyOperation, isForPeople } from './define'
import { operations } from './registry'

const contractorId = 'con_of_a_test'
const now = new Date('2026-11-20T08:30:00.000Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
const person = (provenAt: Date | null): PersonActor => ({
  kind: 'person',
  personId: 'psn_1',
  name: 'Ana',
  email: 'ana@example.com',
  role: 'admin',
  contractorId,
  scopes: scopesOfRole('admin'),
  address: '203.0.113.9',
  provenAt,
})
const EXEMPT: [string, Actor][] = [
  ['the operator', operatorFor(contractorId)],
  ['a key', { kind: 'key', keyId: 'key_1', lineage: 'key_1', contractorId, scopes: new Set(SCOPES) }],
]

/** The reasons why a change that people can make asks for no proof: nothing of it is more than they could do while they are signed in. */
const ASKS_NOTHING: Record<string, readonly string[]> = {
  'it ends a right': [
    'end_session',
    'end_connection',
    'end_connections_of',
    'revoke_key',
    'withdraw_invitation',
    'remove_source',
    'delete_webhook',
    'disconnect_connector',
  ],
  'it changes records or what is shown, and gives nobody a way in': [
    'create_lead',
    'receive_lead',
    'replay_lead_delivery',
    'update_customer_from_lead',
    'separate_lead',
    'add_project_note',
    'set_lead_follow_up',
    'undo_entry',
    'add_draft_file',
    'drop_draft_file',
    'load_draft',
    'load_upload',
    'load_file',
    'undo_load',
    'change_contractor',
    'join_customers',
    'separate_customers',
    'remove_connector_records',
    'save_filter',
    'delete_filter',
    'rename_passkey',
  ],
  'it uses again what was set with a proof': [
    'finish_connector',
    'sync_connector',
    'run_source',
    'pause_source',
    'test_alerts',
    'replay_webhook',
    'replay_webhook_delivery',
    'test_webhook',
  ],
  'its key reads for an hour and ends with its holder’s access': ['issue_explorer_key'],
  'it is the person’s own acceptance of what an administrator gave': ['accept_invitation', 'join_with_account'],
}

const all = Object.values<AnyOperation>(operations)
const writes = all.filter(({ effect, access }) => effect === 'write' && access !== 'operator')

test('whatever people can change asks for a proof, or is listed with the reason why not', () => {
  const asks = writes.filter(({ proof }) => proof !== undefined).map(({ name }) => name)
  const reasoned = Object.values(ASKS_NOTHING).flat()
  expect([...asks, ...reasoned].sort()).toEqual(writes.map(({ name }) => name).sort())
  expect(all.filter(({ effect, proof }) => effect === 'read' && proof).map(({ name }) => name)).toEqual([])
})

const always = all.filter(({ proof }) => proof === 'recent')

test.each(always.map((operation) => [operation.name, operation] as const))(
  '%s: asks a person who has not proven lately that it is them, and nobody else',
  async (_, operation) => {
    const check = (actor: Actor) => requireRecent(operation, { actor, now }, {})
    for (const provenAt of [null, ago(PROOF_MINUTES), ago(24 * 60)])
      await expect(check(person(provenAt))).rejects.toBeInstanceOf(ProofNeeded)
    await check(person(ago(PROOF_MINUTES - 1)))
    for (const [, actor] of EXEMPT) await check(actor)
  },
)

type Input<O extends { input: z.ZodObject }> = z.input<O['input']>
const key: Input<typeof operations.createKey> = { name: 'A key' }
const inDays = (days: number) => new Date(now.getTime() + days * 86_400_000)
const soon = inDays(30)

test.each<[string, AnyOperation, object, boolean]>([
  ['a key without an end', operations.createKey, { ...key, scopes: ['read:invoices'] }, true],
  ['a key with an end far away', operations.createKey, { ...key, preset: 'agent', expiresAt: inDays(3_650) }, true],
  ['a key that writes', operations.createKey, { ...key, scopes: ['write:data'], expiresAt: soon }, true],
  ['a preset that writes', operations.createKey, { ...key, preset: 'lead-source', expiresAt: soon }, true],
  ['a key that reads for a month', operations.createKey, { ...key, preset: 'agent', expiresAt: soon }, false],
  ['another address of a webhook', operations.changeWebhook, { id: 'w', url: 'https://a.example.com' }, true],
  ['other events of a webhook', operations.changeWebhook, { id: 'w', events: ['invoice.created'] }, true],
  ['a webhook that goes on', operations.changeWebhook, { id: 'w', paused: false }, true],
  ['a webhook that is paused', operations.changeWebhook, { id: 'w', paused: true, description: 'x' }, false],
  ['an address for alerts', operations.setAlerts, alerts('https://a.example.com'), true],
  ['alerts without an address', operations.setAlerts, alerts(null), false],
])('%s', async (_, operation, values, asks) => {
  const input = operation.input.parse(values)
  const check = requireRecent(operation, { actor: person(null), now }, input)
  if (asks) await expect(check).rejects.toBeInstanceOf(ProofNeeded)
  else await check
  for (const [, actor] of EXEMPT) await requireRecent(operation, { actor, now }, input)
})

function alerts(webhookUrl: string | null): Input<typeof operations.setAlerts> {
  return { kinds: [], digest: 'hourly', byEmail: false, webhookUrl }
}

test('a key can do nothing that asks for a proof but manage webhooks, which end with it', () => {
  const byKey = all.filter((operation) => operation.proof && !isForPeople(operation)).map(({ name }) => name)
  expect(byKey.sort()).toEqual(['change_webhook', 'create_webhook', 'rotate_webhook_secret'])
})
