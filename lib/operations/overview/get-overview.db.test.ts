import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { createKey } from '@/lib/auth/manage-keys'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { listLeadDeliveries, replayLeadDelivery } from '../deliveries'
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
