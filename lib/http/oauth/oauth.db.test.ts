import { sql } from 'drizzle-orm'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows } from '@/db/client'
import { putMember } from '@/db/queries/members'
import type { PersonActor } from '@/lib/auth/actor'
import { forgetKeys } from '@/lib/auth/key-cache'
import { allow, refuse } from '@/lib/auth/oauth/consent'
import { resourceOf } from '@/lib/auth/oauth/places'
import { forgetSigningKeys } from '@/lib/auth/oauth/verify'
import type { Scope } from '@/lib/auth/scopes'
import type { Role } from '@/lib/core/roles'
import { endConnection, endConnectionsOf } from '@/lib/operations/connections/end-connections'
import { limitConnections } from '@/lib/operations/connections/limit-connections'
import { listConnections } from '@/lib/operations/connections/list-connections'
import { execute } from '@/lib/operations/execute'
import { createKey } from '@/lib/operations/keys/create-key'
import { changeRole } from '@/lib/operations/team/change-role'
import { removeMember } from '@/lib/operations/team/remove-member'
import { Browser } from '@/lib/testing/browser'
import { Program, post, REDIRECT, register } from '@/lib/testing/oauth'
import { enter, makeMember, openPeopleDatabase, personActor } from '@/lib/testing/people'
import { call, makeTenant, sampleBooks } from '@/lib/testing/tenant'

vi.hoisted(() => Object.assign(process.env, { OAUTH: 'on' }))

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

/** A contractor with an administrator, and a signed-in member. */
async function someone(role: Role = 'admin') {
  const tenant = await makeTenant(db)
  const admin = await makeMember(db, tenant.contractor.id)
  const by = role === 'admin' ? admin : await makeMember(db, tenant.contractor.id, role)
  const { browser } = await enter(by)
  return { tenant, admin, by, browser }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const JSON_TYPE = { 'content-type': 'application/json' }
const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

const rpc = (token: string, name = 'list_customers', args: object = {}, headers: Record<string, string> = {}) =>
  call('/mcp/rpc', {
    method: 'POST',
    headers: { ...JSON_TYPE, ...bearer(token), ...headers },
    body: message('tools/call', { name, arguments: args }),
  })

const mcp = (token: string, body: string, headers: Record<string, string> = {}) =>
  call('/mcp', {
    method: 'POST',
    headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream', ...bearer(token), ...headers },
    body,
  })

const initialize = message('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

const NOTE = { projectId: 'prj_01k9zq2v6n8m4t5c3b7x1w0jd2', note: 'x', idempotencyKey: 'once' }
const now = () => new Date()
const eventsOf = (contractorId: string) =>
  rows<{ event: string; subject: string }>(
    db.orm,
    sql`select event, subject from audit_events where contractor_id = ${contractorId} and event like 'connection%' order by at, id`,
  )
const connectionsOf = async (actor: PersonActor) => (await execute(listConnections, { actor, now: now() }, {})).items

test('a program is connected: registration, consent, code, tokens, calls in both modes of the protocol, and a refresh that rotates', async () => {
  const { tenant, by, browser } = await someone()
  await tenant.load(sampleBooks(1))
  const program = await Program.registered()
  const scopes: Scope[] = ['read:customers', 'read:invoices']
  const { back, access, refresh: first, body } = await program.connect(browser, by, scopes)
  expect(back.searchParams.get('iss')).toBe('http://localhost:3000')
  expect(back.searchParams.get('state')).toBe('the state')
  expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read:customers read:invoices offline_access' })
  const { status, body: answered } = await rpc(access)
  expect([status, answered.result.structuredContent.count]).toEqual([200, 1])
  const opened = await mcp(access, initialize)
  expect(opened.status).toBe(200)
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  expect((await mcp(access, message('tools/list', {}), session)).status).toBe(200)
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  }
  const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  expect((await mcp(access, message('tools/list', { _meta }), modern)).status).toBe(200)
  const next = await program.refresh(first)
  expect(next.status).toBe(200)
  expect((await mcp(next.body.access_token, message('tools/list', {}), session)).status).toBe(200)
  expect(next.body.refresh_token).not.toBe(first)
  expect(await connectionsOf(by)).toMatchObject([
    {
      person: by.name,
      client: 'Test Assistant',
      destination: 'this computer',
      isVerified: false,
      scopes,
      endedAt: null,
    },
  ])
  expect(await eventsOf(tenant.contractor.id)).toEqual([
    { event: 'connection_made', subject: 'Test Assistant (this computer)' },
  ])
})

test('a token is good for the one resource it was issued for; its code was asked for with that resource', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const ofMcp = await program.connect(browser, by)
  const ofApi = await program.connect(browser, by, ['read:customers'], { resource: resourceOf('api') })
  expect((await call('/api/v1/customers', { headers: bearer(ofApi.access) })).status).toBe(200)
  const wrong = await call('/api/v1/customers', { headers: bearer(ofMcp.access) })
  expect(wrong.status).toBe(401)
  expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
  expect((await rpc(ofApi.access)).status).toBe(401)
  const strange = await program.ask(browser, { resource: 'https://example.com/mcp' })
  expect(strange.searchParams.get('error')).toBe('invalid_target')
  expect((await program.refresh(ofMcp.refresh, { resource: resourceOf('api') })).body.error).toBe('invalid_target')
  // Without a resource it is for the MCP server, and a slash at its end is no other one.
  for (const resource of [undefined, `${resourceOf('mcp')}/`])
    expect((await program.ask(browser, { resource })).searchParams.get('resource')).toBe(resourceOf('mcp'))
})

test('tokens of another issuer or key, changed ones and no tokens at all are refused with a challenge', async () => {
  const { by, browser } = await someone()
  const { access } = await (await Program.registered()).connect(browser, by)
  const [, payload = ''] = access.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const { privateKey } = await generateKeyPair('EdDSA')
  const sign = (more: object, header: object = {}) =>
    new SignJWT({ ...claims, ...more })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: 'another', ...header })
      .sign(privateKey)
  const kid = JSON.parse(Buffer.from(access.split('.')[0] ?? '', 'base64url').toString()).kid
  const unsigned = `${Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')}.${payload}.`
  const forged = [
    await sign({}),
    await sign({}, { kid }),
    await sign({ iss: 'https://example.com' }),
    unsigned,
    `${access.slice(0, -4)}AAAA`,
    `${access}x`,
    'eyJ',
  ]
  for (const token of forged) expect((await rpc(token)).status, token.slice(0, 20)).toBe(401)
  const { headers } = await rpc('eyJ')
  expect(headers.get('www-authenticate')).toContain(
    'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp", scope="read:',
  )
  expect(headers.get('www-authenticate')).not.toContain('offline_access')
})

test('a token works in no lead URL, and the key of a secret URL not as Bearer', async () => {
  const { by, browser } = await someone()
  const more = { resource: resourceOf('api') }
  const { access } = await (await Program.registered()).connect(browser, by, ['write:leads'], more)
  const { secret } = await execute(
    createKey,
    { actor: by, now: now() },
    { name: 'CallRail', preset: 'lead-url', leadSource: 'zapier' },
  )
  const lead = async (end: string, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ name: 'Ana Lopez', email: 'ana@example.com' })
    const path = `/api/webhooks/leads/zapier${end}`
    return (await call(path, { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body })).status
  }
  // Whether or not this process knows them already.
  for (const _ of ['unknown', 'known']) {
    expect(await lead(`.${access}`)).toBe(401)
    expect([(await mcp(secret, initialize)).status, (await rpc(secret)).status]).toEqual([401, 401])
    expect([await lead('', bearer(access)), await lead(`.${secret}`)]).toEqual([200, 200])
  }
})

test('a key and a token together are refused as a mistake; a key as Bearer stays a key', async () => {
  const { tenant, by, browser } = await someone()
  const { text } = await tenant.key()
  const { access } = await (await Program.registered()).connect(browser, by)
  expect((await rpc(access, 'list_customers', {}, { 'x-api-key': text })).status).toBe(400)
  expect((await rpc(text)).status).toBe(200)
})

test('a code works once: its second use ends the connection and all of its tokens', async () => {
  const { tenant, by, browser } = await someone()
  const program = await Program.registered()
  const { code, access, refresh: token } = await program.connect(browser, by)
  expect((await program.redeem(code)).body.error).toBe('invalid_grant')
  expect((await rpc(access)).status).toBe(401)
  expect((await program.refresh(token)).body.error).toBe('invalid_grant')
  expect((await eventsOf(tenant.contractor.id)).map(({ event }) => event)).toEqual([
    'connection_made',
    'connection_ended',
  ])
})

test('a refresh token works once: its second use ends its connection, and no other of the same program', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const one = await program.connect(browser, by)
  const other = await program.connect(browser, by)
  const { body } = await program.refresh(one.refresh)
  expect((await program.refresh(one.refresh)).body.error).toBe('invalid_grant')
  expect((await program.refresh(body.refresh_token)).body.error).toBe('invalid_grant')
  expect((await rpc(body.access_token)).status).toBe(401)
  expect((await rpc(other.access)).status).toBe(200)
  expect((await program.refresh(other.refresh)).status).toBe(200)
})

test('a code needs its verifier, its client and its redirect; PKCE with S256 is needed to get one', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const ask = async () => (await program.ask(browser)).search.slice(1)
  const codeOf = async () =>
    new URL(await allow(browser.visitor, by, await ask(), ['read:customers'])).searchParams.get('code') ?? ''
  const wrong = [
    { code_verifier: 'x'.repeat(43) },
    { redirect_uri: 'http://127.0.0.1:33418/other' },
    { client_id: (await Program.registered()).clientId },
  ]
  for (const more of wrong) expect((await program.redeem(await codeOf(), more)).status).toBeGreaterThanOrEqual(400)
  const plain = await program.ask(browser, { code_challenge_method: 'plain' })
  expect(plain.searchParams.get('error')).toBe('invalid_request')
  const without = await program.ask(browser, { code_challenge: undefined, code_challenge_method: undefined })
  expect(without.searchParams.get('error')).toBe('invalid_request')
})

test('a redirect that is not registered, and an unknown client, end on our own page and never at the address given', async () => {
  const { browser } = await someone()
  const program = await Program.registered()
  const redirects = [
    'https://evil.example.com/',
    `${REDIRECT}/../x`,
    'http://127.0.0.1.evil.example.com:33418/callback',
    'http://user@127.0.0.1:33418/callback',
    'http://127.0.0.1:33418/callback#x',
    'javascript:alert(1)//',
  ]
  for (const redirect_uri of redirects) {
    const { origin, pathname, searchParams } = await program.ask(browser, { redirect_uri })
    expect([origin, pathname, searchParams.has('error')], redirect_uri).toEqual([
      'http://localhost:3000',
      '/connect',
      true,
    ])
  }
  const unknown = await program.ask(browser, { client_id: 'nobody' })
  expect([unknown.pathname, unknown.searchParams.get('error')]).toEqual(['/connect', 'invalid_client'])
  const { status, body } = await post('token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'nobody' })
  expect([status, body.error]).toEqual([401, 'invalid_client'])
  // A program on the person's own machine may listen on any port (RFC 8252, 7.3).
  const port = await program.ask(browser, { redirect_uri: 'http://127.0.0.1:50999/callback' })
  expect(port.searchParams.has('error')).toBe(false)
})

test('what a viewer may not do they cannot grant; of a person of two contractors only the chosen one is connected', async () => {
  const { tenant, by, browser } = await someone('viewer')
  const { tenant: second } = await someone()
  await putMember(db.orm, { contractorId: second.contractor.id, personId: by.personId, role: 'admin' })
  await second.load(sampleBooks(2))
  const program = await Program.registered()
  const scope = 'read:customers write:notes offline_access'
  const query = async () => (await program.ask(browser, { scope })).search.slice(1)
  const wanted: Scope[] = ['read:customers', 'write:notes']
  await expect(allow(browser.visitor, by, await query(), wanted)).rejects.toThrow('Only administrators')
  await expect(allow(browser.visitor, by, await query(), [])).rejects.toThrow('Tick')
  await expect(allow(browser.visitor, by, await query(), ['read:invoices'])).rejects.toThrow('did not ask')
  const asAdmin = personActor({ id: by.personId, email: by.email }, second.contractor.id)
  const { access } = await program.connect(browser, asAdmin, wanted)
  expect((await rpc(access)).body.result.structuredContent.count).toBe(2)
  const first = await program.connect(browser, by)
  expect((await rpc(first.access)).body.result.structuredContent.count).toBe(0)
  expect(await connectionsOf(by)).toHaveLength(1)
  expect(await connectionsOf({ ...by, contractorId: second.contractor.id })).toHaveLength(1)
  expect(tenant.contractor.id).not.toBe(second.contractor.id)
})

test('a scope that was not granted is asked for by a challenge that names all; one that the role lacks is a plain refusal', async () => {
  const { admin, by, browser, tenant } = await someone('developer')
  const program = await Program.registered()
  const { access } = await program.connect(browser, by)
  const missing = await rpc(access, 'list_invoices')
  expect(missing.status).toBe(403)
  expect(missing.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  expect(missing.headers.get('www-authenticate')).toMatch(/scope="read:customers read:\w+(:? .*)?"/)
  const opened = await mcp(access, initialize)
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const inSession = await mcp(access, message('tools/call', { name: 'list_invoices', arguments: {} }), session)
  expect([inSession.status, inSession.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('insufficient_scope'),
  ])
  const beyond = await rpc(access, 'add_project_note', NOTE)
  expect(beyond.status).toBe(403)
  expect(beyond.headers.get('www-authenticate')).toBeNull()
  const ofApi = await program.connect(browser, by, ['read:customers'], { resource: resourceOf('api') })
  const rest = await call('/api/v1/invoices', { headers: bearer(ofApi.access) })
  expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('insufficient_scope'),
  ])
  // A lower role takes effect on tokens that are out already.
  const { browser: adminBrowser } = await enter(admin)
  const full = await program.connect(adminBrowser, admin, ['read:customers', 'write:notes'])
  const other = await makeMember(db, tenant.contractor.id)
  await execute(changeRole, { actor: other, now: now() }, { personId: admin.personId, role: 'viewer' })
  const lowered = await rpc(full.access, 'add_project_note', NOTE)
  expect([lowered.status, lowered.headers.get('www-authenticate')]).toEqual([403, null])
  expect((await rpc(full.access)).status).toBe(200)
})

test('a connection ends with the membership, by an administrator, by its person and by its program', async () => {
  const { admin, by, browser, tenant } = await someone('viewer')
  const program = await Program.registered()
  const connect = () => program.connect(browser, by)
  const idOf = async () => (await connectionsOf(by))[0]?.id ?? ''
  const ends: [string, (tokens: Awaited<ReturnType<typeof connect>>) => Promise<unknown>][] = [
    ['its person', async () => execute(endConnection, { actor: by, now: now() }, { id: await idOf() })],
    ['an administrator', async () => execute(endConnection, { actor: admin, now: now() }, { id: await idOf() })],
    ['all of a person', () => execute(endConnectionsOf, { actor: admin, now: now() }, { personId: by.personId })],
    ['its refresh token', ({ refresh: token }) => post('revoke', { token, client_id: program.clientId })],
    ['its access token', ({ access: token }) => post('revoke', { token, client_id: program.clientId })],
    ['the team', () => execute(removeMember, { actor: admin, now: now() }, { personId: by.personId })],
  ]
  for (const [what, end] of ends) {
    const tokens = await connect()
    const opened = await mcp(tokens.access, initialize)
    expect((await rpc(tokens.access)).status, what).toBe(200)
    await end(tokens)
    expect((await rpc(tokens.access)).status, what).toBe(401)
    expect((await program.refresh(tokens.refresh)).body.error, what).toBe('invalid_grant')
    const [session] = await rows<{ ended: boolean }>(
      db.orm,
      sql`select ended_at is not null as ended from mcp_sessions where id = ${opened.headers.get('mcp-session-id')}`,
    )
    expect(session?.ended, what).toBe(true)
  }
  const stranger = await someone()
  const mine = await (await Program.registered()).connect(stranger.browser, stranger.by)
  const [own] = await connectionsOf(stranger.by)
  for (const actor of [admin, by])
    await expect(execute(endConnection, { actor, now: now() }, { id: own?.id ?? '' })).rejects.toMatchObject({
      status: 404,
    })
  expect((await post('revoke', { token: mine.refresh, client_id: program.clientId })).status).toBe(200)
  expect((await rpc(mine.access)).status).toBe(200)
  expect((await eventsOf(tenant.contractor.id)).filter(({ event }) => event === 'connection_ended')).toHaveLength(6)
})

test('a contractor’s list of destinations holds for new connections and for those there are', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const { access } = await program.connect(browser, by)
  const limit = (destinations: string[] | null) =>
    execute(limitConnections, { actor: by, now: now() }, { destinations })
  await limit(['claude.ai'])
  expect((await rpc(access)).status).toBe(401)
  const query = (await program.ask(browser)).search.slice(1)
  await expect(allow(browser.visitor, by, query, ['read:customers'])).rejects.toThrow(
    'do not allow programs at this computer',
  )
  await limit(['this computer'])
  expect((await rpc(access)).status).toBe(200)
  await limit(null)
  expect((await program.connect(browser, by)).access).toBeTruthy()
})

test('a consent needs the query as it was signed, a session, and its own person', async () => {
  const { by, browser } = await someone()
  const other = await someone()
  const program = await Program.registered()
  const query = (await program.ask(browser)).search.slice(1)
  const changed = new URLSearchParams(query)
  changed.set('redirect_uri', 'https://evil.example.com/')
  const wider = new URLSearchParams(query)
  wider.set('scope', 'read:customers write:leads')
  const unsigned = new URLSearchParams(query)
  unsigned.delete('sig')
  for (const forged of [changed, wider, unsigned, new URLSearchParams()])
    await expect(allow(browser.visitor, by, forged.toString(), ['read:customers'])).rejects.toThrow('no longer valid')
  await expect(allow(new Browser().visitor, by, query, ['read:customers'])).rejects.toThrow('no longer valid')
  expect(await rows(db.orm, sql`select 1 from oauth_grants where person_id = ${by.personId}`)).toEqual([])
  // A session of somebody else's connects nothing for this person.
  await expect(allow(other.browser.visitor, by, query, ['read:customers'])).rejects.toThrow('no longer valid')
  expect(new URL(await refuse(browser.visitor, query)).searchParams.get('error')).toBe('access_denied')
})

test('every request shows the consent page, also of a program that is connected; without a page it is refused', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  await program.connect(browser, by)
  expect((await program.ask(browser)).pathname).toBe('/connect')
  expect((await program.ask(undefined)).pathname).toBe('/connect')
  expect((await program.ask(browser, { prompt: 'none' })).searchParams.get('error')).toMatch(/required/)
})

test('signing keys rotate: tokens of the last key work beside those of the new one', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const { access, refresh: token } = await program.connect(browser, by)
  await rows(db.orm, sql`update oauth_keys set expires_at = now() - interval '1 second'`)
  const next = await program.refresh(token)
  const kidOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString()).kid
  expect(kidOf(next.body.access_token)).not.toBe(kidOf(access))
  forgetSigningKeys()
  forgetKeys()
  for (const each of [access, next.body.access_token]) expect((await rpc(each)).status).toBe(200)
  const { body } = await call('/oauth2/jwks')
  const kids = body.keys.map(({ kid }: { kid: string }) => kid)
  expect(kids).toEqual(expect.arrayContaining([kidOf(access), kidOf(next.body.access_token)]))
  expect(JSON.stringify(body)).not.toContain('"d"')
})

test('registrations of clients of today are taken, others refused; a flood from one address is limited', async () => {
  const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const taken = [
    { redirect_uris: [REDIRECT] },
    { redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'], application_type: 'web' },
    { redirect_uris: [cursor], application_type: 'web', scope: 'mcp:everything' },
    { redirect_uris: ['https://global.consent.azure-apim.net/redirect/x'] },
  ]
  for (const wanted of taken) {
    const { status, body } = await register(wanted)
    expect([status, body.redirect_uris]).toEqual([201, wanted.redirect_uris])
  }
  const refused = [
    'http://example.com/callback',
    'javascript:alert(1)',
    'cursor://other/callback',
    'https://localhost/x',
    'data:text/html,x',
  ]
  for (const uri of refused) expect((await register({ redirect_uris: [uri] })).status, uri).toBe(400)
  const address = '10.200.0.1'
  const statuses = []
  for (let i = 0; i < 62; i++)
    statuses.push((await call('/oauth2/register', { method: 'POST', headers: JSON_TYPE, body: '{}', address })).status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  const { browser } = await someone()
  expect((await (await Program.registered({ redirect_uris: [cursor] })).ask(browser)).searchParams.has('error')).toBe(
    false,
  )
})

test('the metadata says what holds: issuer, S256, iss, metadata documents, and only addresses that are there', async () => {
  const { body } = await call('/oauth2/metadata')
  expect(body).toMatchObject({
    issuer: 'http://localhost:3000',
    authorization_endpoint: 'http://localhost:3000/oauth2/authorize',
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
  })
  const addresses = Object.entries(body).filter(([name]) => /_endpoint$|_uri$/.test(name))
  expect(addresses).toHaveLength(5)
  for (const [, address] of addresses) expect((await call(String(address), { method: 'OPTIONS' })).status).toBe(204)
  const resource = await call('/oauth2/resource/mcp')
  expect(resource.body).toMatchObject({
    resource: resourceOf('mcp'),
    authorization_servers: ['http://localhost:3000'],
    bearer_methods_supported: ['header'],
  })
  expect(resource.text).not.toContain('offline_access')
  expect((await call('/oauth2/resource/api')).body.resource).toBe(resourceOf('api'))
})
