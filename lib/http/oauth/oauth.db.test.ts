import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod'
import { type Database, rows } from '@/db/client'
import { forgetKeys } from '@/lib/auth/key-cache'
import { allow } from '@/lib/auth/oauth/consent'
import { buildOAuthServer } from '@/lib/auth/oauth/library'
import { resourceOf } from '@/lib/auth/oauth/places'
import { forgetSigningKeys } from '@/lib/auth/oauth/verify'
import { signOut } from '@/lib/auth/people/sign-in'
import { ProofNeeded } from '@/lib/auth/require'
import { READS, type Scope, WRITES } from '@/lib/auth/scopes'
import { env } from '@/lib/core/env'
import type { Role } from '@/lib/core/roles'
import { endConnection, endConnectionsOf } from '@/lib/operations/connections/end-connections'
import { limitConnections } from '@/lib/operations/connections/limit-connections'
import { execute } from '@/lib/operations/execute'
import { removeMember } from '@/lib/operations/team/remove-member'
import {
  bearer,
  connectionsOf,
  eventsOf,
  initialize,
  LEAD,
  someone as made,
  mcp,
  message,
  Program,
  post,
  REDIRECT,
  register,
  rpc,
  stateless,
} from '@/lib/testing/oauth'
import { deliverMails, openPeopleDatabase, useMailServer } from '@/lib/testing/people'
import { call, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const someone = (role?: Role) => made(db, role)
const now = () => new Date()

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
  const modern = stateless('tools/list')
  expect((await mcp(access, modern.body, modern.headers)).status).toBe(200)
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
  expect(await eventsOf(db, tenant.contractor.id)).toEqual([
    { event: 'connection_made', subject: 'Test Assistant (this computer)' },
  ])
})

test('a scope that was not granted is asked for by a challenge that names all; one that the role lacks is a plain refusal', async () => {
  const { by, browser } = await someone('developer')
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
  const beyond = await rpc(access, 'create_lead', LEAD)
  expect(beyond.status).toBe(403)
  expect(beyond.headers.get('www-authenticate')).toBeNull()
  const ofApi = await program.connect(browser, by, ['read:customers'], { resource: resourceOf('api') })
  const rest = await call('/api/v1/invoices', { headers: bearer(ofApi.access) })
  expect([rest.status, rest.headers.get('www-authenticate')]).toEqual([
    403,
    expect.stringContaining('insufficient_scope'),
  ])
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
  expect((await eventsOf(db, tenant.contractor.id)).filter(({ event }) => event === 'connection_ended')).toHaveLength(6)
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

test('registrations of clients of today are taken, others refused', async () => {
  const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const taken = [
    { redirect_uris: [REDIRECT] },
    { redirect_uris: ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/'], application_type: 'web' },
    { redirect_uris: [cursor], application_type: 'web', scope: 'mcp:everything' },
    { redirect_uris: ['vscode://vscode.github-authentication/did-authenticate'], application_type: 'web' },
    { redirect_uris: ['windsurf://codeium.windsurf/oauth/callback', REDIRECT] },
    { redirect_uris: ['zed://oauth/callback'] },
    { redirect_uris: ['cursor://other/callback'] },
    { redirect_uris: ['https://global.consent.azure-apim.net/redirect/x'] },
  ]
  for (const wanted of taken) {
    const { status, body } = await register(wanted)
    expect([status, body.redirect_uris]).toEqual([201, wanted.redirect_uris])
  }
  const refused = [
    'http://example.com/callback',
    'javascript:alert(1)',
    'cursor:callback',
    'cursor://other/callback#x',
    'cursor://user@other/callback',
    'cursorx://other/callback',
    'https://localhost/x',
    'data:text/html,x',
  ]
  for (const uri of refused) expect((await register({ redirect_uris: [uri] })).status, uri).toBe(400)
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

test('what writes is offered to be ticked though programs do not ask for it; nothing that was not asked for is read', async () => {
  const { by, browser, tenant } = await someone()
  await tenant.load(sampleBooks(1))
  const program = await Program.registered()
  const offered = async (scope?: string) =>
    (await program.ask(browser, { scope })).searchParams.get('scope')?.split(' ')
  expect(await offered('read:customers')).toEqual(['read:customers', ...WRITES, 'offline_access'])
  expect(await offered('openid profile')).toEqual([...READS, ...WRITES, 'offline_access'])
  expect(await offered()).toEqual([...READS, ...WRITES, 'offline_access'])
  const asked = await program.ask(browser, { scope: 'read:customers' })
  const back = new URL(await allow(browser.visitor, by, asked.search.slice(1), ['read:customers', 'write:notes']))
  const { body } = await program.redeem(back.searchParams.get('code') ?? '')
  expect(body.scope).toBe('read:customers write:notes offline_access')
  const { body: listed } = await mcp(body.access_token, stateless('tools/list').body, stateless('tools/list').headers)
  const names = listed.result.tools.map(({ name }: { name: string }) => name)
  expect(names).toContain('add_project_note')
  expect(names).not.toContain('create_lead')
})

test('a changed secret of sign-in makes a new signing key; tokens of before work until they end', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const { access, refresh: token } = await program.connect(browser, by)
  const settings = env()
  const other = buildOAuthServer(db, settings, 'another secret of the tests, long enough for it')
  const form = { grant_type: 'refresh_token', refresh_token: token, client_id: program.clientId }
  const response = await other.handler(
    new Request('http://localhost:3000/oauth2/token', { method: 'POST', body: new URLSearchParams(form) }),
  )
  expect(response.status).toBe(200)
  const { access_token: next } = z.object({ access_token: z.string() }).parse(await response.json())
  for (const each of [access, next]) expect((await rpc(each)).status).toBe(200)
})

test('a person who signs out stays connected; access tokens are asked for again without them', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const { access, refresh: token } = await program.connect(browser, by)
  browser.keep(await signOut(browser.visitor))
  expect((await rpc(access)).status).toBe(200)
  expect((await program.refresh(token)).status).toBe(200)
})

test('a client that registered for all there was to read is not held to it when more comes', async () => {
  const stored = async ({ clientId }: Program) =>
    (await rows(db.orm, sql`select to_json(scopes) as scopes from oauth_clients where client_id = ${clientId}`))[0]
  expect(await stored(await Program.registered({ scope: READS.join(' ') }))).toEqual({ scopes: null })
  expect(await stored(await Program.registered())).toEqual({ scopes: null })
  const narrow = await Program.registered({ scope: 'read:customers' })
  expect(await stored(narrow)).toEqual({ scopes: ['read:customers', ...WRITES, 'offline_access'] })
})

test('who has not proven lately that it is them connects nothing; once they have, the administrators are told', async () => {
  useMailServer()
  const { by, browser } = await someone()
  const program = await Program.registered()
  const query = async () => (await program.ask(browser)).search.slice(1)
  const late = { ...by, provenAt: null }
  await expect(allow(browser.visitor, late, await query(), ['read:customers'])).rejects.toBeInstanceOf(ProofNeeded)
  expect(await connectionsOf(by)).toEqual([])
  await deliverMails()
  await allow(browser.visitor, by, await query(), ['read:customers'])
  expect((await deliverMails()).find(({ to }) => to === by.email)?.text).toMatch(
    /connected Test Assistant \(this computer\), which may read:customers/,
  )
})
