import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/db/client'
import { allow, readConsentRequest } from '@/lib/auth/oauth/consent'
import { limitConnections } from '@/lib/operations/connections/limit-connections'
import { execute } from '@/lib/operations/execute'
import { someone as made, Program, post, register } from '@/lib/testing/oauth'
import { openPeopleDatabase } from '@/lib/testing/people'
import { call } from '@/lib/testing/tenant'

// What two readers of one request could take for two different things.
let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const someone = () => made(db)
const queryOf = async (program: Program, ...asked: Parameters<Program['ask']>) =>
  (await program.ask(...asked)).search.slice(1)

test('an app whose scheme is spelled like a host is not taken for the host, on the page and by the list', async () => {
  const { by, browser } = await someone()
  const app = await Program.registered({ redirect_uris: ['claude.ai:/callback'], application_type: 'native' })
  const query = await queryOf(app, browser)
  expect(await readConsentRequest(query)).toMatchObject({ destination: 'app claude.ai' })
  const limit = (destinations: string[]) => execute(limitConnections, { actor: by, now: new Date() }, { destinations })
  await limit(['claude.ai'])
  await expect(allow(browser.visitor, by, query, ['read:customers'])).rejects.toThrow(
    'do not allow programs at app claude.ai',
  )
  await limit(['app claude.ai'])
  expect(await allow(browser.visitor, by, query, ['read:customers'])).toMatch(/^claude\.ai:\/callback\?/)
  const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback'
  for (const [uri, destination] of [
    [cursor, 'cursor'],
    ['https://cursor/callback', 'https://cursor'],
    ['https://claude.ai.example.com/claude.ai', 'claude.ai.example.com'],
    ['http://localhost/claude.ai', 'this computer'],
  ] as const) {
    const program = await Program.registered({ redirect_uris: [uri] })
    expect((await readConsentRequest(await queryOf(program, browser))).destination, uri).toBe(destination)
  }
})

test('a signed query to which something was added is over', async () => {
  const { browser } = await someone()
  const query = await queryOf(await Program.registered(), browser, { state: undefined })
  for (const added of ['state=x', 'redirect_uri=https://claude.ai/', 'scope=write:leads', 'sig=x', 'ba_param=x'])
    await expect(readConsentRequest(`${query}&${added}`), added).rejects.toThrow('no longer valid')
})

test('a parameter that comes twice is refused at every step', async () => {
  const { browser, by } = await someone()
  const [mine, other] = [await Program.registered(), await Program.registered({ client_name: 'Another' })]
  const { pathname, search } = await mine.ask(browser)
  expect(pathname).toBe('/connect')
  const asked = new URLSearchParams(search)
  for (const name of ['sig', 'exp', 'ba_iat', 'ba_param', 'prompt']) asked.delete(name)
  asked.append('client_id', other.clientId)
  const answer = await call(`/oauth2/authorize?${asked}`, { headers: { cookie: browser.visitor.cookie } })
  expect([answer.status, answer.headers.get('location')]).toEqual([
    302,
    'http://localhost:3000/connect?error=invalid_request',
  ])
  const tokens = await mine.connect(browser, by)
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh, client_id: mine.clientId }
  for (const step of ['token', 'revoke']) {
    const { status, body } = await call(`/oauth2/${step}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${new URLSearchParams(form)}&client_id=${other.clientId}`,
    })
    expect([status, body.error], step).toEqual([400, 'invalid_request'])
  }
  expect((await mine.refresh(tokens.refresh)).status).toBe(200)
})

test('control characters are refused where they would be looked for, and what is shown of a name is one line', async () => {
  const { browser } = await someone()
  const odd = await Program.registered({ client_name: 'Odd\u202e\nname' })
  expect((await readConsentRequest(await queryOf(odd, browser))).name).toBe('Odd name')
  for (const contact of ['x\u0000', '\ud800'])
    expect((await register({ contacts: [contact] })).body.error).toBe('invalid_request')
  expect((await odd.ask(browser, { client_id: 'no\u0000body' })).searchParams.get('error')).toBe('invalid_request')
  expect((await odd.ask(browser, { state: 'x\u0000' })).searchParams.get('error')).toBe('invalid_request')
  for (const name of ['client_id', 'code', 'redirect_uri', 'resource']) {
    const { status, body } = await post('token', { grant_type: 'authorization_code', [name]: 'x\u0000' })
    expect([status, body.error], name).toEqual([400, 'invalid_request'])
  }
})

test('credentials in a header that nobody can read are an unknown client', async () => {
  for (const id of ['%ff', '%', 'nobody%zz', '\u0000', '']) {
    const authorization = `Basic ${Buffer.from(`${id}:secret`).toString('base64')}`
    const { status, body } = await post('token', { grant_type: 'refresh_token', refresh_token: 'x' }, { authorization })
    expect([status, body.error], id).toEqual([401, 'invalid_client'])
  }
})
