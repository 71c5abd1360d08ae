import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { putDocuments } from '@/db/queries/documents'
import { openTestDatabase } from '@/db/testing'
import { PRESETS } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from './execute'
import { operations } from './registry'

let db: Database
beforeAll(async () => {
  process.env.EXTERNAL_API_TOKEN_SECRET = 'a-secret-for-tests-of-32-characters'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const now = new Date('2026-11-20T12:00:00Z')

/** Two jobs of one customer and one of another, leads of two sources, a list of materials with one item that has no price. */
async function books(mark = '') {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load({
    'customers.csv': `Customer ID,Name,Phone\nC1,Dana${mark},(615) 555-0142\nC2,Eli${mark},\n`,
    'projects.csv': `Project ID,Customer ID,Name,Status,Total Amount,Start Date,Address,City
P1,C1,Wagner re-roof${mark},in_progress,9000.00,2026-10-05,1204 Oak Street,Nashville
P2,C2,Cedar deck${mark},lead,0.00,,,
P3,C1,Panel upgrade${mark},completed,700.00,,,
`,
    'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date
23-0011-1,P1,4000.00,2026-10-10,2026-10-20
23-0011-2,P1,100.00,2026-11-10,2026-12-10
23-0013-1,P3,700.00,2026-07-10,2026-08-10
23-0012-1,P2,900.00,2026-11-01,2026-11-10
`,
    'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date,Type
T1,P1,23-0011-1,1000.00,2026-08-31,payment
T2,P3,23-0013-1,700.00,2026-07-31,payment
T3,P2,,50.00,2026-10-02,payment
R1,P2,,10.00,2026-10-03,refund
`,
    'estimates.csv':
      'Estimate Number,Customer ID,Project ID,Amount,Date,Status\nE-26-0107,C1,P1,9000.00,2026-09-01,accepted\n',
    'materials.csv':
      'Item,Name,Unit,Unit Cost,Date\nshingles,Shingles,bundle,30.00,2026-01-01\nshingles,Shingles,bundle,40.50,2026-09-01\n',
    'project-materials.csv': 'Project ID,Item,Quantity\nP1,shingles,10\nP1,drip-edge,4\n',
  })
  expect(faults).toEqual([])
  for (const [reference, source, category, at] of [
    ['P1', 'Google Ads', 'search_ads', '2026-10-01T10:00:00Z'],
    ['P2', 'Google Ads', 'search_ads', '2026-10-31T23:59:59.999Z'],
    ['P3', 'A neighbor', 'referral', '2026-06-01T10:00:00Z'],
  ])
    await rows(
      db.orm,
      sql`insert into leads (project_id, contractor_id, source, lead_source, dedupe_key, source_category, first_name, last_name, received_at)
        select id, contractor_id, 'inbound', ${source}, id, ${category}, ${`Dana${mark}`}, 'W', ${at}::timestamptz from projects
        where contractor_id = ${tenant.contractor.id} and source_reference = ${reference}`,
    )
  const actor = actorOf(tenant.contractor)
  const ids = await rows<{ id: string; reference: string }>(
    db.orm,
    sql`select id, source_reference as reference from projects where contractor_id = ${tenant.contractor.id}`,
  )
  const idOf = (reference: string) => ids.find((row) => row.reference === reference)?.id ?? ''
  const leads = async (input: Record<string, unknown> = {}) =>
    (await answerOf(operations.listLeads, { actor, now, input })).answer
  const overview = (project: string) => answerOf(operations.getProjectOverview, { actor, now, input: { project } })
  const record = (id: string) => answerOf(operations.getRecord, { actor, now, input: { id } })
  const aging = async (input: Record<string, unknown>) =>
    (await answerOf(operations.getReceivablesAging, { actor, now, input })).answer
  return { ...tenant, actor, idOf, leads, overview, record, aging }
}

test('which Google leads came last month, and which became jobs', async () => {
  const { leads, idOf } = await books()
  const found = await leads({ source: 'google', from: '2026-10-01', to: '2026-10-31' })
  expect(found.count).toBe(2)
  expect(found.items.map(({ projectName, outcome }) => [projectName, outcome])).toEqual([
    ['Cedar deck', 'open'],
    ['Wagner re-roof', 'won'],
  ])
  expect((await leads({ category: ['search_ads'], outcome: 'won' })).items).toMatchObject([
    { projectId: idOf('P1'), customerName: 'Dana W', status: 'in_progress', amount: 9000, source: 'Google Ads' },
  ])
})

test('leads are told page by page, the latest first, each once', async () => {
  const { leads } = await books()
  const first = await leads({ limit: 2 })
  const second = await leads({ limit: 2, pageToken: first.nextPageToken })
  expect([...first.items, ...second.items].map(({ category }) => category)).toEqual([
    'search_ads',
    'search_ads',
    'referral',
  ])
  expect([second.nextPageToken, 'count' in second]).toEqual([null, false])
  await expect(leads({ limit: 2, outcome: 'won', pageToken: first.nextPageToken })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('a key that may not read customers is not told who a lead is', async () => {
  const { contractor } = await books()
  const actor = actorOf(
    contractor,
    PRESETS.agent.scopes.filter((scope) => scope !== 'read:customers'),
  )
  const { text } = await answerOf(operations.listLeads, { actor, now, input: {} })
  expect(text).not.toContain('Dana')
})

test.each(['id', 'P1', 'Wagner re-roof', 'wagner', '1204 Oak'])(
  'everything about one project, asked for by %s',
  async (by) => {
    const { overview, idOf } = await books()
    const { answer } = await overview(by === 'id' ? idOf('P1') : by)
    expect(answer).toMatchObject({
      project: { id: idOf('P1'), status: 'in_progress', totalAmount: 9000 },
      facts: { startDate: '2026-10-05', address: '1204 Oak Street, Nashville' },
      customer: { name: 'Dana', phone: '+16155550142' },
      lead: { category: 'search_ads' },
      money: { invoiced: 4100, paid: 1000, unpaid: 3100, overdue: 3000 },
      payments: [{ amount: 1000 }],
      estimates: [{ number: 'E-26-0107', status: 'accepted' }],
      materials: { items: 2, unpriced: 1, cost: 405 },
      margin: { afterMaterials: 8595, percent: 95.5, note: expect.stringContaining('1 of 2 items have no price') },
    })
    expect(answer.invoices.map(({ number, unpaid }) => [number, unpaid])).toEqual([
      ['23-0011-1', 3000],
      ['23-0011-2', 100],
    ])
  },
)

test('what was noted on a project is told, and what was undone is not', async () => {
  const { overview, contractor, operator, idOf } = await books()
  const actor = actorOf(contractor, [...PRESETS.agent.scopes, 'write:notes', 'write:tasks'])
  const projectId = idOf('P3')
  const note = (text: string, idempotencyKey: string) =>
    execute(operations.addProjectNote, { actor, now }, { projectId, text, idempotencyKey })
  await note('Gate code on file.', 'note-0001')
  const wrong = await note('Wrong project.', 'note-0002')
  await execute(operations.undoEntry, { actor: operator, now }, { id: wrong.id })
  const { answer } = await overview(projectId)
  expect(answer.notes).toMatchObject([{ noteText: 'Gate code on file.' }])
  expect(answer.followUp).toBeNull()
})

test('the cost of a project’s materials is what price_project expects, where several suppliers and old prices differ', async () => {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,Dana\n',
    'projects.csv': 'Project ID,Customer ID,Name,Total Amount\nP1,C1,Roof,1000.00\n',
    'materials.csv': `Item,Name,Unit,Unit Cost,Supplier,Date
shingles,Shingles,bundle,30.00,Hill,2026-10-01
shingles,Shingles,bundle,40.00,River,2026-10-02
shingles,Shingles,bundle,45.50,Stone,2026-11-01
nails,Nails,box,9.99,Hill,2026-01-05
nails,Nails,box,12.00,Hill,2026-11-15
nails,Nails,pound,1.00,Hill,2026-11-16
`,
    'project-materials.csv': 'Project ID,Item,Quantity,Unit\nP1,shingles,10,bundle\nP1,nails,3,box\nP1,tape,1,roll\n',
  })
  expect(faults).toEqual([])
  const actor = actorOf(tenant.contractor)
  const { answer } = await answerOf(operations.getProjectOverview, { actor, now, input: { project: 'P1' } })
  const input = { projectId: answer.project.id }
  const { answer: priced } = await answerOf(operations.priceProject, { actor, now, input })
  // The median of 30.00, 40.00 and 45.50 is 40.00; the newest box of nails costs 12.00.
  expect(priced.total.expected).toBe(436)
  expect(answer.materials).toEqual({ items: 3, unpriced: 1, cost: 436 })
  expect(answer.margin.afterMaterials).toBe(564)
})

test('without a list of materials the margin is not told, and why', async () => {
  const { overview } = await books()
  const { answer } = await overview('Panel upgrade')
  expect(answer).toMatchObject({
    materials: null,
    margin: { afterMaterials: null, note: expect.stringMatching(/no list of materials.*labor/) },
  })
})

test('a name that could be several projects is answered with their ids', async () => {
  const { overview, idOf } = await books()
  const refused = overview('Dana')
  await expect(refused).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining(idOf('P3')) })
  await expect(overview('nobody at all')).rejects.toMatchObject({ code: 'not_found' })
})

test('a record by its number, with names beside ids', async () => {
  const { record } = await books()
  for (const number of ['23-0011-1', 'invoice 23-0011-1', '#23-0011-1'])
    expect((await record(number)).answer).toMatchObject({
      type: 'invoice',
      record: { number: '23-0011-1', customerName: 'Dana', projectName: 'Wagner re-roof', unpaid: 3000 },
    })
  expect((await record('e-26-0107')).answer).toMatchObject({ type: 'estimate' })
  expect((await record('job P3')).answer).toMatchObject({
    type: 'project',
    neighbours: { invoices: { items: [{ customerName: 'Dana' }] } },
  })
  await expect(record('23-9999')).rejects.toMatchObject({ code: 'not_found' })
})

test('who owes the most, page by page; who has not paid since September 1', async () => {
  const { aging } = await books()
  const first = await aging({ sort: 'unpaid', limit: 1 })
  expect(first).toMatchObject({ more: 1, customers: [{ name: 'Dana', unpaid: 3100, lastPaymentDate: '2026-08-31' }] })
  expect(await aging({ sort: 'unpaid', limit: 1, skip: 1 })).toMatchObject({
    more: 0,
    customers: [{ name: 'Eli', unpaid: 900, lastPaymentDate: '2026-10-02' }],
  })
  const silent = await aging({ notPaidSince: '2026-09-01' })
  expect([silent.customers.map(({ name }) => name), silent.more, silent.total.unpaid]).toEqual([['Dana'], 0, 4000])
  const large = await aging({ minUnpaid: 900.01 })
  expect([large.customers.map(({ name }) => name), large.more, large.total.unpaid]).toEqual([['Dana'], 0, 4000])
  expect((await aging({ minUnpaid: 900 })).customers.map(({ name }) => name).sort()).toEqual(['Dana', 'Eli'])
})

test('revenue by customer, trade and quarter beside the period before', async () => {
  const { actor } = await books()
  await books('do-not-leak')
  const revenue = async (input: {
    by: 'customer' | 'trade' | 'month' | 'quarter' | 'year'
    from?: string
    to?: string
  }) => (await answerOf(operations.getRevenueSummary, { actor, now, input })).answer
  expect(await revenue({ by: 'quarter', from: '2026-07-01' })).toMatchObject({
    lines: [
      { key: '2026-Q3', invoiced: 700, received: 1700, before: { invoiced: 0, received: 0 }, partial: false },
      { key: '2026-Q4', invoiced: 5000, received: 40, before: { invoiced: 700, received: 1700 }, partial: true },
    ],
    total: { invoiced: 5700, received: 1740 },
  })
  const now4 = { from: '2026-10-01', to: '2026-12-31' }
  expect(await revenue({ by: 'trade', ...now4 })).toMatchObject({
    before: { from: '2026-07-01', to: '2026-09-30' },
    totalBefore: { invoiced: 700, received: 1700 },
    lines: [
      { key: 'decks_fences', invoiced: 900, received: 40, before: { received: 0 } },
      { key: 'roofing', invoiced: 4100, received: 0, before: { received: 1000 } },
      { key: 'electrical', invoiced: 0, received: 0, before: { invoiced: 700, received: 700 } },
    ],
  })
  expect((await revenue({ by: 'customer', ...now4 })).lines.map(({ name, invoiced }) => [name, invoiced])).toEqual([
    ['Eli', 900],
    ['Dana', 4100],
  ])
})

test('which projects have the most left to bill: contract less invoices, with totals, page by page', async () => {
  const { actor } = await books()
  await books('do-not-leak')
  const unbilled = async (input: {
    status?: ('in_progress' | 'lead' | 'completed')[]
    limit?: number
    skip?: number
  }) => (await answerOf(operations.getUnbilledWork, { actor, now, input })).answer
  expect(await unbilled({})).toMatchObject({
    currency: 'USD',
    total: { projects: 1, contract: 9000, invoiced: 4100, leftToBill: 4900 },
    projects: [
      { projectName: 'Wagner re-roof', customerName: 'Dana', contract: 9000, invoiced: 4100, leftToBill: 4900 },
    ],
    more: 0,
  })
  const all = { status: ['lead', 'completed', 'in_progress'] as ('lead' | 'completed' | 'in_progress')[], limit: 1 }
  const pages = [await unbilled(all), await unbilled({ ...all, skip: 1 }), await unbilled({ ...all, skip: 2 })]
  expect(pages.map(({ projects, more }) => [projects[0]?.projectName, projects[0]?.leftToBill, more])).toEqual([
    ['Wagner re-roof', 4900, 2],
    ['Panel upgrade', 0, 1],
    ['Cedar deck', -900, 0],
  ])
  expect(pages[2]?.total).toEqual({ projects: 3, contract: 9700, invoiced: 5700, leftToBill: 4000 })
})

test('an overview tells whether the work likely needs permits, to keys that may read permits', async () => {
  const { actor } = await books()
  const overview = async (by: typeof actor) =>
    (await answerOf(operations.getProjectOverview, { actor: by, now, input: { project: 'Cedar deck' } })).answer
  const { project, permits } = await overview(actor)
  const whole = (await answerOf(operations.analyzeProjectPermits, { actor, now, input: { projectId: project.id } }))
    .answer
  expect(permits?.work.map(({ workType }) => workType)).toEqual(['deck'])
  expect(permits?.work).toEqual(whole.requirements.map(({ workType, determination }) => ({ workType, determination })))
  const scopes = [...actor.scopes].filter((scope) => scope !== 'read:permits')
  expect((await overview({ ...actor, scopes: new Set(scopes) })).permits).toBeNull()
})

test('a project is found by the name of its customer alone; of several each is named', async () => {
  const { actor } = await books()
  const overview = async (project: string) =>
    (await answerOf(operations.getProjectOverview, { actor, now, input: { project } })).answer
  expect((await overview('Eli')).project.name).toBe('Cedar deck')
  await expect(overview('Dana')).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringMatching(/Wagner re-roof.*Panel upgrade|Panel upgrade.*Wagner re-roof/),
  })
  await expect(overview('Nobody Here')).rejects.toMatchObject({ code: 'not_found' })
})

test('the year so far by customer stands beside the same days of the year before', async () => {
  const { actor } = await books()
  const { answer } = await answerOf(operations.getRevenueSummary, { actor, now, input: { by: 'customer' } })
  expect(answer).toMatchObject({
    from: '2026-01-01',
    to: '2026-11-20',
    before: { from: '2025-01-01', to: '2025-11-20' },
  })
})

test('a document is read whole, section by section; another contractor’s and one of a kind the key may not read is not there', async () => {
  const { actor } = await books()
  const other = await books('do-not-leak')
  const text = 'Leaks caused by our work are repaired. '.repeat(200)
  const warranty = (type: 'document' | 'material') => ({
    type,
    reference: `warranty-${type}`,
    title: 'Workmanship warranty',
    link: null,
    untrusted: false,
    chunks: Array.from({ length: 5 }, (_, i) => ({ heading: `Part ${i}`, text })),
  })
  await putDocuments(db.orm, actor.contractorId, [warranty('document'), warranty('material')])
  const { answer: found } = await answerOf(operations.ragSearch, {
    actor,
    now,
    input: { query: 'leaks repaired warranty' },
  })
  const idOf = (type: string) => found.hits.find((hit) => hit.type === type)?.id ?? ''
  const read = async (id: string, skip = 0, by = actor) =>
    (await answerOf(operations.readDocument, { actor: by, now, input: { id, skip } })).answer
  const id = idOf('document')
  const first = await read(id)
  expect(first).toMatchObject({ id, type: 'document', title: 'Workmanship warranty', untrusted: false, more: 3 })
  const rest = await read(id, first.sections.length)
  const last = await read(id, first.sections.length + rest.sections.length)
  const sections = [first, rest, last].flatMap((part) => part.sections)
  expect(sections).toEqual(Array.from({ length: 5 }, (_, i) => ({ heading: `Part ${i}`, sectionText: text })))
  expect([rest.more, last.more]).toEqual([1, 0])
  await expect(read(id, 0, other.actor)).rejects.toMatchObject({ code: 'not_found' })
  const few = { ...actor, scopes: new Set([...actor.scopes].filter((scope) => scope !== 'read:materials')) }
  await expect(read(idOf('material'), 0, few)).rejects.toMatchObject({ code: 'not_found' })
  expect((await read(idOf('material'))).type).toBe('material')
})
