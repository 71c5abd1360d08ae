import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows } from '@/db/client'
import { makeMember, openPeopleDatabase } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'
import { setLeadFollowUp } from '../entries/set-lead-follow-up'
import { execute } from '../execute'
import { getCashFlow } from '../reports/cash-flow'
import { getLeadPerformance } from '../reports/lead-performance'
import { getReceivablesAging } from '../reports/receivables-aging'
import { createWebhook } from '../webhooks/create-webhook'
import { countWaiting } from './count-waiting'
import { getBusinessOverview, monthTo, weekTo } from './get-business-overview'

let db: Database
beforeAll(async () => {
  db = await openPeopleDatabase()
})
afterAll(() => db.close())

/** A Friday; the first payment is of the last evening of October there. */
const NOW = new Date('2026-11-20T12:00:00Z')
const BOOKS = {
  'customers.csv': 'Customer ID,Name\nC1,Dana\n',
  'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof\n',
  'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date
I1,P1,100.00,2026-09-01,2026-10-01
I2,P1,500.00,2026-11-10,2026-12-10
`,
  'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date
T1,P1,I1,10.00,2026-11-01T03:00:00Z
T2,P1,I1,20.00,2026-11-05
T3,P1,I2,30.50,2026-11-20
T4,P1,I2,7.00,2026-11-21
`,
}

test('figures are those of the reports, beside the period before', async () => {
  const { contractor, load } = await makeTenant(db)
  await load(BOOKS)
  const actor = await makeMember(db, contractor.id, 'viewer')
  for (const [n, at] of ['2026-11-15T04:30:00Z', '2026-11-16T05:30:00Z', '2026-11-20T05:30:00Z'].entries())
    await rows(
      db.orm,
      sql`with made as (insert into projects (id, contractor_id, customer_id, name, status)
          select ${`prj_${contractor.id}${n}`}, contractor_id, customer_id, 'Lead', 'lead' from projects where contractor_id = ${contractor.id} limit 1 returning id)
        insert into leads (project_id, contractor_id, source, dedupe_key, source_category, first_name, last_name, received_at)
        select id, ${contractor.id}, 'web', id, 'website_form', 'Ana', 'Ruiz', ${at}::timestamptz from made`,
    )
  const ctx = { actor, now: NOW }
  const { open, overdue, paid, leads } = await execute(getBusinessOverview, ctx, {})
  const aging = (await execute(getReceivablesAging, ctx, {})).total
  const before = (await execute(getReceivablesAging, ctx, { asOf: '2026-10-21' })).total
  expect([open?.figure, open?.before]).toEqual([aging.unpaid, before.unpaid])
  expect([overdue?.figure, overdue?.before]).toEqual([aging.overdue, before.overdue])
  expect(open).toMatchObject({ figure: 539.5, before: 100, change: 439.5 })
  expect(open?.points.map(({ amount }) => amount)).toEqual(
    [...Array(10).fill(100), ...Array(5).fill(90), ...Array(5).fill(70), ...Array(10).fill(570), 539.5].slice(-30),
  )

  const flow = (from: string, to: string) => execute(getCashFlow, ctx, { from, to })
  expect(paid?.figure).toBe((await flow('2026-11-01', '2026-11-20')).total.received)
  expect(paid?.before).toBe((await flow('2026-10-01', '2026-10-20')).total.received)
  expect(paid).toMatchObject({
    figure: 50.5,
    before: 0,
    from: '2026-11-01',
    beforeFrom: '2026-10-01',
    beforeTo: '2026-10-20',
  })
  expect(paid?.points.filter(({ amount }) => amount > 0)).toEqual([
    { day: '2026-10-31', amount: 10 },
    { day: '2026-11-05', amount: 20 },
    { day: '2026-11-20', amount: 30.5 },
  ])

  const came = (from: string, to: string) => execute(getLeadPerformance, ctx, { from, to })
  expect(leads?.figure).toBe((await came('2026-11-16', '2026-11-20')).total.leads)
  expect(leads?.before).toBe((await came('2026-11-09', '2026-11-13')).total.leads)
  expect(leads).toMatchObject({ figure: 2, before: 0, from: '2026-11-16' })
})

test('periods are compared with as many days before', () => {
  expect(monthTo('2026-03-31')).toEqual({ from: '2026-03-01', beforeFrom: '2026-02-01', beforeTo: '2026-02-28' })
  expect(monthTo('2026-01-01')).toEqual({ from: '2026-01-01', beforeFrom: '2025-12-01', beforeTo: '2025-12-01' })
  expect(weekTo('2026-11-22')).toEqual({ from: '2026-11-16', beforeFrom: '2026-11-09', beforeTo: '2026-11-15' })
  expect(weekTo('2026-11-23')).toEqual({ from: '2026-11-23', beforeFrom: '2026-11-16', beforeTo: '2026-11-16' })
})

test('what waits for a person is told to those who can do something about it', async () => {
  const { contractor, key } = await makeTenant(db)
  const actor = await makeMember(db, contractor.id)
  const viewer = await makeMember(db, contractor.id, 'viewer')
  const now = new Date()
  const { text } = await key(['write:leads'])
  const send = async (body: object) =>
    (
      await call('/api/webhooks/leads/inbound', {
        key: text,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).body
  const { projectId } = await send({ firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142' })
  await send({ firstName: 'Bo', phone: '(615) 555-0143' })
  const [{ today } = { today: '' }] = await rows<{ today: string }>(
    db.orm,
    sql`select to_char(now() at time zone timezone, 'YYYY-MM-DD') as today from contractors where id = ${contractor.id}`,
  )
  await execute(
    setLeadFollowUp,
    { actor, now },
    { projectId, date: today, text: 'Call', idempotencyKey: 'follow-up-1' },
  )
  const hook = { url: 'https://hook.example.com/x', events: ['invoice.created'] }
  const { id } = await execute(createWebhook, { actor, now }, hook)
  await rows(db.orm, sql`update webhook_endpoints set failures = 3, failing_since = now() where id = ${id}`)
  await rows(
    db.orm,
    sql`update api_keys set expires_at = now() + interval '13 days' where contractor_id = ${contractor.id}`,
  )
  const { needsYou } = await execute(getBusinessOverview, { actor, now }, {})
  expect(needsYou.map(({ kind, count, items }) => [kind, count, items.length, items[0]?.title])).toEqual([
    ['refused_leads', 1, 1, 'Bo'],
    ['follow_ups', 1, 1, 'Ana Lopez: Call'],
    ['failing_webhooks', 1, 1, 'https://hook.example.com/x'],
    ['ending_keys', 1, 1, 'test'],
  ])
  expect(needsYou.find(({ kind }) => kind === 'failing_webhooks')?.items[0]?.path).toBe(`/outgoing/${id}`)
  expect(await execute(countWaiting, { actor, now }, {})).toEqual({
    refused_leads: 1,
    failing_webhooks: 1,
    held_loads: 0,
    ending_keys: 1,
  })
  expect(await execute(countWaiting, { actor: viewer, now }, {})).toMatchObject({ refused_leads: 0, ending_keys: 0 })
  const seen = await execute(getBusinessOverview, { actor: viewer, now }, {})
  expect(seen.needsYou.map(({ kind }) => kind)).toEqual(['follow_ups'])
})
