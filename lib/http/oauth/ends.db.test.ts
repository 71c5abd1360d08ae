import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const STREAM = { accept: 'text/event-stream' }

/** Returns how many seconds pass until something is so. */
async function secondsUntil(isSo: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 100))
  return (performance.now() - began) / 1000
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
  const began = performance.now()
  const timed = async (work: Promise<{ status: number }>) => {
    const { status } = await work
    return { status, seconds: (performance.now() - began) / 1000 }
  }
  const listen = stateless('subscriptions/listen', {
    notifications: { resourceSubscriptions: ['plumbline://customers'] },
  })
  const open = Promise.all([
    timed(call('/mcp', { headers: { ...STREAM, ...bearer(access), ...session } })),
    timed(mcp(access, listen.body, { ...listen.headers })),
    timed(call(`/api/v1/changes?cursor=${body.cursor}&wait=20`, { headers: bearer(ofApi.access) })),
  ])
  await new Promise((done) => setTimeout(done, 300))
  return { by, contractorId: tenant.contractor.id, access, open, began }
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
    const began = performance.now()
    await rows(db.orm, end({ personId: by.personId, contractorId }))
    const [calls, [get, listen, wait]] = await Promise.all([
      secondsUntil(async () => (await rpc(access)).status === 401),
      open,
    ])
    expect(calls).toBeLessThan(5)
    expect((performance.now() - began) / 1000).toBeLessThan(5)
    expect([get, listen, wait].map((each) => each?.status)).toEqual([200, 200, 401])
  },
)

test('a role that is lowered elsewhere: within five seconds a token may do no more than it', async () => {
  const { by, browser } = await someone(db)
  const { access } = await (await Program.registered()).connect(browser, by, ['read:customers', 'write:leads'])
  expect((await rpc(access, 'create_lead', LEAD)).status).toBe(200)
  await rows(db.orm, sql`update members set role = 'viewer' where person_id = ${by.personId}`)
  const lowered = async () => (await rpc(access, 'create_lead', LEAD)).status === 403
  expect(await secondsUntil(lowered)).toBeLessThan(5)
  expect((await rpc(access)).status).toBe(200)
})

test('a key that is revoked elsewhere: what waits for changes with it ends within five seconds too', async () => {
  const { tenant } = await someone(db)
  const { text: key, id } = await tenant.key()
  const { body } = await call('/api/v1/changes', { key })
  const waiting = call(`/api/v1/changes?cursor=${body.cursor}&wait=20`, { key })
  const began = performance.now()
  await rows(db.orm, sql`update api_keys set revoked_at = now() where id = ${id}`)
  expect((await waiting).status).toBe(401)
  expect(performance.now() - began).toBeLessThan(5_000)
})
