import { type SQL, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows } from '@/db/client'
import { resourceOf } from '@/lib/auth/oauth/places'
import { bearer, initialize, LEAD, mcp, Program, rpc, someone, stateless } from '@/lib/testing/oauth'
import { openPeopleDatabase } from '@/lib/testing/people'
import { call, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())
afterEach(() => vi.restoreAllMocks())

const STREAM = { accept: 'text/event-stream' }

/** Lets 4.5 seconds pass at once: a session and a key are known for four, by a clock that is looked at every half second. */
function passSeconds(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 4_500)
}

/** A connection with a session's stream, one of the newer revision, and a request to the feed that waits, all under way. */
async function everythingOpen() {
  const { by, browser, tenant } = await someone(db)
  await tenant.load(sampleBooks(1))
  const program = await Program.registered()
  const { access } = await program.connect(browser, by)
  const ofApi = await program.connect(browser, by, ['read:customers'], { resource: resourceOf('api') })
  const opened = await mcp(access, initialize)
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
  const { body } = await call('/api/v1/changes', { headers: bearer(ofApi.access) })
  const statusOf = async (work: Promise<{ status: number }>) => (await work).status
  const listen = stateless('subscriptions/listen', {
    notifications: { resourceSubscriptions: ['plumbline://customers'] },
  })
  const open = Promise.all([
    statusOf(call('/mcp', { headers: { ...STREAM, ...bearer(access), ...session } })),
    statusOf(mcp(access, listen.body, { ...listen.headers })),
    statusOf(call(`/api/v1/changes?cursor=${body.cursor}&wait=20`, { headers: bearer(ofApi.access) })),
  ])
  await new Promise((done) => setTimeout(done, 300))
  return { by, contractorId: tenant.contractor.id, access, open }
}

// Another process does it: nothing here is told.
test.each<[string, (of: { personId: string; contractorId: string }) => SQL]>([
  [
    'a connection is ended',
    ({ personId }) => sql`update oauth_grants set ended_at = now() where person_id = ${personId}`,
  ],
  [
    'a person is removed',
    (of) => sql`delete from members where person_id = ${of.personId} and contractor_id = ${of.contractorId}`,
  ],
])(
  '%s elsewhere: within five seconds calls, streams of both revisions and what waits for changes end here',
  async (_, end) => {
    const { by, contractorId, access, open } = await everythingOpen()
    expect((await rpc(access)).status).toBe(200)
    await rows(db.orm, end({ personId: by.personId, contractorId }))
    // Streams would go on, and what waits would be answered with 200 at the end of its time.
    expect(await open).toEqual([200, 200, 401])
    passSeconds()
    await expect.poll(async () => (await rpc(access)).status).toBe(401)
  },
)

test('a role that is lowered elsewhere: within five seconds a token may do no more than it', async () => {
  const { by, browser } = await someone(db)
  const { access } = await (await Program.registered()).connect(browser, by, ['read:customers', 'write:leads'])
  expect((await rpc(access, 'create_lead', LEAD)).status).toBe(200)
  await rows(db.orm, sql`update members set role = 'viewer' where person_id = ${by.personId}`)
  passSeconds()
  await expect.poll(async () => (await rpc(access, 'create_lead', LEAD)).status).toBe(403)
  expect((await rpc(access)).status).toBe(200)
})

test('a key that is revoked elsewhere: what waits for changes with it ends too, before its time is over', async () => {
  const { tenant } = await someone(db)
  const { text: key, id } = await tenant.key()
  const { body } = await call('/api/v1/changes', { key })
  const waiting = call(`/api/v1/changes?cursor=${body.cursor}&wait=20`, { key })
  await rows(db.orm, sql`update api_keys set revoked_at = now() where id = ${id}`)
  expect((await waiting).status).toBe(401)
})
