import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { putDocuments } from '@/db/queries/documents'
import { PUBLIC_OWNER } from '@/db/schema'
import { PRESETS } from '@/lib/auth/scopes'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { execute } from './execute'
import { operations } from './registry'

let db: Database
beforeAll(async () => {
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
  await expect(leads({ from: '2026-10-31', to: '2026-10-01' })).rejects.toMatchObject({
    code: 'bad_request',
    fields: [{ field: 'from', message: expect.stringContaining('2026-10-31 is beyond to, 2026-10-01') }],
  })
  expect((await leads({ category: ['search_ads'], outcome: 'won' })).items).toMatchObject([
    {
      projectId: idOf('P1'),
      leadName: 'Dana W',
      customerName: 'Dana',
      status: 'in_progress',
      amount: 9000,
      source: 'Google Ads',
    },
  ])
})

test('how many open leads: the same number from each tool, those that a file brought too', async () => {
  const { actor, leads, load } = await books()
  // P2 came in as a lead and is one still; of these, a quote and a new one are open, and no form brought them.
  const { faults } = await load({
    'projects.csv': `Project ID,Customer ID,Name,Status,Created
P4,C2,Skylight,estimate,2026-11-03
P5,C1,Gutters,lead,2026-09-03
P6,C1,Attic,cancelled,2026-09-04
`,
  })
  expect(faults).toEqual([])
  const open = await leads({ outcome: 'open' })
  expect([open.count, open.items.map(({ projectName, source }) => [projectName, source])]).toEqual([
    3,
    [
      ['Skylight', undefined],
      ['Cedar deck', 'Google Ads'],
      ['Gutters', undefined],
    ],
  ])
  expect(open.items[0]).toMatchObject({
    receivedAt: '2026-11-03T00:00:00.000Z',
    customerName: 'Eli',
    status: 'estimate',
  })
  const jobs = await answerOf(operations.tellProjects, { actor, now, input: { status: 'lead,estimate' } })
  expect(jobs.answer.count).toBe(3)
  const performance = await answerOf(operations.getLeadPerformance, { actor, now, input: { from: '2026-11-01' } })
  expect([performance.answer.openLeads, performance.answer.total.open]).toEqual([3, 0])
  const first = await leads({ outcome: 'open', limit: 2 })
  const second = await leads({ outcome: 'open', limit: 2, pageToken: first.nextPageToken })
  expect(second.items.map(({ projectName }) => projectName)).toEqual(['Gutters'])
  expect((await leads({ source: 'google' })).count).toBe(2)
  expect((await leads({ category: 'search_ads', outcome: 'open' })).count).toBe(1)
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
      contractLessMaterials: {
        amount: 8595,
        percent: 95.5,
        note: expect.stringContaining('1 of 2 items have no price'),
      },
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

test('a search finds the notes that people and agents added until they are undone, and guides only when asked', async () => {
  const { contractor, operator, idOf } = await books()
  const actor = actorOf(contractor, [...PRESETS.agent.scopes, 'write:notes'])
  await putDocuments(db.orm, PUBLIC_OWNER, [
    {
      type: 'guide',
      reference: 'notes-of-this-test',
      title: 'How notes work',
      link: null,
      untrusted: false,
      chunks: [{ heading: '', text: 'A brindled mastiff is not a field.' }],
    },
  ])
  const found = async (guides?: boolean) => {
    const { answer } = await answerOf(operations.ragSearch, {
      actor,
      now,
      input: { query: 'brindled mastiff', ...(guides && { guides }) },
    })
    return answer.hits.map(({ title, snippet }) => [title, snippet.includes('mastiff')]).sort()
  }
  const projectId = idOf('P1')
  const text = 'A brindled mastiff guards the yard.'
  const note = await execute(
    operations.addProjectNote,
    { actor, now },
    { projectId, text, idempotencyKey: 'mastiff-1' },
  )
  expect(await found()).toEqual([['Wagner re-roof', true]])
  expect(await found(true)).toEqual([
    ['How notes work', true],
    ['Wagner re-roof', true],
  ])
  await execute(operations.undoEntry, { actor: operator, now }, { id: note.id })
  expect(await found()).toEqual([])
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
  expect(priced.total?.expected).toBe(436)
  // Of nails only the box of November is of the last 180 days.
  const prices = { pricesFrom: '2026-10-01', pricesTo: '2026-11-15' }
  expect(answer.materials).toEqual({ items: 3, unpriced: 1, cost: 436, ...prices })
  expect(answer.contractLessMaterials.amount).toBe(564)
  expect(answer.contractLessMaterials.note).toContain('prices of the price book, of 2026-10-01 to 2026-11-15')
})

test('without a list of materials what is left of the contract is not told, and why', async () => {
  const { overview } = await books()
  const { answer } = await overview('Panel upgrade')
  expect(answer).toMatchObject({
    materials: null,
    contractLessMaterials: { amount: null, note: expect.stringMatching(/no list of materials.*labor/) },
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
  expect([silent.customers.map(({ name }) => name), silent.more, silent.total.unpaid]).toEqual([['Dana'], 0, 3100])
  // Of Dana alone: nothing of Eli’s 50.00 less 10.00 in credit, nor of his invoice.
  expect(silent.total).toMatchObject({ overdue: 3000, current: 100, invoices: 2, unapplied: 0 })
  expect((await aging({})).total).toMatchObject({ unpaid: 4000, overdue: 3900, invoices: 3, unapplied: 40 })
  const large = await aging({ minUnpaid: 900.01 })
  expect([large.customers.map(({ name }) => name), large.more, large.total.unpaid]).toEqual([['Dana'], 0, 3100])
  // The total is of all that are asked for, also of those on other pages.
  expect((await aging({ minUnpaid: 900, limit: 1 })).total.unpaid).toBe(4000)
  expect((await aging({ minUnpaid: 5000 })).total).toMatchObject({
    unpaid: 0,
    invoices: 0,
    future: 0,
    oldestDueDate: null,
  })
  expect((await aging({ minUnpaid: 900 })).customers.map(({ name }) => name).sort()).toEqual(['Dana', 'Eli'])
})

test('an id of another kind is told as what it is, wherever a project is asked for', async () => {
  const { actor, idOf, overview, contractor } = await books()
  const money = (projectId: string, as = actor) =>
    answerOf(operations.getProjectFinancials, { actor: as, now, input: { projectId } })
  const { project } = (await money(idOf('P1'))).answer
  expect(project.customerName).toBe('Dana')
  const message = expect.stringContaining('is the id of a customer, not of a project')
  await expect(money(project.customerId)).rejects.toMatchObject({ code: 'not_found', message })
  const input = { projectId: project.customerId }
  await expect(answerOf(operations.analyzeProjectPermits, { actor, now, input })).rejects.toMatchObject({ message })
  await expect(answerOf(operations.priceProject, { actor, now, input })).rejects.toMatchObject({ message })
  const writer = actorOf(contractor, [...PRESETS.agent.scopes, 'write:notes'])
  const note = { ...input, text: 'Called.', idempotencyKey: 'kind-0001' }
  await expect(execute(operations.addProjectNote, { actor: writer, now }, note)).rejects.toMatchObject({ message })
  await expect(overview('inv_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1760281445123')).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('is the id of an invoice, not of a project'),
  })
  const blind = actorOf(
    contractor,
    PRESETS.agent.scopes.filter((scope) => scope !== 'read:customers'),
  )
  expect((await money(idOf('P1'), blind)).answer.project.customerName).toBeNull()
})

test('did Dana pay: one call tells what a customer owes, was billed and paid, with the invoices and payments', async () => {
  const { record, actor, contractor } = await books()
  const list = await answerOf(operations.tellCustomers, { actor, now, input: { query: 'dana' } })
  const { id } = Object(list.answer.items[0])
  const { answer } = await record(id)
  // Billed 4,000.00, 100.00 and 700.00; paid 1,000.00 and 700.00; 3,000.00 of the first were due in October.
  expect(answer).toMatchObject({
    type: 'customer',
    record: { name: 'Dana' },
    balance: [{ currency: 'USD', billed: 4800, received: 1700, unpaid: 3100, overdue: 3000, future: 0, unapplied: 0 }],
    neighbours: {
      invoices: {
        items: [
          { number: '23-0011-2', unpaid: 100 },
          { number: '23-0011-1', unpaid: 3000 },
          { number: '23-0013-1', unpaid: 0 },
        ],
      },
      payments: { items: [{ amount: 1000 }, { amount: 700 }] },
    },
  })
  const eli = await answerOf(operations.tellCustomers, { actor, now, input: { query: 'eli' } })
  // 50.00 came in and 10.00 went back, for no invoice.
  expect((await record(String(Object(eli.answer.items[0]).id))).answer).toMatchObject({
    balance: [{ billed: 900, received: 50, refunded: 10, unpaid: 900, overdue: 900, unapplied: 40 }],
  })
  const blind = actorOf(
    contractor,
    PRESETS.agent.scopes.filter((scope) => scope !== 'read:payments'),
  )
  const seen = await answerOf(operations.getRecord, { actor: blind, now, input: { id } })
  expect([seen.answer.withheld, 'balance' in seen.answer]).toEqual([['payments'], false])
})

test('revenue by customer goes on to the end, the most net first', async () => {
  const { actor } = await books()
  const told = async (skip: number) => {
    const input = { by: 'customer' as const, from: '2026-07-01', limit: 1, skip }
    const { answer } = await answerOf(operations.getRevenueSummary, { actor, now, input })
    return [answer.lines.map(({ name, received, net }) => [name, received, net]), answer.more, answer.total.net]
  }
  expect(await told(0)).toEqual([[['Dana', 1700, 1700]], 1, 1740])
  expect(await told(1)).toEqual([[['Eli', 50, 40]], 0, 1740])
  expect(await told(2)).toEqual([[], 0, 1740])
})

test('revenue by customer comes by net, or by what was invoiced or received', async () => {
  const { actor } = await books()
  const told = async (sort?: 'net' | 'invoiced' | 'received') => {
    const input = { by: 'customer' as const, from: '2026-10-01', to: '2026-12-31', sort }
    const { answer } = await answerOf(operations.getRevenueSummary, { actor, now, input })
    return answer.lines.map(({ name, invoiced, received }) => [name, invoiced, received])
  }
  const [dana, eli] = [
    ['Dana', 4100, 0],
    ['Eli', 900, 50],
  ]
  expect(await told()).toEqual([eli, dana])
  expect(await told('invoiced')).toEqual([dana, eli])
  expect(await told('received')).toEqual([eli, dana])
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
      {
        key: '2026-Q4',
        invoiced: 5000,
        received: 50,
        refunded: 10,
        net: 40,
        before: { invoiced: 700, received: 1700 },
        partial: true,
      },
    ],
    total: { invoiced: 5700, received: 1750, refunded: 10, net: 1740 },
  })
  const now4 = { from: '2026-10-01', to: '2026-12-31' }
  expect(await revenue({ by: 'trade', ...now4 })).toMatchObject({
    before: { from: '2026-07-01', to: '2026-09-30' },
    totalBefore: { invoiced: 700, received: 1700 },
    lines: [
      { key: 'decks_fences', invoiced: 900, received: 50, net: 40, before: { received: 0 } },
      { key: 'roofing', invoiced: 4100, received: 0, before: { received: 1000 } },
      { key: 'electrical', invoiced: 0, received: 0, before: { invoiced: 700, received: 700 } },
    ],
  })
  expect((await revenue({ by: 'customer', ...now4 })).lines.map(({ name, invoiced }) => [name, invoiced])).toEqual([
    ['Eli', 900],
    ['Dana', 4100],
  ])
})

test('which projects have something left to bill: billed to date, scheduled ahead, left', async () => {
  const { actor } = await books()
  await books('do-not-leak')
  const unbilled = async (input: {
    status?: ('in_progress' | 'lead' | 'completed')[]
    limit?: number
    skip?: number
  }) => (await answerOf(operations.getUnbilledWork, { actor, now, input })).answer
  expect(await unbilled({})).toMatchObject({
    currency: 'USD',
    asOf: '2026-11-20',
    total: { projects: 1, contract: 9000, billed: 4100, scheduled: 0, leftToBill: 4900 },
    nothingLeft: { projects: 0, billedBeyond: 0 },
    projects: [{ projectName: 'Wagner re-roof', customerName: 'Dana', contract: 9000, billed: 4100, leftToBill: 4900 }],
    more: 0,
  })
  const all = { status: ['lead', 'completed', 'in_progress'] as ('lead' | 'completed' | 'in_progress')[], limit: 1 }
  // A job that is billed whole, and one that is billed 900 beyond its contract, have nothing left.
  expect(await unbilled(all)).toMatchObject({
    total: { projects: 1, contract: 9000, leftToBill: 4900 },
    nothingLeft: { projects: 2, billedBeyond: 900 },
    more: 0,
  })
  expect((await unbilled({ ...all, skip: 1 })).projects).toEqual([])
  // On the day before its invoice, all of it is scheduled, and none is billed.
  const { answer } = await answerOf(operations.getUnbilledWork, {
    actor,
    now: new Date('2026-01-01T12:00:00Z'),
    input: all,
  })
  expect(answer.total).toEqual({ projects: 2, contract: 9700, billed: 0, scheduled: 4800, leftToBill: 9700 })
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

test('whose data it is: the office, its day, and what is loaded as of when', async () => {
  const { contractor, actor } = await books()
  await db.orm.execute(
    sql`update contractors set trade = 'roofing', city = 'Nashville', state = 'TN', timezone = 'America/Los_Angeles' where id = ${contractor.id}`,
  )
  const tell = async (as = actor) =>
    (await answerOf(operations.getContractor, { actor: as, now: new Date('2026-11-20T05:00:00Z'), input: {} })).answer
  const told = await tell()
  // Nine in the evening of the day before.
  expect(told).toMatchObject({
    name: 'Test Roofing',
    trade: 'roofing',
    city: 'Nashville',
    state: 'TN',
    currency: 'USD',
    timeZone: 'America/Los_Angeles',
    today: '2026-11-19',
  })
  expect(told.loaded.map(({ kind, records, asOf }) => [kind, records, asOf !== null])).toEqual([
    ['customers', 2, true],
    ['projects', 3, true],
    ['invoices', 4, true],
    ['payments', 3, true],
    ['estimates', 1, true],
  ])
  expect((await tell(actorOf(contractor, ['read:payments']))).loaded.map(({ kind }) => kind)).toEqual(['payments'])
})
