import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { PRESETS } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from '../execute'
import { operations } from '../registry'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

/** Friday noon in New York; the Monday of that week is 2026-11-16. */
const now = new Date('2026-11-20T17:00:00Z')

const CUSTOMERS = 'Customer ID,Name\nC1,Dana\nC2,Eli\n'
const projects = (deck: string, kitchen: string) => `Project ID,Customer ID,Name,Status,Total Amount
P1,C1,Re-roof,in_progress,9000.00
P2,C2,Deck,${deck},2000.00
P3,C2,Kitchen,${kitchen},0.00
`
const estimates = (status: string) =>
  `Estimate Number,Customer ID,Project ID,Amount,Date,Status\nE-1,C2,P2,2000.00,2026-11-01,${status}\n`

/** Books of years that are loaded on that Friday, with what happened on either side of the week's edges. */
async function office() {
  const tenant = await makeTenant(db)
  const loaded = await tenant.load({
    'customers.csv': CUSTOMERS,
    'projects.csv': projects('estimate', 'lead'),
    'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date
issued,P1,4000.00,2026-11-16,2026-12-17
sunday,P1,100.00,2026-11-15,2026-11-18
turned,P1,900.00,2026-10-01,2026-11-15
earlier,P1,50.00,2026-10-01,2026-11-14
due-today,P1,70.00,2026-10-01,2026-11-20
ahead,P1,80.00,2026-11-21,2026-12-21
partly,P1,300.00,2026-10-01,2026-11-17
paid,P1,60.00,2026-10-01,2026-11-17
`,
    'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date,Currency
T1,P1,partly,120.00,2026-11-16,USD
T2,P1,paid,60.00,2026-11-20,USD
T3,P1,,1000.00,2026-11-15,USD
T4,P2,,80.00,2026-11-18,EUR
`,
    'estimates.csv': estimates('sent'),
  })
  expect(loaded.faults).toEqual([])
  const { id: contractorId } = tenant.contractor
  const found = await rows<{ id: string; reference: string }>(
    db.orm,
    sql`select id, source_reference as reference from projects where contractor_id = ${contractorId}`,
  )
  const idOf = (reference: string) => found.find((row) => row.reference === reference)?.id ?? ''
  // A minute before Monday in New York, and a minute after.
  for (const [reference, at] of [
    ['P3', '2026-11-16T04:59:00Z'],
    ['P2', '2026-11-16T05:01:00Z'],
  ])
    await rows(
      db.orm,
      sql`insert into leads (project_id, contractor_id, source, dedupe_key, source_category, first_name, last_name, received_at)
        values (${idOf(reference ?? '')}, ${contractorId}, 'inbound', ${idOf(reference ?? '')}, 'referral', 'Eliza', 'Stone', ${at}::timestamptz)`,
    )
  const actor = actorOf(tenant.contractor)
  const activity = async (input: Record<string, unknown> = {}, as = actor) =>
    (await answerOf(operations.getRecentActivity, { actor: as, now, input })).answer
  return { ...tenant, contractorId, actor, idOf, activity }
}

test('what changed since Monday is told by the days of the business, not by the day of the load', async () => {
  const { activity, idOf } = await office()
  const told = await activity({ since: '2026-11-16' })
  expect([told.since, told.to]).toEqual(['2026-11-16', '2026-11-20'])
  expect(told.leads).toMatchObject({
    count: 1,
    items: [
      { date: '2026-11-16', leadName: 'Eliza Stone', customerName: 'Eli', projectId: idOf('P2'), projectName: 'Deck' },
    ],
  })
  // 120.00 of Monday and 60.00 of today; the 80.00 are euros.
  expect(told.payments).toMatchObject({
    count: 3,
    total: [
      { currency: 'EUR', amount: 80 },
      { currency: 'USD', amount: 180 },
    ],
  })
  expect(told.payments?.items.map(({ date, customerName }) => [date, customerName])).toEqual([
    ['2026-11-20', 'Dana'],
    ['2026-11-18', 'Eli'],
    ['2026-11-16', 'Dana'],
  ])
  expect(told.invoices).toMatchObject({
    count: 1,
    total: [{ currency: 'USD', amount: 4000 }],
    items: [
      { number: 'issued', date: '2026-11-16', dueDate: '2026-12-17', customerName: 'Dana', projectName: 'Re-roof' },
    ],
  })
  // Due on Sunday, so late from Monday: 900.00; due on Wednesday: 100.00; 300.00 less 120.00 paid.
  expect(told.overdue).toMatchObject({ count: 3, total: [{ currency: 'USD', amount: 1180 }] })
  expect(told.overdue?.items.map(({ number, date, unpaid }) => [number, date, unpaid])).toEqual([
    ['sunday', '2026-11-19', 100],
    ['partly', '2026-11-18', 180],
    ['turned', '2026-11-16', 900],
  ])
  expect([told.statuses?.count, told.notes?.count]).toEqual([0, 0])
})

test('a status that a later file has is told with what it was, once, and not when it came back', async () => {
  const { activity, load, contractorId, contractor } = await office()
  for (const [deck, kitchen, estimate] of [
    ['estimate', 'estimate', 'sent'],
    ['scheduled', 'lead', 'accepted'],
    ['in_progress', 'lead', 'accepted'],
  ] as const)
    await load({
      'customers.csv': CUSTOMERS,
      'projects.csv': projects(deck, kitchen),
      'estimates.csv': estimates(estimate),
    })
  await db.orm.execute(
    sql`update status_changes set at = '2026-11-18T15:00:00Z'::timestamptz + id * interval '1 millisecond' where contractor_id = ${contractorId}`,
  )
  const { statuses } = await activity({ since: '2026-11-18', kinds: ['statuses'] })
  expect(statuses?.count).toBe(2)
  expect(statuses?.items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'project',
        name: 'Deck',
        from: 'estimate',
        to: 'in_progress',
        date: '2026-11-18',
      }),
      expect.objectContaining({ type: 'estimate', name: 'E-1', from: 'sent', to: 'accepted', customerName: 'Eli' }),
    ]),
  )
  expect((await activity({ since: '2026-11-19', kinds: ['statuses'] })).statuses?.count).toBe(0)
  const others = PRESETS.agent.scopes.filter((scope) => scope !== 'read:estimates')
  expect((await activity({ kinds: ['statuses'] }, actorOf(contractor, others))).statuses?.count).toBe(1)
})

test('notes that stand are told by the day they were written, and only the kinds that are asked for', async () => {
  const { activity, contractor, idOf } = await office()
  const actor = actorOf(contractor, [...PRESETS.agent.scopes, 'write:notes'])
  const projectId = idOf('P1')
  for (const [text, at] of [
    ['Called on Sunday.', '2026-11-16T04:00:00Z'],
    ['Called on Monday.', '2026-11-16T06:00:00Z'],
  ] as const)
    await execute(
      operations.addProjectNote,
      { actor, now: new Date(at) },
      { projectId, text, idempotencyKey: randomUUID() },
    )
  const told = await activity({ since: '2026-11-16', kinds: ['notes'] })
  expect(told.notes).toMatchObject({
    count: 1,
    items: [{ noteText: 'Called on Monday.', projectName: 'Re-roof', customerName: 'Dana' }],
  })
  expect(Object.keys(told).sort()).toEqual(['basis', 'notes', 'since', 'stored', 'to'])
})

test('what a load stored is apart from what happened', async () => {
  const { contractor } = await office()
  const { stored } = (
    await answerOf(operations.getRecentActivity, {
      actor: actorOf(contractor),
      now: new Date(),
      input: { kinds: ['leads'] },
    })
  ).answer
  expect(stored).toEqual([
    { resource: 'customers', created: 2, updated: 0, deleted: 0 },
    { resource: 'estimates', created: 1, updated: 0, deleted: 0 },
    { resource: 'invoices', created: 8, updated: expect.any(Number), deleted: 0 },
    { resource: 'payments', created: 4, updated: 0, deleted: 0 },
    { resource: 'projects', created: 3, updated: 0, deleted: 0 },
  ])
})

test('without a day the last week is told; a day ahead or too long ago is refused', async () => {
  const { activity } = await office()
  expect((await activity()).since).toBe('2026-11-13')
  await expect(activity({ since: '2026-11-21' })).rejects.toMatchObject({ code: 'bad_request' })
  await expect(activity({ since: '2026-08-21' })).rejects.toMatchObject({ code: 'bad_request' })
  expect((await activity({ since: '2026-08-22', kinds: ['invoices'] })).invoices?.count).toBe(7)
})
