import { sql } from 'drizzle-orm'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { putMember } from '@/db/queries/members'
import { allow, refuse } from '@/lib/auth/oauth/consent'
import { resourceOf } from '@/lib/auth/oauth/places'
import { scopesOfRole } from '@/lib/auth/roles'
import type { Role } from '@/lib/core/roles'
import { execute } from '@/lib/operations/execute'
import { createKey } from '@/lib/operations/keys/create-key'
import { changeRole } from '@/lib/operations/team/change-role'
import { removeMember } from '@/lib/operations/team/remove-member'
import {
  bearer,
  connectionsOf,
  eventsOf,
  initialize,
  LEAD,
  someone as made,
  mcp,
  Program,
  post,
  REDIRECT,
  register,
  rpc,
} from '@/lib/testing/oauth'
import { Browser, makeMember, openPeopleDatabase, personActor } from '@/lib/testing/people'
import { call, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const someone = (role?: Role) => made(db, role)
const JSON_TYPE = { 'content-type': 'application/json' }
const now = () => new Date()
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

test('wrong audience: a token is good for the one resource it was issued for; its code was asked for with that resource', async () => {
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
  // Without a resource it is for the MCP server, and another spelling of it is no other one.
  const spellings = ['/mcp/', '/mcp/rpc', '', '/'].map((path) => `http://localhost:3000${path}`)
  for (const resource of [undefined, ...spellings, 'HTTP://LOCALHOST:3000/mcp'])
    expect((await program.ask(browser, { resource })).searchParams.get('resource'), resource).toBe(resourceOf('mcp'))
  const api = await program.ask(browser, { resource: 'http://localhost:3000/api/v1/' })
  expect(api.searchParams.get('resource')).toBe(resourceOf('api'))
  for (const resource of ['http://localhost:3000/mcpx', 'http://localhost:3001/mcp', 'http://localhost:3000/mcp?x=1'])
    expect((await program.ask(browser, { resource })).searchParams.get('error'), resource).toBe('invalid_target')
})

test('another issuer or key, changed tokens and no tokens at all are refused with a challenge', async () => {
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
  for (const garbage of ['eyJ', 'garbage', 'Bearer', 'null'])
    expect((await rpc(garbage)).headers.get('www-authenticate'), garbage).toContain('error="invalid_token"')
  const api = await call('/api/v1/customers', { headers: bearer('garbage') })
  expect([api.status, api.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('"invalid_token"')])
  // A key that is wrong is no token, and without a credential nothing was invalid (RFC 6750, 3.1).
  for (const sent of [bearer('plb_live_wrong'), {}]) {
    const { headers, text } = await call('/mcp/rpc', { method: 'POST', headers: { ...JSON_TYPE, ...sent }, body: '{}' })
    expect(headers.get('www-authenticate')).not.toContain('error=')
    expect(text).toContain('sign in by OAuth 2.1')
  }
  const { headers } = await rpc('eyJ')
  expect(headers.get('www-authenticate')).toContain(
    'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp", scope="read:',
  )
  expect(headers.get('www-authenticate')).not.toContain('offline_access')
})

test('replayed code: its second use ends the connection and all of its tokens', async () => {
  const { tenant, by, browser } = await someone()
  const program = await Program.registered()
  const { code, access, refresh: token } = await program.connect(browser, by)
  expect((await program.redeem(code)).body.error).toBe('invalid_grant')
  expect((await rpc(access)).status).toBe(401)
  expect((await program.refresh(token)).body.error).toBe('invalid_grant')
  expect((await eventsOf(db, tenant.contractor.id)).map(({ event }) => event)).toEqual([
    'connection_made',
    'connection_ended',
  ])
})

test('stolen code: it needs its verifier, its client and its redirect; PKCE with S256 is needed to get one', async () => {
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

test('replayed refresh: it ends its connection, the whole family, and no other of the same program', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const one = await program.connect(browser, by)
  const other = await program.connect(browser, by)
  const { body } = await program.refresh(one.refresh)
  await rows(db.orm, sql`update oauth_refresh_tokens set rotation_replay_expires_at = now() where revoked is not null`)
  expect((await program.refresh(one.refresh)).body.error).toBe('invalid_grant')
  expect((await program.refresh(body.refresh_token)).body.error).toBe('invalid_grant')
  expect((await rpc(body.access_token)).status).toBe(401)
  expect((await rpc(other.access)).status).toBe(200)
  expect((await program.refresh(other.refresh)).status).toBe(200)
})

test('a lost answer is no replay: a refresh token that comes again at once gets the same tokens, until what it became is used', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const { refresh: token } = await program.connect(browser, by)
  const answers = await Promise.all([1, 2, 3, 4].map(() => program.refresh(token)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
  const [{ body } = {}] = answers
  await new Promise((done) => setTimeout(done, 1_000))
  expect((await program.refresh(body.refresh_token)).status).toBe(200)
  expect((await program.refresh(token)).body.error).toBe('invalid_grant')
  expect((await rpc(body.access_token)).status).toBe(401)
})

test('a viewer asking for write:leads: the page does not offer it, and a form that holds it grants nothing', async () => {
  const { by, browser } = await someone('viewer')
  const program = await Program.registered()
  const query = async () => (await program.ask(browser, { scope: 'read:customers write:leads' })).search.slice(1)
  await expect(allow(browser.visitor, by, await query(), ['read:customers', 'write:leads'])).rejects.toThrow(
    'Only administrators',
  )
  await expect(allow(browser.visitor, by, await query(), [])).rejects.toThrow('Tick')
  await expect(allow(browser.visitor, by, await query(), ['read:invoices'])).rejects.toThrow('did not ask')
  // Nor does a form that makes them an administrator: the library and the token's use look at the role.
  const { access } = await program.connect(browser, { ...by, role: 'admin', scopes: scopesOfRole('admin') }, [
    'read:customers',
    'write:leads',
  ])
  const refused = await rpc(access, 'create_lead', LEAD)
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([403, null])
})

test('a person of two contractors: only the chosen one is connected, with the role there', async () => {
  const { tenant, by, browser } = await someone('viewer')
  const { tenant: second } = await someone()
  await putMember(db.orm, { contractorId: second.contractor.id, personId: by.personId, role: 'admin' })
  await second.load(sampleBooks(2))
  const program = await Program.registered()
  const asAdmin = personActor({ id: by.personId, email: by.email }, second.contractor.id)
  const { access } = await program.connect(browser, asAdmin, ['read:customers', 'write:notes'])
  expect((await rpc(access)).body.result.structuredContent.count).toBe(2)
  const first = await program.connect(browser, by)
  expect((await rpc(first.access)).body.result.structuredContent.count).toBe(0)
  for (const contractorId of [tenant.contractor.id, second.contractor.id])
    expect(await connectionsOf({ ...by, contractorId })).toHaveLength(1)
  const other = await rpc(first.access, 'list_customers', { contractorId: second.contractor.id })
  // No argument can name another.
  expect(JSON.stringify(other.body)).toContain('is not the contractor of this key')
})

test('downgraded role: a token that is out already may do no more than the role does now', async () => {
  const { admin, browser, tenant } = await someone()
  const { access } = await (await Program.registered()).connect(browser, admin, ['read:customers', 'write:leads'])
  expect((await rpc(access, 'create_lead', LEAD)).status).not.toBe(403)
  const other = await makeMember(db, tenant.contractor.id)
  await execute(changeRole, { actor: other, now: now() }, { personId: admin.personId, role: 'viewer' })
  const lowered = await rpc(access, 'create_lead', LEAD)
  expect([lowered.status, lowered.headers.get('www-authenticate')]).toEqual([403, null])
  expect((await rpc(access)).status).toBe(200)
})

test('removed member: their tokens, refresh tokens and codes end, also when they join again', async () => {
  const { admin, by, browser, tenant } = await someone('viewer')
  const program = await Program.registered()
  const tokens = await program.connect(browser, by)
  const asked = await program.ask(browser)
  const back = new URL(await allow(browser.visitor, by, asked.search.slice(1), ['read:customers']))
  await execute(removeMember, { actor: admin, now: now() }, { personId: by.personId })
  const refused = async () => {
    expect((await rpc(tokens.access)).status).toBe(401)
    expect((await program.refresh(tokens.refresh)).body.error).toBe('invalid_grant')
    expect((await program.redeem(back.searchParams.get('code') ?? '')).status).toBe(400)
  }
  await refused()
  await putMember(db.orm, { contractorId: tenant.contractor.id, personId: by.personId, role: 'viewer' })
  await refused()
})

test('forged consent: it needs the query as it was signed, a session, and its own person', async () => {
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

test('silent consent: every request shows the page, also of a program that is connected; without a page it is refused', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  await program.connect(browser, by)
  expect((await program.ask(browser)).pathname).toBe('/connect')
  expect((await program.ask(undefined)).pathname).toBe('/connect')
  expect((await program.ask(browser, { prompt: 'none' })).searchParams.get('error')).toMatch(/required/)
})

test('open redirect: an address that is not registered, and an unknown client, end on our own page and never there', async () => {
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

test('mixed key and token: refused as a mistake; a key as Bearer stays a key', async () => {
  const { tenant, by, browser } = await someone()
  const { text } = await tenant.key()
  const { access } = await (await Program.registered()).connect(browser, by)
  expect((await rpc(access, 'list_customers', {}, { 'x-api-key': text })).status).toBe(400)
  expect((await rpc(text)).status).toBe(200)
})

test('a credential in another’s place: a token works in no lead URL, and the key of a secret URL not as Bearer', async () => {
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

test('CSRF: a page of another site can start nothing, finish nothing, and reads no answer with a person’s cookies', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered()
  const { cookie } = browser.visitor
  const evil = { origin: 'https://evil.example.com', cookie }
  // To be sent to the consent page is all that a link does, and the page asks.
  const query = new URLSearchParams({ client_id: program.clientId, response_type: 'code' })
  const posted = await call('/oauth2/authorize', { method: 'POST', headers: { ...evil, ...FORM }, body: `${query}` })
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, OPTIONS'])
  for (const step of ['token', 'register', 'revoke'])
    expect((await call(`/oauth2/${step}`, { headers: evil })).status, step).toBe(405)
  // A form of another site cannot send what a registration must be, and cookies count for nothing where tokens are issued.
  expect((await call('/oauth2/register', { method: 'POST', headers: { ...evil, ...FORM }, body: 'a=b' })).status).toBe(
    415,
  )
  const { refresh: token, access } = await program.connect(browser, by)
  const nobody = { grant_type: 'refresh_token', client_id: program.clientId }
  expect((await post('token', nobody, evil)).status).toBe(400)
  expect((await call('/mcp', { method: 'POST', headers: { ...evil, ...JSON_TYPE }, body: initialize })).status).toBe(
    403,
  )
  expect((await mcp(access, initialize, { origin: 'https://evil.example.com' })).status).toBe(403)
  for (const step of ['token', 'register', 'revoke', 'jwks'])
    expect(
      (await call(`/oauth2/${step}`, { method: 'OPTIONS', headers: evil })).headers.get(
        'access-control-allow-credentials',
      ),
    ).toBeNull()
  expect((await call('/oauth2/authorize', { headers: evil })).headers.get('access-control-allow-origin')).toBeNull()
  expect((await program.refresh(token)).status).toBe(200)
})

test('registration flood: limited by address, small, and what nobody connected goes when there is too much of it', async () => {
  const address = '10.200.0.1'
  const statuses: number[] = []
  for (let i = 0; i < 62; i++)
    statuses.push((await call('/oauth2/register', { method: 'POST', headers: JSON_TYPE, body: '{}', address })).status)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  expect((await register({ client_name: 'x'.repeat(8_192) })).status).toBe(413)
  const { by, browser } = await someone()
  const connected = await Program.registered()
  await connected.connect(browser, by)
  await rows(
    db.orm,
    sql`insert into oauth_clients (id, client_id, redirect_uris, created_at)
    select 'flood' || i, 'flood' || i, '{}', now() - interval '61 minutes' - i * interval '1 second' from generate_series(1, 5100) i`,
  )
  const floods = async () =>
    (await rows<{ n: number }>(db.orm, sql`select count(*)::float8 as n from oauth_clients where id like 'flood%'`))[0]
      ?.n
  const fresh = await Program.registered()
  expect(await floods()).toBe(4_600)
  await Program.registered()
  expect(await floods()).toBe(4_600)
  for (const { clientId } of [connected, fresh])
    expect((await new Program(clientId).ask(browser)).searchParams.has('error')).toBe(false)
  await rows(db.orm, sql`delete from oauth_clients where id like 'flood%'`)
})

test('a flood of one address is limited at every step', async () => {
  for (const [i, step] of ['authorize', 'token', 'revoke'].entries()) {
    const asked = { address: `10.200.1.${i}`, method: step === 'authorize' ? 'GET' : 'POST', headers: FORM }
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await call(`/oauth2/${step}`, asked)).status)
    expect(
      statuses.filter((status) => status === 429),
      step,
    ).toHaveLength(1)
  }
})
