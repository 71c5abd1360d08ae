import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { putConnection } from '@/db/queries/connectors'
import { openInvitations } from '@/db/queries/invitations'
import { beginJournal } from '@/db/queries/load-journal'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import type { AnyOperation } from './define'
import { listLeadDeliveries } from './deliveries'
import { addProjectNote } from './entries/add-project-note'
import { execute } from './execute'
import { addDraftFile } from './loads/draft'
import { operations } from './registry'
import { saveFilter } from './requests/saved-filters'
import { createSource } from './sources/create-source'
import { inviteMember } from './team/invitations'
import { createWebhook } from './webhooks/create-webhook'
import { testWebhook } from './webhooks/deliveries'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const now = new Date()
const LEAD = { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', leadSource: 'Referral' }

const loadOf = (contractorId: string) => `lod_${contractorId}`

/** Connects a program to a contractor for a person. */
async function connect(contractorId: string, personId: string): Promise<void> {
  const client = `client-of-${contractorId}`
  await db.orm.execute(
    sql`insert into oauth_clients (id, client_id, redirect_uris) values (${client}, ${client}, '{}')`,
  )
  await db.orm.execute(sql`insert into oauth_grants (id, contractor_id, client_id, person_id, reference_id, scopes, connected_at)
    values (${`grt_${contractorId}`}, ${contractorId}, ${client}, ${personId}, ${contractorId}, '{}', now())`)
}

/** Creates a contractor with one of everything that can be changed. */
async function makeBusiness() {
  const { contractor, key } = await makeTenant(db)
  const admin = await makeMember(db, contractor.id)
  const viewer = await makeMember(db, contractor.id, 'viewer')
  const { id: keyId } = await key()
  const { text } = await key(['write:leads'])
  const headers = { 'content-type': 'application/json' }
  await call('/api/webhooks/leads/inbound', { key: text, method: 'POST', headers, body: JSON.stringify(LEAD) })
  await execute(inviteMember, { actor: admin, now }, { email: 'invited@example.com', role: 'viewer' })
  const [invitation] = await openInvitations(db.orm, contractor.id)
  const [delivery] = (await execute(listLeadDeliveries, { actor: admin, now }, {})).items
  const saved = await execute(saveFilter, { actor: admin, now }, { name: 'Errors', query: 'status=5xx' })
  const projectId = delivery?.projectId ?? ''
  const [{ id: customerId } = { id: '' }] = await rows<{ id: string }>(
    db.orm,
    sql`select id from users where contractor_id = ${contractor.id}`,
  )
  const note = { projectId, text: 'Gate code changed', idempotencyKey: 'the-first-note' }
  const { id: noteId } = await execute(addProjectNote, { actor: admin, now }, note)
  const hook = { url: 'https://hook.example.com/x', events: ['invoice.created'] }
  const { id: webhookId } = await execute(createWebhook, { actor: admin, now }, hook)
  const { id: sentId } = await execute(testWebhook, { actor: admin, now }, { id: webhookId })
  await connect(contractor.id, viewer.personId)
  await putConnection(db.orm, {
    contractorId: contractor.id,
    connector: 'quickbooks',
    company: contractor.id,
    environment: 'sandbox',
    state: 'connected',
    stateAt: now,
    refreshToken: 'sealed',
    mode: 'changes',
    nextAt: now,
    connectedBy: 'Ana Ruiz',
    connectedAt: now,
  })
  await db.orm.execute(sql`insert into sso_providers (contractor_id, issuer, client_id, sealed_secret, domains)
    values (${contractor.id}, 'https://login.example.com', 'c', 's', '{example.com}')`)
  await db.orm.execute(sql`insert into sso_identities (contractor_id, issuer, subject, person_id)
    values (${contractor.id}, 'https://login.example.com', 's', ${viewer.personId})`)
  await beginJournal(db, contractor.id, { loadId: loadOf(contractor.id), author: null })
  if (!invitation || !delivery) throw new Error('both were just made')
  const body = (async function* () {
    yield Buffer.from('Customer ID,Name\nC-1,Ana\n')
  })()
  const { draft } = await execute(addDraftFile, { actor: admin, now }, { file: 'customers.csv', body })
  const mails = { kind: 'mail', name: 'Mails', provider: 'postmark', senders: '@example.com' } as const
  const { id: sourceId } = await execute(createSource, { actor: admin, now }, mails)
  const ids = {
    draft,
    sourceId,
    keyId,
    invitationId: invitation.id,
    deliveryId: delivery.id,
    filterId: saved.id,
    projectId,
    customerId,
    noteId,
    webhookId,
    sentId,
  }
  return { contractor, admin, viewer, ...ids }
}

type Business = Awaited<ReturnType<typeof makeBusiness>>

/** The input each write is tried with. Those that name something name another contractor's, and must not find it. */
const NAMING: Record<string, (of: Business) => object> = {
  rotate_key: ({ keyId: id }) => ({ id, overlap: 'now' }),
  change_key: ({ keyId: id }) => ({ id, name: 'Mine' }),
  revoke_key: ({ keyId: id }) => ({ id }),
  change_role: ({ viewer }) => ({ personId: viewer.personId, role: 'admin' }),
  remove_member: ({ viewer }) => ({ personId: viewer.personId }),
  resend_invitation: ({ invitationId: id }) => ({ id }),
  withdraw_invitation: ({ invitationId: id }) => ({ id }),
  replay_lead_delivery: ({ deliveryId: id }) => ({ id }),
  update_customer_from_lead: ({ projectId }) => ({ projectId, fields: ['name'] }),
  separate_lead: ({ projectId }) => ({ projectId }),
  delete_filter: ({ filterId: id }) => ({ id }),
  join_customers: ({ customerId: other }) => ({ customer: 'cus_none', other }),
  separate_customers: ({ customerId: other }) => ({ other }),
  add_project_note: ({ projectId }) => ({ projectId, text: 'A note', idempotencyKey: 'note-of-the-test' }),
  set_lead_follow_up: ({ projectId }) => ({ projectId, date: '2999-01-01', idempotencyKey: 'task-of-the-test' }),
  undo_entry: ({ noteId: id }) => ({ id }),
  change_webhook: ({ webhookId: id }) => ({ id, url: 'https://mine.example.com/' }),
  rotate_webhook_secret: ({ webhookId: id }) => ({ id }),
  delete_webhook: ({ webhookId: id }) => ({ id }),
  test_webhook: ({ webhookId: id }) => ({ id }),
  replay_webhook_delivery: ({ sentId: id }) => ({ id }),
  end_connections_of: ({ viewer }) => ({ personId: viewer.personId }),
  drop_draft_file: ({ draft }) => ({ draft, file: 'customers.csv' }),
  load_draft: ({ draft }) => ({ draft }),
  change_source: ({ sourceId: id }) => ({ id, name: 'Mine', newUrl: true }),
  pause_source: ({ sourceId: id }) => ({ id, paused: true }),
  remove_source: ({ sourceId: id }) => ({ id }),
  run_source: ({ sourceId: id }) => ({ id }),
  undo_load: ({ contractor: { id } }) => ({ load: loadOf(id) }),
}
const OTHERS: Record<string, object> = {
  create_key: { name: 'New', preset: 'agent' },
  issue_explorer_key: {},
  invite_member: { email: 'invited@example.com', role: 'admin' },
  set_lead_secret: { source: 'google-ads' },
  remove_lead_secret: { source: 'google-ads' },
  create_lead: LEAD,
  receive_lead: { source: 'zapier' },
  begin_connector: { connector: 'quickbooks' },
  finish_connector: { connector: 'quickbooks', query: 'code=c&state=s&realmId=1', browser: 'b' },
  sync_connector: { connector: 'quickbooks', everything: true },
  disconnect_connector: { connector: 'quickbooks' },
  remove_connector_records: { connector: 'quickbooks', company: '1' },
  limit_connections: { destinations: ['claude.ai'] },
  set_sso: { issuer: 'https://10.0.0.1', clientId: 'c', clientSecret: 's', domains: ['example.com'] },
  require_sso: { required: false },
  remove_sso: {},
  set_alerts: { kinds: ['refused_leads'], digest: 'daily', byEmail: true },
  test_alerts: {},
  change_contractor: { country: 'CA', timezone: 'America/Toronto' },
  save_filter: { name: 'Errors', query: 'status=4xx' },
  create_webhook: { url: 'https://mine.example.com/', events: ['invoice.created'] },
  replay_webhook: { id: 'whk_none', from: '2026-01-01' },
  create_source: { kind: 'link', name: 'Mine', url: 'https://files.example.com/a.csv' },
  load_file: { load: 'customers.csv' },
  add_draft_file: { file: 'customers.csv', body: (async function* () {})() },
  load_upload: { file: 'customers.csv', body: (async function* () {})() },
}

/** Returns everything of a contractor that people or senders can change. */
async function stateOf({ contractor: { id } }: Business) {
  const tables = [
    'api_keys',
    'members',
    'invitations',
    'lead_deliveries',
    'lead_source_secrets',
    'projects',
    'users',
    'saved_filters',
    'alert_settings',
    'outgoing_messages',
    'project_entries',
    'webhook_endpoints',
    'webhook_deliveries',
    'loads',
    'load_uploads',
    'load_journals',
    'oauth_grants',
    'connection_policies',
    'load_mappings',
    'connectors',
    'connector_attempts',
    'connector_links',
    'connector_runs',
    'load_drafts',
    'load_draft_files',
    'scheduled_sources',
    'source_runs',
    'source_mails',
    'sso_providers',
    'sso_identities',
  ]
  return await Promise.all(
    [...tables, 'audit_events'].map((table) =>
      rows(
        db.orm,
        sql`select to_jsonb(t) as row from ${sql.identifier(table)} t where contractor_id = ${id} order by 1`,
      ),
    ),
  )
}

const forContractors = Object.values<AnyOperation>(operations).filter(
  ({ effect, access }) => effect === 'write' && !['operator', 'account', 'invited'].some((each) => each === access),
)

test('every write that is a contractor’s is tried below', () => {
  const tried = [...Object.keys(NAMING), ...Object.keys(OTHERS)]
  expect(forContractors.map(({ name }) => name).sort()).toEqual(tried.sort())
})

test('an administrator of another contractor finds nothing here and changes nothing', async () => {
  const mine = await makeBusiness()
  const { admin: actor } = await makeBusiness()
  const before = await stateOf(mine)
  for (const operation of forContractors) {
    const naming = NAMING[operation.name]
    const values = naming?.(mine) ?? OTHERS[operation.name]
    const attempt = execute(operation, { actor, now }, () => ({ values, whole: 'input' }), 'text')
    if (naming) await expect(attempt, operation.name).rejects.toMatchObject({ code: 'not_found' })
    else await attempt.catch(() => {})
    expect(await stateOf(mine), operation.name).toEqual(before)
  }
})
