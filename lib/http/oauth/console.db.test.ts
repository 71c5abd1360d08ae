import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '@/db/client'
import { allow, readConsentRequest } from '@/lib/auth/oauth/consent'
import { consoleRedirect } from '@/lib/auth/oauth/places'
import { CONSOLE_CLIENT } from '@/lib/core/service'
import { limitConnections } from '@/lib/operations/connections/limit-connections'
import { execute } from '@/lib/operations/execute'
import { connectionsOf, eventsOf, someone as made, Program, rpc } from '@/lib/testing/oauth'
import { openPeopleDatabase } from '@/lib/testing/people'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

const someone = () => made(db)
const ofConsole = () => new Program(CONSOLE_CLIENT, consoleRedirect())

test('the console is a client of its own, verified by this host, and goes back to its page only', async () => {
  const { by, browser } = await someone()
  const program = ofConsole()
  const asked = await program.ask(browser)
  expect(await readConsentRequest(asked.search.slice(1))).toMatchObject({
    name: 'Plumbline console',
    host: 'localhost:3000',
  })
  const { access } = await program.connect(browser, by)
  expect((await rpc(access)).status).toBe(200)
  expect(await connectionsOf(by)).toMatchObject([{ client: 'Plumbline console', isVerified: true }])
  const elsewhere = await new Program(CONSOLE_CLIENT, 'https://evil.example.com/mcp/console').ask(browser)
  expect([elsewhere.pathname, elsewhere.searchParams.get('error')]).toEqual(['/connect', 'invalid_redirect'])
})

test('a list of what may be connected names third parties: the console works whatever is on it', async () => {
  const { by, browser } = await someone()
  await execute(limitConnections, { actor: by, now: new Date() }, { destinations: ['claude.ai'] })
  const { access } = await ofConsole().connect(browser, by)
  expect((await rpc(access)).status).toBe(200)
  expect(await connectionsOf(by)).toMatchObject([{ isBlocked: false, endedAt: null }])
})

test('the console signed in again takes the place of its connection before: one row, and tokens of before end; another program keeps both', async () => {
  const { by, browser, tenant } = await someone()
  const program = await Program.registered()
  const laptop = await program.connect(browser, by)
  const desktop = await program.connect(browser, by)
  const first = await ofConsole().connect(browser, by)
  // Consent alone ends nothing: the person may turn back.
  await allow(browser.visitor, by, (await ofConsole().ask(browser)).search.slice(1), ['read:customers'])
  expect((await rpc(first.access)).status).toBe(200)
  const second = await ofConsole().connect(browser, by)
  expect((await rpc(first.access)).status).toBe(401)
  expect((await ofConsole().refresh(first.refresh)).body.error).toBe('invalid_grant')
  for (const { access } of [second, laptop, desktop]) expect((await rpc(access)).status).toBe(200)
  const shown = (await connectionsOf(by)).map(({ client, endedAt }) => [client, endedAt])
  expect(shown).toEqual([
    ['Plumbline console', null],
    ['Test Assistant', null],
    ['Test Assistant', null],
  ])
  expect((await eventsOf(db, tenant.contractor.id)).at(-1)).toMatchObject({ event: 'connection_ended' })
  // For another contractor it is a connection of its own.
  const other = await someone()
  await ofConsole().connect(other.browser, other.by)
  expect((await rpc(second.access)).status).toBe(200)
})
