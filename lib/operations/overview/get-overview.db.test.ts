import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { audit } from '@/lib/auth/audit'
import { createKey } from '@/lib/auth/manage-keys'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { setLeadFollowUp } from '../entries/set-lead-follow-up'
import { execute } from '../execute'
import { getBusinessOverview } from './get-business-overview'
import { getOverview } from './get-overview'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const ANA = { id: 'psn_test', email: 'ana@example.com' }

test('get_overview: nothing of a new contractor; then its first steps', async () => {
  const { contractor, operator, load } = await makeTenant(db)
  const actor = personActor(ANA, contractor.id)
  const look = async (now = new Date()) => execute(getOverview, { actor, now }, {})
  const nothing = { load: false, key: false, request: false, lead: false, tool: false }
  expect(await look()).toEqual({
    changedAt: null,
    loadedAt: null,
    alerts: [],
    stopped: [],
    begun: nothing,
  })

  await load({
    'customers.csv': 'Customer ID,Name\nc1,Dana Whitfield',
    'projects.csv': 'Project ID,Customer ID,Name\np1,c1,Roof',
  })
  const { text } = await createKey(db.orm, contractor, { name: 'Website', scopes: ['write:leads'] }, operator)
  const send = (body: object) =>
    call('/api/webhooks/leads/inbound', {
      key: text,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send({ firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142' })
  expect(await look()).toMatchObject({
    changedAt: expect.any(String),
    begun: { ...nothing, load: true, key: true, lead: true },
  })
})

test('follow-ups that are due today or were, of open leads; error spikes and loads with errors of a day', async () => {
  const { contractor, operator, load } = await makeTenant(db)
  const actor = personActor(ANA, contractor.id)
  await load({
    'customers.csv': 'Customer ID,Name\nc1,Dana Whitfield',
    'projects.csv': ['p1,Roof,lead', 'p2,Deck,estimate', 'p3,Fence,lead'].reduce(
      (text, each) => `${text}\n${each.replace(',', ',c1,')}`,
      'Project ID,Customer ID,Name,Status',
    ),
  })
  const ids = await rows<{ id: string }>(
    db.orm,
    sql`select id from projects where contractor_id = ${contractor.id} order by source_reference`,
  )
  // Late evening of the day before in New York, which is the contractor's.
  const now = new Date('2026-11-22T03:30:00Z')
  const follow = (at: number, date: string) =>
    execute(
      setLeadFollowUp,
      { actor: operator, now },
      { projectId: ids[at]?.id ?? '', date, text: `Call about ${at}`, idempotencyKey: `follow-${at}-${date}` },
    )
  await follow(0, '2026-11-21')
  await follow(1, '2026-11-22')
  await follow(2, '2026-11-21')
  await follow(2, '2026-12-24')
  const due = async (at: Date) => {
    const { needsYou } = await execute(getBusinessOverview, { actor, now: at }, {})
    return needsYou.flatMap(({ kind, items }) => (kind === 'follow_ups' ? items.map(({ title }) => title) : []))
  }
  const [roof, deck] = ['Dana Whitfield: Call about 0', 'Dana Whitfield: Call about 1']
  expect(await due(now)).toEqual([roof])
  expect(await due(new Date('2026-11-22T16:00:00Z'))).toEqual([deck, roof])
  await db.orm.execute(sql`update projects set status = 'scheduled' where id = ${ids[0]?.id}`)
  expect(await due(new Date('2026-11-22T16:00:00Z'))).toEqual([deck])

  const detail = { rows: 9, added: 7, updated: 0, refused: 2, isWhole: true }
  await audit(db.orm, operator, { event: 'data_loaded', subject: 'customers.csv', detail })
  const alertsAt = async (at: number) =>
    (await execute(getOverview, { actor, now: new Date(Date.now() + at) }, {})).alerts
  expect(await alertsAt(1000)).toEqual([{ title: '1 load with errors', path: '/audit?event=data_loaded' }])
  expect(await alertsAt(2 * 86_400_000)).toEqual([])
  const viewer = personActor(ANA, contractor.id, 'viewer')
  expect((await execute(getOverview, { actor: viewer, now }, {})).alerts).toBeNull()
})
