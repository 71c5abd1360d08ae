import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/db/client'
import { refuse } from '@/lib/auth/oauth/consent'
import { STEPS } from '@/lib/auth/oauth/places'
import { READS, WRITES } from '@/lib/auth/scopes'
import { endConnectionsOf } from '@/lib/operations/connections/end-connections'
import { limitConnections } from '@/lib/operations/connections/limit-connections'
import { execute } from '@/lib/operations/execute'
import { someone as made, Program, post, REDIRECT, register, rpc } from '@/lib/testing/oauth'
import { type Browser, openPeopleDatabase } from '@/lib/testing/people'
import { call } from '@/lib/testing/tenant'

// Anybody may register a client: nobody is sent to its address who has not approved it (RFC 9700, 4.11.2).
let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const someone = () => made(db)
const PHISHING = 'https://phishing.example.com/callback'

type Wrong = Record<string, string | undefined>
/** The faults that a request can have, each with the error that a connected program is told. */
const WRONG: [string, Wrong, string][] = [
  ['an implicit request', { response_type: 'token' }, 'unsupported_response_type'],
  ['one answered in the query', { response_type: 'token', response_mode: 'query' }, 'unsupported_response_type'],
  ['no response type', { response_type: undefined }, 'invalid_request'],
  ['no PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
  ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['another resource', { resource: 'https://example.com/mcp' }, 'invalid_target'],
  ['no page', { prompt: 'none' }, 'consent_required'],
  ['a request object', { request: 'eyJ' }, 'request_not_supported'],
  ['the address of one', { request_uri: 'urn:x' }, 'request_uri_not_supported'],
  ['claims', { claims: '{}' }, 'invalid_request'],
]

/** Returns what the browser is told, and whether that is at our own page. */
async function told(program: Program, browser: Browser | undefined, wrong: Wrong) {
  const to = await program.ask(browser, wrong)
  const isOurs = to.origin === 'http://localhost:3000' && to.pathname === '/connect'
  const said = to.hash === '' ? to.searchParams : new URLSearchParams(to.hash.slice(1))
  return { isOurs, at: to.origin + to.pathname, said }
}

test.each(WRONG)(
  '%j is said on our own page, and to the program only where its person connected it',
  async (_, wrong, error) => {
    const [one, other] = [await someone(), await someone()]
    const program = await Program.registered({ redirect_uris: [PHISHING] })
    for (const browser of [undefined, one.browser]) {
      const { isOurs, said } = await told(program, browser, wrong)
      expect([isOurs, said.has('error')]).toEqual([true, true])
    }
    await program.connect(one.browser, one.by)
    const { at, said } = await told(program, one.browser, wrong)
    expect([at, said.get('error'), said.get('state'), said.get('iss')]).toEqual([
      PHISHING,
      error,
      'the state',
      'http://localhost:3000',
    ])
    for (const browser of [undefined, other.browser]) expect((await told(program, browser, wrong)).isOurs).toBe(true)
    await execute(endConnectionsOf, { actor: one.by, now: new Date() }, { personId: one.by.personId })
    expect((await told(program, one.browser, wrong)).isOurs).toBe(true)
  },
)

test('what was approved is a destination: another one of the same program is not', async () => {
  const { by, browser } = await someone()
  const mixed = await Program.registered({ redirect_uris: ['https://good.example.com/callback', PHISHING] })
  await mixed.connect(browser, by)
  const elsewhere = new Program(mixed.clientId, PHISHING)
  expect((await told(mixed, browser, { prompt: 'none' })).isOurs).toBe(false)
  expect((await told(elsewhere, browser, { prompt: 'none' })).isOurs).toBe(true)
  await execute(limitConnections, { actor: by, now: new Date() }, { destinations: ['claude.ai'] })
  expect((await told(mixed, browser, { prompt: 'none' })).isOurs).toBe(true)
})

test('who saw the page and refused is sent back, and only to where the page said', async () => {
  const { browser } = await someone()
  const program = await Program.registered({ redirect_uris: [PHISHING] })
  const query = (await program.ask(browser)).search.slice(1)
  const back = new URL(await refuse(browser.visitor, query))
  const said = ['error', 'state', 'iss'].map((name) => back.searchParams.get(name))
  expect([back.origin + back.pathname, ...said]).toEqual([
    PHISHING,
    'access_denied',
    'the state',
    'http://localhost:3000',
  ])
})

test('no other step sends a browser anywhere', async () => {
  const { by, browser } = await someone()
  const program = await Program.registered({ redirect_uris: [PHISHING] })
  await program.connect(browser, by)
  const query = new URLSearchParams({ client_id: program.clientId, redirect_uri: PHISHING, response_type: 'token' })
  const headers = { cookie: browser.visitor.cookie }
  for (const step of STEPS.filter((each) => each !== 'authorize')) {
    const answers = [
      await call(`/oauth2/${step}?${query}`, { headers }),
      await post(step, Object.fromEntries(query), headers),
    ]
    for (const { headers: sent, text } of answers) {
      expect(sent.get('location'), step).toBeNull()
      expect(text, step).not.toContain('phishing')
    }
  }
})

test('a registration is granted what it asks for, and told so; a person may tick what writes all the same', async () => {
  const { browser } = await someone()
  const everything = [...READS, ...WRITES, 'offline_access']
  const offered = async (program: Program, scope?: string) =>
    (await program.ask(browser, { scope })).searchParams.get('scope')?.split(' ')
  const cases = [
    [undefined, [...READS, 'offline_access'], everything],
    ['mcp:everything', [...READS, 'offline_access'], everything],
    ['read:customers', ['read:customers'], ['read:customers', ...WRITES, 'offline_access']],
    ['write:leads offline_access', ['write:leads', 'offline_access'], [...WRITES, 'offline_access']],
    [`${READS.join(' ')} openid`, [...READS], everything],
  ] as const
  for (const [scope, granted, later] of cases) {
    const { body } = await register(scope === undefined ? {} : { scope })
    expect([scope, body.scope]).toEqual([scope, granted.join(' ')])
    expect(await offered(new Program(body.client_id))).toEqual(later)
  }
  const narrow = await Program.registered({ scope: 'read:customers' })
  expect(await offered(narrow, 'read:customers read:invoices')).not.toContain('read:invoices')
})

test('a registration names no address that is asked or posted to from here', async () => {
  const { status, body } = await register({
    backchannel_logout_uri: 'https://hook.example.com/logout',
    jwks_uri: 'https://hook.example.com/jwks',
    post_logout_redirect_uris: [PHISHING],
    skip_consent: true,
  })
  expect(status).toBe(201)
  for (const name of ['backchannel_logout_uri', 'jwks_uri', 'post_logout_redirect_uris', 'skip_consent'])
    expect(body).not.toHaveProperty(name)
})

test('a token that nobody has, of another program, or that ended already is revoked with 200, and ends nothing of others', async () => {
  const { by, browser } = await someone()
  const [mine, other] = [await Program.registered(), await Program.registered()]
  const [first, second] = [await mine.connect(browser, by), await mine.connect(browser, by)]
  const used = first.refresh
  const next = (await mine.refresh(first.refresh)).body
  const revoke = async (token: string, client: string, more = {}) => {
    const { status, text } = await post('revoke', { token, client_id: client, ...more })
    return [status, text]
  }
  const jwt = `eyJ${'a'.repeat(20)}.eyJ${'b'.repeat(40)}.${'c'.repeat(86)}`
  for (const token of ['nobody has this', jwt, used, next.refresh_token, next.access_token, second.refresh])
    for (const token_type_hint of ['refresh_token', 'access_token', 'other'])
      expect(await revoke(token, other.clientId, { token_type_hint }), token).toEqual([200, ''])
  for (const token of [next.access_token, second.access]) expect((await rpc(token)).status).toBe(200)
  // A used one ends its own connection, and no other of the same program.
  expect(await revoke(used, mine.clientId)).toEqual([200, ''])
  expect((await rpc(next.access_token)).status).toBe(401)
  expect((await rpc(second.access)).status).toBe(200)
  expect((await mine.refresh(second.refresh)).status).toBe(200)
  expect(await revoke(next.refresh_token, mine.clientId)).toEqual([200, ''])
  // Who the client is counts all the same, and so does what was sent.
  const unknown = await post('revoke', { token: second.access, client_id: 'nobody' })
  expect([unknown.status, unknown.body.error]).toEqual([401, 'invalid_client'])
  const without = await post('revoke', { client_id: mine.clientId })
  expect([without.status, without.body.error]).toEqual([400, 'invalid_request'])
  const secret = await register({ token_endpoint_auth_method: 'client_secret_post', redirect_uris: [REDIRECT] })
  const wrong = await post('revoke', { token: 'x', client_id: secret.body.client_id, client_secret: 'wrong' })
  expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_client'])
})
