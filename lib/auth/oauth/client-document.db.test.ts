import { createServer, type Server } from 'node:https'
import { sql } from 'drizzle-orm'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { env } from '@/lib/core/env'
import { listenOnFreePort } from '@/lib/core/listen'
import { publicLookup } from '@/lib/core/public-address'
import { publicGet } from '@/lib/core/public-get'
import { Program, post, rpc, someone } from '@/lib/testing/oauth'
import { openPeopleDatabase } from '@/lib/testing/people'
import { TEST_CERTIFICATE } from '@/lib/testing/private-keys'
import { fetchClientDocument } from './client-document'
import { allow, readConsentRequest } from './consent'
import { buildOAuthServer } from './library'
import { issuerOf, resourceOf } from './places'

let db: Database
let server: Server
let port = 0
/** Returns the host's answer to the next request. */
let answer: (id: string) => { status?: number; headers?: Record<string, string>; body?: string; hangs?: boolean }
let asked = 0

const documentOf = (id: string, more: object = {}) => ({
  body: JSON.stringify({
    client_id: id,
    client_name: 'Assistant',
    redirect_uris: ['https://hook.example.com/callback'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...more,
  }),
})

beforeAll(async () => {
  db = await openPeopleDatabase()
  server = createServer(TEST_CERTIFICATE, (request, response) => {
    asked++
    const said = answer(`https://hook.example.com:${port}${request.url}`)
    if (said.hangs) return void response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    response.writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers }).end(said.body ?? '')
  })
  port = await listenOnFreePort(server)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await db.close()
})

/** Resolves every name to this machine, as the internet would to another. */
const here = {
  ca: TEST_CERTIFICATE.cert,
  lookup: publicLookup(
    () => true,
    (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  ),
}
const get: typeof publicGet = (from, wanted) => publicGet(from, wanted, here)

let path = 0
/** Asks for authorization as a client with a metadata document; the error the browser is told, or undefined where it may go on. */
async function ask(how: typeof answer, id = `https://hook.example.com:${port}/client${++path}.json`) {
  answer = how
  const settings = env()
  const own = buildOAuthServer(db, settings, settings.authSecret ?? '', (input, init, lastSaid) =>
    fetchClientDocument(input, init, lastSaid, get),
  )
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: id,
    redirect_uri: 'https://hook.example.com/callback',
    scope: 'read:customers',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
    resource: resourceOf('mcp'),
  })
  const { status, headers } = await own.handler(new Request(`http://localhost:3000/oauth2/authorize?${query}`))
  const to = new URL(headers.get('location') ?? '/none', 'http://localhost:3000')
  return status === 302 && to.pathname === '/connect' && !to.searchParams.has('error')
    ? undefined
    : [status, to.pathname]
}

test('metadata document: a client is known by it, and it is read once', async () => {
  const before = asked
  expect(await ask(documentOf)).toBeUndefined()
  expect(asked - before).toBe(1)
})

test.each<[string, typeof answer]>([
  ['404', () => ({ status: 404 })],
  ['403', () => ({ status: 403 })],
  ['500', () => ({ status: 500 })],
  ['a redirect', () => ({ status: 302, headers: { location: 'https://hook.example.com/elsewhere.json' } })],
  ['20 MB', (id) => documentOf(id, { client_uri: 'x'.repeat(20_000_000) })],
  ['a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<h1>Hello</h1>' })],
  ['another client’s document', () => documentOf('https://hook.example.com/other.json')],
  ['a document with a secret', (id) => documentOf(id, { token_endpoint_auth_method: 'client_secret_basic' })],
  ['half of a document, and then nothing', () => ({ hangs: true })],
  [
    'a length that cannot be compared',
    (own: string) =>
      documentOf(own, { client_name: { length: { toString: '' } }, redirect_uris: { length: { toString: '' } } }),
  ],
])('metadata document: a host that answers with %s makes no client', async (_, how) => {
  const refused = await ask(how)
  expect(refused).toBeDefined()
  expect(Number(refused?.[0])).toBeLessThan(500)
})

test('metadata document: what its host said last stands while the host fails, and not once it says that the client is gone', async () => {
  const id = `https://hook.example.com:${port}/known.json`
  expect(await ask((own) => ({ ...documentOf(own), headers: { 'cache-control': 'no-store' } }), id)).toBeUndefined()
  for (const status of [500, 403, 429]) expect(await ask(() => ({ status }), id), String(status)).toBeUndefined()
  expect(await ask(() => ({ hangs: true }), id)).toBeUndefined()
  for (const status of [404, 410]) expect(await ask(() => ({ status }), id), String(status)).toBeDefined()
})

test('metadata document: a client that signs its requests is connected, refreshed and ends its connection; a statement works once', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }]
  const id = `https://hook.example.com:${port}/signed.json`
  const signs = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'ES256' }
  expect(await ask((own) => documentOf(own, { ...signs, jwks: { keys }, scope: 'openid profile' }), id)).toBeUndefined()
  const statement = async (key = privateKey) => ({
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'own' })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(issuerOf())
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key),
  })
  const { by, browser } = await someone(db)
  const program = new Program(id, 'https://hook.example.com/callback')
  const codeOf = async () => {
    const asked = await program.ask(browser, { scope: 'read:customers' })
    expect((await readConsentRequest(asked.search.slice(1))).host).toBe(`hook.example.com:${port}`)
    const back = await allow(browser.visitor, by, asked.search.slice(1), ['read:customers'])
    return new URL(back).searchParams.get('code') ?? ''
  }
  const stranger = await generateKeyPair('ES256')
  for (const wrong of [{}, await statement(stranger.privateKey)])
    expect((await program.redeem(await codeOf(), wrong)).body.error).toBe('invalid_client')
  const code = await codeOf()
  const first = await program.redeem(code, await statement())
  expect(first.status).toBe(200)
  const once = await statement()
  const next = await program.refresh(first.body.refresh_token, once)
  expect(next.status).toBe(200)
  expect((await program.refresh(next.body.refresh_token, once)).status).toBeGreaterThanOrEqual(400)
  // Without a client_id: the statement says who it is (RFC 7521, 4.2).
  const last = await post('token', {
    grant_type: 'refresh_token',
    refresh_token: next.body.refresh_token,
    ...(await statement()),
  })
  expect([last.status, (await rpc(last.body.access_token)).status]).toEqual([200, 200])
  expect((await post('revoke', { token: last.body.refresh_token, ...(await statement()) })).status).toBe(200)
  expect((await rpc(last.body.access_token)).status).toBe(401)
})

test('metadata document: what is wrong is said to its client only by a person who connected it; scopes that came since may be asked for', async () => {
  const id = `https://hook.example.com:${port}/known-to-some.json`
  expect(await ask(documentOf, id)).toBeUndefined()
  const { by, browser } = await someone(db)
  const program = new Program(id, 'https://hook.example.com/callback')
  const told = async (whose: typeof browser | undefined) => (await program.ask(whose, { prompt: 'none' })).host
  for (const whose of [undefined, browser]) expect(await told(whose)).toBe('localhost:3000')
  await rows(db.orm, sql`update oauth_clients set scopes = '{read:customers}' where client_id = ${id}`)
  const asked = await program.ask(browser, { scope: 'read:customers read:invoices' })
  await allow(browser.visitor, by, asked.search.slice(1), ['read:invoices'])
  expect(await told(browser)).toBe('hook.example.com')
  expect(await told(undefined)).toBe('localhost:3000')
  // A document that is nobody's ends on our page too.
  const unknown = await new Program('https://127.0.0.1/x', 'https://127.0.0.1/callback').ask(browser)
  expect([unknown.pathname, unknown.searchParams.get('error')]).toEqual(['/connect', 'invalid_client'])
})

test('metadata document: on a private address it is never read, and a name that leads to one is found out', async () => {
  const before = asked
  for (const id of [
    `https://127.0.0.1:${port}/x`,
    `https://localhost:${port}/x`,
    'https://169.254.169.254/latest',
    'https://[::1]/x',
    'http://hook.example.com/x',
  ])
    expect(await ask(documentOf, id), id).toBeDefined()
  // A name that resolves to this machine is found out on connecting.
  const lookup = publicLookup(undefined, (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]))
  const reading = publicGet(`https://hook.example.com:${port}/x`, { headers: {}, most: 100 }, { ca: here.ca, lookup })
  await expect(reading).rejects.toThrow('not an address on the public internet')
  expect(asked).toBe(before)
})

test('metadata document: a pinned one stands in where its host does not answer us, and never where it says that the client is gone', async () => {
  const claude = 'https://claude.ai/oauth/mcp-oauth-client-metadata'
  const answering =
    (status: number): typeof publicGet =>
    async () => ({ status, headers: {}, bytes: Buffer.alloc(0) })
  const failing: typeof publicGet = () => Promise.reject(new Error('no route'))
  for (const each of [failing, answering(403)])
    expect(await (await fetchClientDocument(claude, {}, undefined, each)).json()).toMatchObject({ client_id: claude })
  for (const status of [404, 410])
    expect((await fetchClientDocument(claude, {}, undefined, answering(status))).status).toBe(status)
  await expect(fetchClientDocument('https://example.com/x', {}, undefined, failing)).rejects.toThrow('no route')
})
