import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type * as z from 'zod'
import { type Database, rows, shareDatabase } from '@/db/client'
import { SCOPES } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { getLeadPerformance } from './lead-performance'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const JSON_BODY = { 'content-type': 'application/json' }
const NOW = new Date('2026-11-20T12:00:00Z')

/** The leads of {@link books}: project, category, time of arrival. P8 and P10 arrived a millisecond too early and too late (New York). */
const LEADS = [
  ['P1', 'referral', '2026-01-10T10:00:00Z'],
  ['P2', 'referral', '2026-02-10T10:00:00Z'],
  ['P3', 'referral', '2026-03-10T10:00:00Z'],
  ['P4', 'search_ads', '2026-04-10T10:00:00Z'],
  ['P5', 'search_ads', '2026-04-11T10:00:00Z'],
  ['P6', 'search_ads', '2026-04-12T10:00:00Z'],
  ['P7', 'other', '2025-12-01T05:00:00Z'],
  ['P8', 'website_form', '2025-12-01T04:59:59.999Z'],
  ['P9', 'website_form', '2026-11-21T04:59:59.999Z'],
  ['P10', 'website_form', '2026-11-21T05:00:00Z'],
] as const

async function bareTenant() {
  const tenant = await makeTenant(db)
  const actor = actorOf(tenant.contractor)
  const report = (input: z.input<typeof getLeadPerformance.input> = {}) =>
    answerOf(getLeadPerformance, { actor, now: NOW, input })
  return { ...tenant, report }
}

/**
 * Leads with every outcome, at the edges of the days; payments, refunds, an adjustment and a second currency; P11 did not come in
 * as a lead.
 */
async function books(mark = '') {
  const tenant = await bareTenant()
  const { faults } = await tenant.load({
    'customers.csv': `Customer ID,Name\nC1,Dana${mark}\n`,
    'projects.csv': `Project ID,Customer ID,Name,Status
P1,C1,Roof${mark},completed
P2,C1,Roof${mark},in_progress
P3,C1,Roof${mark},lead
P4,C1,Roof${mark},scheduled
P5,C1,Roof${mark},estimate
P6,C1,Roof${mark},cancelled
P7,C1,Roof${mark},on_hold
P8,C1,Roof${mark},completed
P9,C1,Roof${mark},completed
P10,C1,Roof${mark},completed
P11,C1,Roof${mark},completed
`,
    'payments.csv': `Payment ID,Project ID,Amount,Currency,Date,Type
T1,P1,1000.10,,2026-02-01,payment
T2,P1,500.05,,2026-03-01,payment
R1,P1,100.05,,2026-03-02,refund
T3,P2,250.25,,2027-01-01,payment
A1,P2,999.00,,2026-03-02,adjustment
T4,P3,75.00,,2026-03-02,payment
R2,P4,20.20,,2026-05-01,refund
T5,P4,7.00,EUR,2026-05-01,payment
T6,P6,60.00,,2026-05-01,payment
T7,P7,0.01,,2026-05-01,payment
T8,P8,5000.00,,2026-05-01,payment
T9,P9,33.33,,2026-05-01,payment
T10,P10,44.00,,2026-05-01,payment
T11,P11,10000.00,,2026-05-01,payment
`,
  })
  expect(faults).toEqual([])
  for (const [reference, category, at] of LEADS)
    await rows(
      db.orm,
      sql`insert into leads (project_id, contractor_id, source, dedupe_key, source_category, first_name, last_name, received_at)
        select id, contractor_id, 'inbound', id, ${category}, ${`Dana${mark}`}, 'W', ${at}::timestamptz from projects
        where contractor_id = ${tenant.contractor.id} and source_reference = ${reference}`,
    )
  return tenant
}

type Results = z.output<typeof getLeadPerformance.output>['total']
const line = (r: Results & { category?: string }) =>
  [r.category ?? 'total', r.leads, r.won, r.open, r.lost, r.revenue, r.conversion ?? `${r.sample} ${r.decided}`].join(
    ' ',
  )

test('get_lead_performance: the last twelve months by source, those with the most revenue first', async () => {
  const { answer, text } = await (await books()).report()
  expect(answer).toMatchObject({ from: '2025-12-01', to: '2026-11-20', currency: 'USD', otherCurrencies: ['EUR'] })
  expect(answer.sources.map(line)).toEqual([
    'referral 3 2 1 0 1650.35 few 2', // 1000.10 + 500.05 - 100.05 + 250.25; the deposit on an open lead may still go back
    'search_ads 3 1 1 1 39.8 few 2', // 60.00 that the cancelled job left, less the refund of the other
    'website_form 1 1 0 0 33.33 few 1',
    'other 1 1 0 0 0.01 few 1',
  ])
  expect(answer.sources[1]).toMatchObject({ keptDeposits: 60, contacted: 0, hoursToContact: null })
  // 5 of 6 decided; of one won lead a source has no share, and not 100 %.
  expect(answer.total).toMatchObject({ decided: 6, sample: 'enough' })
  expect(line(answer.total)).toBe('total 8 5 2 1 1723.49 0.8333')
  expect(text).toContain('"revenue":39.80,"keptDeposits":60.00,"conversion":null,"sample":"few"')
  expect(text).toContain('"revenue":1723.49,"keptDeposits":60.00,"conversion":0.8333')
})

test('get_lead_performance: a lead counts on the day it came, both ends whole; its revenue whenever it came', async () => {
  const { report } = await books()
  const total = async (from: string, to: string) => line((await report({ from, to })).answer.total)
  expect(await total('2025-11-30', '2025-11-30')).toBe('total 1 1 0 0 5000 few 1')
  expect(await total('2025-11-30', '2025-12-01')).toBe('total 2 2 0 0 5000.01 few 2')
  expect(await total('2026-11-20', '2026-11-21')).toBe('total 2 2 0 0 77.33 few 2')
  expect(await total('2026-04-11', '2026-04-12')).toBe('total 2 0 1 1 60 few 1')
  expect(await total('2026-02-10', '2026-02-10')).toBe('total 1 1 0 0 250.25 few 1')
})

test('get_lead_performance: only the last day given, the twelve months to it are meant', async () => {
  const { report } = await books()
  expect((await report({ to: '2025-11-30' })).answer).toMatchObject({
    from: '2024-12-01',
    to: '2025-11-30',
    total: { leads: 1, revenue: 5000 },
  })
})

test('get_lead_performance: without leads there is no conversion, and sums are zero', async () => {
  const { answer, text } = await (await bareTenant()).report()
  expect(answer).toMatchObject({
    total: { leads: 0, won: 0, open: 0, lost: 0, revenue: 0, decided: 0, conversion: null, sample: 'none' },
    sources: [],
    otherCurrencies: [],
  })
  expect(text).toContain('"revenue":0.00,"keptDeposits":0.00,"conversion":null,"sample":"none"')
})

test('get_lead_performance: another currency is reported for itself, never mixed in', async () => {
  const { answer } = await (await books()).report({ currency: 'EUR' })
  expect(answer).toMatchObject({ currency: 'EUR', otherCurrencies: ['USD'] })
  expect(answer.sources.map(line)).toEqual([
    'search_ads 3 1 1 1 7 few 2',
    'referral 3 2 1 0 0 few 2',
    'other 1 1 0 0 0 few 1',
    'website_form 1 1 0 0 0 few 1',
  ])
  expect(line(answer.total)).toBe('total 8 5 2 1 7 0.8333')
})

test('get_lead_performance: what the webhook takes is counted under the category it found', async () => {
  const tenant = await bareTenant()
  const { text: key } = await tenant.key(['write:leads'])
  for (const [i, leadSource] of ['Google Ads', 'fb campaign', undefined].entries()) {
    const body = JSON.stringify({ firstName: 'Ana', lastName: 'Lopez', email: `ana${i}@example.com`, leadSource })
    expect((await call('/api/webhooks/leads/inbound', { method: 'POST', key, body, headers: JSON_BODY })).status).toBe(
      201,
    )
  }
  // They arrive now, whatever time the other tests use as now.
  const { answer } = await tenant.report({ from: '2026-01-01', to: '9999-12-31' })
  expect(answer.sources.map(line)).toEqual([
    'other 1 0 1 0 0 none 0',
    'search_ads 1 0 1 0 0 none 0',
    'social_ads 1 0 1 0 0 none 0',
  ])
})

test('get_lead_performance: by source as senders name them, with the hours to the first note', async () => {
  const tenant = await books()
  await rows(
    db.orm,
    sql`update leads set lead_source = 'Angi Leads' where contractor_id = ${tenant.contractor.id} and source_category = 'search_ads'`,
  )
  const contractorId = tenant.contractor.id
  for (const [reference, hours, undone] of [
    ['P4', 2, false],
    ['P5', 5, false],
    ['P5', 90, false],
    ['P6', 1, true],
  ] as const)
    await rows(
      db.orm,
      sql`insert into project_entries (id, contractor_id, project_id, kind, text, author, idempotency_key, author_kind, author_name, created_at, undone_at)
        select 'nte_' || gen_random_uuid(), ${contractorId}, l.project_id, 'note', 'Called back', 'a', gen_random_uuid()::text, 'operator', 'Office',
          l.received_at + ${hours}::int * interval '1 hour', case when ${undone} then now() end
        from leads l join projects p on p.id = l.project_id
        where l.contractor_id = ${contractorId} and p.source_reference = ${reference}`,
    )
  const { answer } = await tenant.report({ by: 'source' })
  expect(answer.sources.find(({ source }) => source === 'Angi Leads')).toMatchObject({
    category: 'search_ads',
    leads: 3,
    contacted: 2,
    hoursToContact: 3.5,
  })
  expect(answer.sources.filter(({ source }) => source === 'inbound').map(({ category }) => category)).toEqual([
    'referral',
    'website_form',
    'other',
  ])
  expect(answer.total).toMatchObject({ contacted: 2, hoursToContact: 3.5 })
})

test('get_lead_performance: another contractor’s leads and payments are never counted', async () => {
  const a = await books()
  const { answer } = await a.report()
  const b = await books('do-not-leak')
  const beside = await a.report()
  expect(beside.answer).toEqual(answer)
  expect(beside.text).not.toContain('do-not-leak')
  // Data our code never writes: a lead of one contractor on another contractor's project.
  await rows(db.orm, sql`update leads set contractor_id = ${a.contractor.id} where contractor_id = ${b.contractor.id}`)
  expect((await a.report()).answer).toEqual(answer)
  expect((await b.report()).answer.total.leads).toBe(0)
})

test('get_lead_performance: a first day after the last is refused with what to do', async () => {
  const { report } = await bareTenant()
  await expect(report({ from: '2026-11-21' })).rejects.toMatchObject({
    code: 'bad_request',
    fields: [{ field: 'from', message: expect.stringContaining('not after to') }],
  })
})

test.each([{ from: '2026-02-30' }, { to: '20261120' }, { source: 'angi' }, { currency: 'usd' }])(
  'get_lead_performance: %j is refused',
  (input) => {
    expect(getLeadPerformance.input.safeParse(input).success).toBe(false)
  },
)

test.each(['read:projects', 'read:payments'] as const)(
  'get_lead_performance: forbidden without %s',
  async (missing) => {
    const { contractor } = await makeTenant(db)
    const actor = actorOf(
      contractor,
      SCOPES.filter((scope) => scope !== missing),
    )
    await expect(answerOf(getLeadPerformance, { actor, now: NOW, input: {} })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(missing),
    })
  },
)
