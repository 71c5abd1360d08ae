import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { audit } from '@/lib/auth/audit'
import { createKey } from '@/lib/auth/manage-keys'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { listLeadDeliveries, replayLeadDelivery } from '../deliveries'
import { setLeadFollowUp } from '../entries/set-lead-follow-up'
import { execute } from '../execute'
import { getOverview } from './get-overview'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const ANA = { id: 'psn_test', email: 'ana@example.com' }

test('get_overview: nothing of a new contractor; then its first steps, leads of today with those refused, and what is overdue', async () => {
  const { contractor, operator, load } = await makeTenant(db)
  const actor = personActor(ANA, contractor.id)
  const look = async (now = new Date()) => execute(getOverview, { actor, now }, {})
  const nothing = { load: false, key: false, request: false, lead: false, tool: false }
  expect(await look()).toEqual({
    overdue: [],
    changedAt: null,
    loadedAt: null,
    leads: { deliveries: 0, leads: 0, refused: 0 },
    followUps: { total: 0, items: [] },
    alerts: [],
    stopped: [],
    begun: nothing,
  })

  await load({
    'customers.csv': 'Customer ID,Name\nc1,Dana Whitfield',
    'projects.csv': 'Project ID,Customer ID,Name\np1,c1,Roof',
    'invoices.csv': [
      'Invoice Number,Project ID,Amount,Invoice Date,Due Date',
      'I1,p1,100.50,2026-01-02,2026-02-01',
      'I2,p1,50,2026-01-02,2099-02-01',
    ].join('\n'),
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
  await send({ firstName: 'Ana', phone: '(615) 555-0142' })
  await send({ lastName: 'Lopez', phone: '(615) 555-0142' })
  const seen = await look()
  expect(seen).toMatchObject({
    overdue: [{ currency: 'USD', amount: 100.5, invoices: 1 }],
    changedAt: expect.any(String),
    leads: { deliveries: 3, leads: 1, refused: 2 },
    begun: { ...nothing, load: true, key: true, lead: true },
  })
  expect((await look(new Date(Date.now() + 2 * 86_400_000))).leads).toEqual({ deliveries: 0, leads: 0, refused: 0 })

  const { items } = await execute(listLeadDeliveries, { actor, now: new Date() }, { outcome: 'refused' })
  const [refused] = items
  if (!refused) throw new Error('two were refused')
  const body = JSON.stringify({ firstName: 'Ben', lastName: 'Stone', phone: '(615) 555-0143' })
  await execute(replayLeadDelivery, { actor, now: new Date() }, { id: refused.id, body })
  expect((await look()).leads).toEqual({ deliveries: 3, leads: 1, refused: 1 })
})

test('get_overview: follow-ups that are due today or were, of open leads; error spikes and loads with errors of a day', async () => {
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
  const due = async (at: Date) => (await execute(getOverview, { actor, now: at }, {})).followUps
  const roof = {
    projectId: ids[0]?.id,
    project: 'Roof',
    customer: 'Dana Whitfield',
    text: 'Call about 0',
    on: '2026-11-21',
  }
  expect(await due(now)).toEqual({ total: 1, items: [roof] })
  expect(await due(new Date('2026-11-22T16:00:00Z'))).toMatchObject({
    total: 2,
    items: [{ project: 'Deck' }, { project: 'Roof' }],
  })
  await db.orm.execute(sql`update projects set status = 'scheduled' where id = ${ids[0]?.id}`)
  expect(await due(new Date('2026-11-22T16:00:00Z'))).toMatchObject({ total: 1, items: [{ project: 'Deck' }] })

  const detail = { rows: 9, added: 7, updated: 0, refused: 2, isWhole: true }
  await audit(db.orm, operator, { event: 'data_loaded', subject: 'customers.csv', detail })
  const alertsAt = async (at: number) =>
    (await execute(getOverview, { actor, now: new Date(Date.now() + at) }, {})).alerts
  expect(await alertsAt(1000)).toEqual([{ title: '1 load with errors', path: '/audit?event=data_loaded' }])
  expect(await alertsAt(2 * 86_400_000)).toEqual([])
  const viewer = personActor(ANA, contractor.id, 'viewer')
  expect((await execute(getOverview, { actor: viewer, now }, {})).alerts).toBeNull()
})
