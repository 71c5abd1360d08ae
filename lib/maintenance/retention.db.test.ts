import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { EXPIRED_KINDS } from '@/db/queries/retention'
import { firstIdAt, firstRequestUuidAt } from '@/lib/core/ids'
import { requestsLogged } from '@/lib/telemetry/request-log'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { runRetention } from './retention'

const SECRET = 'a secret of the scheduler'
const DAY_MS = 86_400_000
let db: Database
let contractor: string

beforeAll(async () => {
  Object.assign(process.env, { REQUEST_LOG_DAYS: '30', LEAD_DELIVERY_DAYS: '90', CRON_SECRET: SECRET })
  db = await openTestDatabase()
  shareDatabase(db)
  contractor = (await makeTenant(db)).contractor.id
})
afterAll(async () => {
  await requestsLogged()
  await db.close()
})

const at = (days: number) => new Date(Date.now() - days * DAY_MS)
const run = (statement: ReturnType<typeof sql>) => db.orm.execute(statement)

/** Plants two rows of each kind, one on either side of its bound, and rows that retention must not touch. */
async function plant() {
  await plantUse()
  await plantRecords()
}

async function plantUse() {
  for (const [days, n] of [
    [31, 2_500],
    [29, 3],
  ] as const) {
    const day = at(days).toISOString()
    await run(sql`insert into request_log (id, at, contractor_id, method, path, endpoint, status, address, duration_ms)
      select (left(${firstRequestUuidAt(at(days))}, 24) || lpad(g::text, 12, '0'))::uuid, ${day}::timestamptz, ${contractor},
        'GET', '/api/v1/customers', 'list_customers', 200, '203.0.113.1', 1 from generate_series(1, ${n}::int) g`)
    await run(
      sql`insert into request_sums values (${contractor}, ${day}::timestamptz, '', 'list_customers', 'api', 2, 1, 0, 0, 1)`,
    )
  }
  await run(sql`insert into key_addresses values
    (${contractor}, 'key_used', 'older', 1, ${at(31).toISOString()}::timestamptz, null),
    (${contractor}, 'key_used', 'newer', 1, ${at(1).toISOString()}::timestamptz, null),
    (${contractor}, 'key_idle', 'only', 1, ${at(31).toISOString()}::timestamptz, null),
    (${contractor}, 'key_ended', 'gone', 1, null, ${at(31).toISOString()}::timestamptz)`)
  for (const days of [91, 89])
    await run(sql`insert into lead_deliveries (id, contractor_id, request_id, source, received_at, bytes, body, outcome, status)
      values (${`${firstIdAt('delivery', at(days))}0000000000000000`}, ${contractor}, 'req', 'inbound', now(), 2, '{}', 'created', 201)`)
  for (const days of [8, 6])
    await run(sql`insert into mcp_sessions (id, contractor_id, key_lineage, protocol_version, created_at)
      values (${`mcp_${days}`}, ${contractor}, 'key', '2025-06-18', ${at(days).toISOString()}::timestamptz)`)
  await run(sql`insert into mcp_sessions (id, contractor_id, key_lineage, protocol_version, seen_at, ended_at) values
    ('mcp_idle', ${contractor}, 'key', '2025-06-18', ${at(1.1).toISOString()}::timestamptz, null),
    ('mcp_ended', ${contractor}, 'key', '2025-06-18', now(), now())`)
  for (const days of [92, 90])
    await run(sql`insert into service_checks values (${at(days).toISOString()}::timestamptz, 'database', 60, 0)`)
  await run(sql`insert into people (id, name, email) values ('psn_1', 'Ana', 'ana@example.com')`)
  for (const days of [1, -1]) {
    const day = at(days).toISOString()
    await run(
      sql`insert into person_sessions (id, token, person_id, expires_at) values (${`s${days}`}, ${`t${days}`}, 'psn_1', ${day}::timestamptz)`,
    )
    await run(
      sql`insert into person_verifications (id, identifier, value, expires_at) values (${`v${days}`}, 'i', 'v', ${day}::timestamptz)`,
    )
  }
  for (const [position, days] of [
    [1, 91],
    [2, 89],
  ] as const)
    await run(sql`insert into changes (contractor_id, resource, position, record_id, change, numbered_at)
      values ('con_fed', 'invoices', ${position}, 'inv_1', 'deleted', ${at(days).toISOString()}::timestamptz)`)
  await run(sql`insert into change_heads (contractor_id, position) values ('con_fed', 2)`)
  for (const days of [91, 89])
    await run(sql`insert into status_changes (contractor_id, resource, record_id, was, became, at)
      values (${contractor}, 'projects', 'prj_1', 'lead', 'scheduled', ${at(days).toISOString()}::timestamptz)`)
  for (const [event, days] of [
    ['sign_in_refused', 31],
    ['sign_in_refused', 29],
    ['sign_in', 400],
  ] as const)
    await run(sql`insert into audit_events (id, at, actor_kind, actor_name, event, detail)
      values (${`${event} ${days}`}, ${at(days).toISOString()}::timestamptz, 'nobody', 'ana@example.com', ${event}, '{}')`)
  for (const [id, days] of [
    ['msg_old', 31],
    ['msg_new', 29],
  ] as const)
    await run(sql`insert into outgoing_messages (id, channel, subject, body, created_at, next_at, sent_at)
      values (${id}, 'email', 's', 'b', now(), now(), ${at(days).toISOString()}::timestamptz)`)
}

/** Runs of sources, and files that are held. */
async function plantHeld() {
  await run(sql`insert into scheduled_sources (id, contractor_id, kind, name, settings, complete, state, created_at, created_by)
    values ('src_1', ${contractor}, 'mail', 'Mail', '{}', false, 'active', now(), 'operator')`)
  for (const [id, source, days] of [
    ['drf_old', null, 2],
    ['drf_new', null, 0.5],
    ['drf_mail_old', 'src_1', 8],
    ['drf_mail_new', 'src_1', 6],
  ] as const) {
    await run(sql`insert into load_drafts (id, contractor_id, source_id, created_at)
      values (${id}, ${contractor}, ${source}, ${at(days).toISOString()}::timestamptz)`)
    await run(sql`insert into load_draft_files (id, contractor_id, draft_id, file, role, state)
      values (${id}, ${contractor}, ${id}, 'a.csv', 'dropped', 'whole')`)
    await run(
      sql`insert into load_draft_parts (contractor_id, file_id, at, bytes) values (${contractor}, ${id}, 0, 'abc')`,
    )
  }
  for (const [id, days] of [
    ['run_1', 92],
    ['run_2', 91],
  ] as const) {
    await run(sql`insert into source_runs (id, contractor_id, source_id, started_at, ended_at, outcome, files)
      select ${id}, ${contractor}, 'src_1', at, at, 'loaded', '[]' from (values (${at(days).toISOString()}::timestamptz)) r (at)`)
    await run(
      sql`insert into source_mails values (${contractor}, 'src_1', ${id}, ${at(days - 2).toISOString()}::timestamptz)`,
    )
  }
}

/** Runs of connectors, and connections that somebody began. */
async function plantConnectors() {
  await run(sql`insert into connector_runs (id, contractor_id, connector, kind, state, counts, faults, created_at, seen_at, ended_at)
    select id, ${contractor}, 'quickbooks', 'changes', case when id = 'crn_walking' then 'running' else 'done' end, '{}', '[]', at, at,
      case when id <> 'crn_walking' then at end from (values ('crn_old', ${at(91).toISOString()}::timestamptz),
      ('crn_new', ${at(89).toISOString()}::timestamptz), ('crn_walking', ${at(91).toISOString()}::timestamptz)) r (id, at)`)
  for (const days of [1, -1])
    await run(
      sql`insert into connector_attempts values (${`c${days}`}, ${contractor}, 'quickbooks', 'psn_1', ${at(days).toISOString()}::timestamptz)`,
    )
}

async function plantRecords() {
  await plantConnectors()
  await plantHeld()
  await run(sql`insert into outgoing_messages (id, channel, subject, body, created_at, next_at)
    values ('msg_waiting', 'email', 's', 'b', ${at(31).toISOString()}::timestamptz, now())`)
  const key = (id: string, name: string, madeDays: number, hours: number) =>
    run(sql`insert into api_keys (id, contractor_id, name, scopes, mode, secret_hash, last4, created_at, expires_at)
      values (${id}, ${contractor}, ${name}, '{}', 'live', ${id}, 'last', ${at(madeDays).toISOString()}::timestamptz,
        ${new Date(at(madeDays).getTime() + hours * 3_600_000).toISOString()}::timestamptz)`)
  await key('key_explored', 'Explorer, Ana', 40, 1)
  await key('key_exploring', 'Explorer, Ana', 5, 1)
  await key('key_named_alike', 'Explorer, the partner', 400, 24 * 90)
  await run(sql`insert into users (id, contractor_id, name) values ('cus_1', ${contractor}, 'Ana')`)
  await run(
    sql`insert into projects (id, contractor_id, customer_id, name, status) values ('prj_1', ${contractor}, 'cus_1', 'Roof', 'lead')`,
  )
  for (const [id, undone] of [
    ['nte_old', at(31)],
    ['nte_new', at(29)],
    ['nte_kept', null],
  ] as const)
    await run(sql`insert into project_entries (id, contractor_id, project_id, kind, text, author, idempotency_key, author_kind, author_name, created_at, undone_at)
      values (${id}, ${contractor}, 'prj_1', 'note', 'Old', 'operator', ${id}, 'operator', 'Command line', ${at(400).toISOString()}::timestamptz, ${undone?.toISOString() ?? null}::timestamptz)`)
  await run(sql`insert into webhook_endpoints (id, contractor_id, url, description, event_types, secret, position, stamp, state, next_at, created_at, created_by)
    values ('whk_1', ${contractor}, 'https://hook.example.com/', '', '{}', '', 0, '0', 'active', now(), now(), 'operator')`)
  for (const [id, ended] of [
    ['whd_old', at(31)],
    ['whd_new', at(29)],
    ['whd_waiting', null],
  ] as const)
    await run(sql`insert into webhook_deliveries (id, contractor_id, endpoint_id, message_id, type, resource, record_id, body, is_replay, state, next_at, created_at, ended_at)
      values (${id}, ${contractor}, 'whk_1', ${id}, 'webhook.test', 'webhook', ${id}, '{}', false, ${ended ? 'delivered' : 'pending'}, now(), ${at(40).toISOString()}::timestamptz, ${ended?.toISOString() ?? null}::timestamptz)`)
  for (const id of ['used', 'unused', 'fresh'])
    await run(sql`insert into oauth_clients (id, client_id, redirect_uris, created_at)
      values (${id}, ${id}, '{}', ${at(id === 'fresh' ? 0 : 2).toISOString()}::timestamptz)`)
  for (const [id, made, connected, ended] of [
    ['grt_unfinished', 2, null, null],
    ['grt_old', 40, 40, 31],
    ['grt_ended', 40, 40, 29],
    ['grt_active', 400, 400, null],
  ] as const) {
    const moments = [made, connected, ended].map((days) => (days === null ? null : at(days).toISOString()))
    await run(sql`insert into oauth_grants (id, reference_id, contractor_id, client_id, person_id, scopes, created_at, connected_at, ended_at)
      values (${id}, ${id}, ${contractor}, 'used', 'psn_1', '{}', ${moments[0]}::timestamptz, ${moments[1]}::timestamptz, ${moments[2]}::timestamptz)`)
  }
  for (const [id, grant, expires, used] of [
    ['expired', 'grt_active', 1, null],
    ['used long ago', 'grt_active', -30, 8],
    ['used', 'grt_active', -30, 6],
    ['current', 'grt_active', -30, null],
    ['of an ended one', 'grt_ended', -30, null],
  ] as const)
    await run(sql`insert into oauth_refresh_tokens (id, token, client_id, person_id, reference_id, scopes, expires_at, revoked)
      values (${id}, ${id}, 'used', 'psn_1', ${grant}, '{}', ${at(expires).toISOString()}::timestamptz, ${used === null ? null : at(used).toISOString()}::timestamptz)`)
  for (const days of [1, -1])
    await run(sql`insert into oauth_client_assertions values (${`a${days}`}, ${at(days).toISOString()}::timestamptz)`)
  for (const days of [3, 1])
    await run(sql`insert into oauth_keys (id, public_key, private_key, created_at, expires_at)
      values (${`k${days}`}, '', '', now(), ${at(days).toISOString()}::timestamptz)`)
  await run(sql`insert into loads (id, contractor_id, file, size, state, created_at, seen_at, ended_at)
    select id, ${contractor}, 'customers.csv', 1, 'done', at, at, at from (values ('lod_old', ${at(91).toISOString()}::timestamptz),
      ('lod_new', ${at(89).toISOString()}::timestamptz)) l (id, at)`)
  await run(sql`insert into contractors (id, slug, name) values ('con_sending', 'sending', 'Sending')`)
  await run(sql`insert into load_uploads (contractor_id, upload, file, encoding, size, received, seen_at)
    values (${contractor}, 'old', 'customers.csv', 'identity', 9, 3, ${at(2).toISOString()}::timestamptz),
      ('con_sending', 'new', 'customers.csv', 'identity', 9, 3, now())`)
  await run(
    sql`insert into load_parts (contractor_id, at, bytes) values (${contractor}, 0, 'abc'), ('con_sending', 0, 'abc')`,
  )
  await run(sql`insert into load_journals (contractor_id, load_id, state, files, created_at, ended_at)
    select c, 'lod_1', state, '[]', at, at from (values (${contractor}, 'ended', ${at(2).toISOString()}::timestamptz),
      ('con_sending', 'running', ${at(2).toISOString()}::timestamptz)) j (c, state, at)`)
  await run(sql`insert into load_images (contractor_id, step, table_name, record_id)
    values (${contractor}, 'customers.csv', 'users', 'cus_1'), ('con_sending', 'customers.csv', 'users', 'cus_1')`)
  await run(sql`insert into earlier_loads (load_id, contractor_id, files, created_at, ended_at, last_image)
    select 'lod_' || c, c, '[]', at, at, 0 from (values (${contractor}, ${at(2).toISOString()}::timestamptz), ('con_sending', now())) e (c, at)`)
  await run(sql`insert into work_in_hand (kind, subject, times, is_open, begun_at)
    values ('source', 'gone', 1, false, ${at(91).toISOString()}::timestamptz), ('source', 'new', 1, false, now())`)
  await run(sql`insert into search_queue (owner, kind, reference) values (${contractor}, 'project', 'a'), (${contractor}, 'project', 'a'),
    (${contractor}, 'project', 'b'), (${contractor}, 'project', 'a')`)
}

const REMOVED = {
  requestDays: 0,
  outboxFiles: 0,
  requests: 2_500,
  requestSums: 1,
  keyAddresses: 2,
  leadDeliveries: 1,
  mcpSessions: 3,
  signInSessions: 1,
  refusedSignIns: 1,
  signInSteps: 1,
  explorerKeys: 1,
  changes: 1,
  statusChanges: 1,
  serviceChecks: 1,
  outgoingMessages: 1,
  webhookDeliveries: 1,
  refreshTokens: 3,
  connections: 2,
  connectionClients: 1,
  connectionAssertions: 1,
  connectionKeys: 1,
  loads: 1,
  connectorRuns: 1,
  connectorAttempts: 1,
  loadParts: 1,
  loadUploads: 1,
  loadDraftParts: 2,
  loadDraftFiles: 2,
  loadDrafts: 2,
  sourceRuns: 1,
  sourceMails: 1,
  loadImages: 1,
  earlierLoads: 1,
  undoneEntries: 1,
  workInHand: 1,
  searchQueue: 5,
}

const DONE = { dryRun: false, complete: true, unfinished: [], removed: REMOVED, total: 2_546 }

/** The planted rows only: the tests' own requests carry no key. */
const PLANTED = 'request_log where contractor_id is not null'
const idsOf = async (table: string, column = 'id') =>
  (await rows<{ id: string }>(db.orm, sql.raw(`select ${column}::text as id from ${table} order by 1`))).map(
    ({ id }) => id,
  )

test('a dry run counts every kind and deletes nothing; a run out of time reports that it is not complete', async () => {
  await plant()
  expect(Object.keys(REMOVED)).toEqual(['requestDays', 'outboxFiles', ...EXPIRED_KINDS])
  expect(await runRetention({ dryRun: true })).toEqual({ ...DONE, dryRun: true })
  expect(await runRetention({ budgetMs: -1 })).toMatchObject({ complete: false, total: 0 })
  expect(await idsOf(PLANTED)).toHaveLength(2_503)
})

test('GET /api/internal/retention: 401 without the scheduler’s secret, 405 for other methods', async () => {
  for (const authorization of ['', 'Bearer', `Bearer ${SECRET}x`, `Bearer ${SECRET.slice(1)}`, SECRET]) {
    const { status, body } = await call('/api/internal/retention', { headers: { authorization } })
    expect([status, body.code]).toEqual([401, 'unauthorized'])
  }
  for (const method of ['HEAD', 'POST']) {
    const { status, headers } = await call('/api/internal/retention', {
      method,
      headers: { authorization: `Bearer ${SECRET}` },
    })
    expect([status, headers.get('allow')]).toEqual([405, 'GET'])
  }
  expect(await idsOf(PLANTED)).toHaveLength(2_503)
})

test('GET /api/internal/retention deletes what is past its retention period, and leaves the rest', async () => {
  const { status, body } = await call('/api/internal/retention', { headers: { authorization: `Bearer ${SECRET}` } })
  expect(status).toBe(200)
  expect(body).toEqual(DONE)
  expect(await idsOf(PLANTED)).toHaveLength(3)
  expect(await idsOf('key_addresses', 'address')).toEqual(['newer', 'only'])
  expect(await idsOf('lead_deliveries')).toHaveLength(1)
  expect(await idsOf('mcp_sessions')).toEqual(['mcp_6'])
  expect(await idsOf('person_sessions')).toEqual(['s-1'])
  expect(await idsOf("audit_events where actor_kind = 'nobody'")).toEqual(['sign_in 400', 'sign_in_refused 29'])
  expect(await idsOf('api_keys')).toEqual(['key_exploring', 'key_named_alike'])
  expect(await idsOf('outgoing_messages')).toEqual(['msg_new', 'msg_waiting'])
  expect(await idsOf('webhook_deliveries')).toEqual(['whd_new', 'whd_waiting'])
  expect(await idsOf('loads')).toEqual(['lod_new'])
  expect(await idsOf('connector_runs')).toEqual(['crn_new', 'crn_walking'])
  expect(await idsOf('load_parts', 'contractor_id')).toEqual(['con_sending'])
  expect(await idsOf('load_uploads', 'contractor_id')).toEqual(['con_sending'])
  expect(await idsOf('load_draft_parts', 'file_id')).toEqual(['drf_mail_new', 'drf_new'])
  expect(await idsOf('load_drafts')).toEqual(['drf_mail_new', 'drf_new'])
  expect(await idsOf('source_runs')).toEqual(['run_2'])
  expect(await idsOf('source_mails', 'message_hash')).toEqual(['run_2'])
  expect(await idsOf('project_entries')).toEqual(['nte_kept', 'nte_new'])
  expect(await idsOf("changes where contractor_id = 'con_fed'", 'position')).toEqual(['2'])
  // A cursor of before that is too old.
  expect(await idsOf("change_heads where contractor_id = 'con_fed'", 'forgotten_to')).toEqual(['1'])
  expect((await idsOf("search_queue where reference <> 'prj_1'", 'reference')).sort()).toEqual(['a', 'b'])
  expect((await runRetention()).total).toBe(0)
})
