import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { PRESETS } from '@/lib/auth/scopes'
import { resources } from '@/lib/resources/registry'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { openTestDatabase } from '@/lib/testing/database'
import { call, makeTenant } from '@/lib/testing/tenant'
import { operations } from './registry'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')

/** Invoices that are paid, partly paid, due and to come; a credit in another currency; jobs with and without days. */
async function books(mark = '') {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load({
    'customers.csv': `Customer ID,Name\nC1,Dana${mark}\nC2,Eli${mark}\n`,
    'projects.csv': `Project ID,Customer ID,Name,Status,Total Amount,Start Date,End Date
P1,C1,Roof${mark},completed,9000.00,2026-01-05,2026-02-10
P2,C2,Deck${mark},scheduled,500.50,2999-01-04,
P3,C2,Fence${mark},completed,700.00,,
P4,C1,Porch${mark},completed,100.00,2025-11-01,2025-12-31
`,
    'invoices.csv': `Invoice Number,Project ID,Amount,Currency,Date,Due Date,Paid Date
I1,P1,4000.00,,2026-01-10,2026-02-10,2026-02-01
I2,P1,5000.00,,2026-02-10,2026-03-10,
I3,P2,250.25,,2998-01-10,2999-02-10,
I4,P2,250.25,,2026-01-11,2999-01-31,
I5,P3,70.00,EUR,2026-01-12,2026-01-31,
`,
    'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date\nT1,P1,I2,1999.99,2026-02-20\nT2,P2,,12.00,2026-02-21\n`,
  })
  expect(faults).toEqual([])
  const ask = (input: Record<string, unknown> = {}, actor = actorOf(tenant.contractor)) =>
    answerOf(operations.tellInvoices, { actor, now: NOW, input: { limit: 10, ...input } })
  const jobs = async (input: Record<string, unknown>) =>
    (
      await answerOf(operations.tellProjects, {
        actor: actorOf(tenant.contractor),
        now: NOW,
        input: { limit: 10, ...input },
      })
    ).answer
  return { ...tenant, ask, jobs }
}

const numbers = ({ answer: { items } }: { answer: { items: Record<string, unknown>[] } }) =>
  items.map(({ number }) => number).join(' ')
const names = ({ items }: { items: Record<string, unknown>[] }) => items.map(({ name }) => name).join(' ')

test('a list names who and what an id stands for, and what is unpaid of an invoice', async () => {
  const { ask } = await books()
  const { answer } = await ask({ sort: '-amount', limit: 1 })
  expect(answer.items[0]).toMatchObject({ number: 'I2', customerName: 'Dana', projectName: 'Roof', unpaid: 3000.01 })
})

test('a key that may not read customers is told no customer’s name', async () => {
  const { ask, contractor } = await books()
  const actor = actorOf(
    contractor,
    PRESETS.agent.scopes.filter((scope) => scope !== 'read:customers'),
  )
  const { answer } = await ask({}, actor)
  expect(answer.items[0]).toHaveProperty('projectName')
  expect(answer.items[0]).not.toHaveProperty('customerName')
})

test('a list says how many it finds and what they sum up to, for each currency', async () => {
  const { ask, key } = await books()
  // REST counts the same list without sums.
  const counted = await call('/api/v1/invoices?count=true', { key: (await key()).text })
  expect(counted.body).toMatchObject({ count: 5 })
  expect((await ask({ limit: 1 })).answer).toMatchObject({
    count: 5,
    total: [
      { currency: 'EUR', amount: 70, unpaid: 70 },
      { currency: 'USD', amount: 9500.5, unpaid: 3250.26, future: 250.25 },
    ],
  })
  expect((await ask({ status: 'overdue', minAmount: 5000 })).answer).toMatchObject({
    count: 1,
    total: [{ currency: 'USD', amount: 5000, unpaid: 3000.01 }],
  })
  expect((await ask({ status: 'future', to: '2026-01-01' })).answer).toMatchObject({ count: 0, total: [], items: [] })
})

test('without an order the latest date is first', async () => {
  const { ask } = await books()
  expect(numbers(await ask())).toBe('I3 I2 I5 I4 I1')
})

test('an id of another kind, or nobody’s, is no empty list', async () => {
  const { ask, contractor } = await books()
  const actor = actorOf(contractor)
  const { items } = (await answerOf(operations.tellCustomers, { actor, now: NOW, input: {} })).answer
  const { id } = Object(items[0])
  await expect(ask({ projectId: id })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('is the id of a customer, not of a project'),
  })
  await expect(ask({ customerId: 'inv_prj_01jb2wa0c5t7e9g1h3k5m7p9qr_1760281445123' })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('is the id of an invoice, not of a customer'),
  })
  await expect(ask({ customerId: 'cus_none' })).rejects.toMatchObject({ code: 'not_found' })
  const other = await books('do-not-leak')
  const theirs = (await answerOf(operations.tellCustomers, { actor: actorOf(other.contractor), now: NOW, input: {} }))
    .answer
  await expect(ask({ customerId: Object(theirs.items[0]).id })).rejects.toMatchObject({ code: 'not_found' })
  // A customer who is there and has none of these is an empty list.
  expect((await ask({ customerId: id, from: '2999-01-01' })).answer).toMatchObject({ count: 0, items: [] })
})

test('a range that ends before it begins is refused, by tools and by REST', async () => {
  const { ask, jobs, key } = await books()
  const refused = (field: string) => ({ code: 'bad_request', fields: [{ field }] })
  await expect(ask({ from: '2026-02-02', to: '2026-02-01' })).rejects.toMatchObject(refused('from'))
  await expect(ask({ dueFrom: '2026-02-02T00:00:00Z', dueTo: '2026-02-01' })).rejects.toMatchObject(refused('dueFrom'))
  await expect(jobs({ completedFrom: '2026-02-02', completedTo: '2026-02-01' })).rejects.toMatchObject(
    refused('completedFrom'),
  )
  expect((await ask({ from: '2026-01-10', to: '2026-01-10' })).answer).toMatchObject({ count: 1 })
  expect((await ask({ from: '2026-01-10T09:00:00Z', to: '2026-01-10' })).answer).toMatchObject({ count: 0 })
  const { text } = await key()
  const answer = await call('/api/v1/invoices?dueFrom=2026-02-02&dueTo=2026-02-01', { key: text })
  expect([answer.status, answer.body.fields.map(({ field }: { field: string }) => field)]).toEqual([400, ['dueFrom']])
  expect((await call('/api/v1/payments?from=2026-02-02&to=2026-02-02', { key: text })).status).toBe(200)
})

/** Kitchens and others, one of a customer who is called so. */
async function kitchens() {
  const tenant = await makeTenant(db)
  const { faults } = await tenant.load({
    'customers.csv': 'Customer ID,Name,Phone\nC1,Dana Wagner,(615) 555-0142\nC2,Eli Kitchen,\n',
    'projects.csv': `Project ID,Customer ID,Name,Status,Total Amount
P1,C1,Kitchen remodel,completed,9000.00
P2,C1,New kitchens upstairs,in_progress,500.00
P3,C2,Deck,completed,700.00
P4,C1,Roof,completed,100.00
`,
    'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date
K-1,P1,4000.00,2026-01-10,2026-02-10
K-2,P2,250.25,2026-03-10,2026-04-10
K-3,P1,1000.00,2025-12-10,2026-01-10
D-1,P3,70.00,2026-01-12,2026-01-31
R-1,P4,100.00,2026-01-12,2026-01-31
`,
    'payments.csv': `Payment ID,Project ID,Invoice Number,Amount,Date
T1,P1,K-1,3000.00,2026-02-20
T2,P1,K-3,1000.00,2025-12-20
T3,P3,D-1,70.00,2026-02-21
T4,P4,R-1,100.00,2026-02-21
`,
  })
  expect(faults).toEqual([])
  const actor = actorOf(tenant.contractor)
  const payments = async (input: Record<string, unknown>, as = actor) =>
    (await answerOf(operations.tellPayments, { actor: as, now: NOW, input: { limit: 10, ...input } })).answer
  const invoices = (input: Record<string, unknown>) =>
    answerOf(operations.tellInvoices, { actor, now: NOW, input: { limit: 10, ...input } })
  const projects = async (input: Record<string, unknown>) =>
    (await answerOf(operations.tellProjects, { actor, now: NOW, input: { limit: 10, ...input } })).answer
  return { ...tenant, actor, payments, invoices, projects }
}

test('how much was made on kitchens this year: a list by words, with the sums of what was asked for', async () => {
  const { payments, invoices, projects, contractor } = await kitchens()
  // 3,000.00 of the kitchen, and 70.00 of Eli Kitchen’s deck; the payment of last year and the roof are not asked for.
  expect(await payments({ query: 'kitchen', from: '2026-01-01' })).toMatchObject({
    count: 2,
    total: [{ currency: 'USD', amount: 3070 }],
  })
  const withoutCustomers = PRESETS.agent.scopes.filter((scope) => scope !== 'read:customers')
  expect(
    await payments({ query: 'kitchens', from: '2026-01-01' }, actorOf(contractor, withoutCustomers)),
  ).toMatchObject({
    count: 1,
    total: [{ currency: 'USD', amount: 3000 }],
  })
  expect(numbers(await invoices({ query: 'kitchen', sort: 'date' }))).toBe('K-3 K-1 D-1 K-2')
  expect(numbers(await invoices({ query: 'dana kitchen' }))).toBe('')
  expect(numbers(await invoices({ query: 'wagner', status: 'overdue', minAmount: 1000 }))).toBe('K-1')
  expect(numbers(await invoices({ query: '615-555-0142', sort: 'amount', limit: 2 }))).toBe('R-1 K-2')
  expect(numbers(await invoices({ query: 'K-2' }))).toBe('K-2')
  expect((await invoices({ query: 'nobody' })).answer).toMatchObject({ count: 0, total: [], items: [] })
  expect(await projects({ query: 'remodel' })).toMatchObject({ count: 1, total: [{ amount: 9000 }] })
  expect(await projects({ query: 'wagner', status: 'completed' })).toMatchObject({
    count: 2,
    total: [{ amount: 9100 }],
  })
})

test('a list by words goes on page by page, and a page token belongs to its words', async () => {
  const { invoices } = await kitchens()
  const first = await invoices({ query: 'kitchen', limit: 3 })
  const second = await invoices({ query: 'kitchen', limit: 3, pageToken: first.answer.nextPageToken })
  expect([numbers(first), numbers(second)]).toEqual(['K-2 D-1 K-1', 'K-3'])
  await expect(invoices({ query: 'wagner', limit: 3, pageToken: first.answer.nextPageToken })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('several statuses, as a list or with commas', async () => {
  const { ask } = await books()
  expect(numbers(await ask({ status: ['overdue', 'future'], sort: 'dueDate' }))).toBe('I5 I2 I3')
  expect(numbers(await ask({ status: 'future,overdue', sort: '-dueDate' }))).toBe('I3 I2 I5')
  expect((await ask({ status: 'future,overdue' })).answer).toMatchObject({ count: 3 })
  await expect(ask({ status: ['overdue', 'open'] })).rejects.toMatchObject({ fields: [{ field: 'status' }] })
})

test('due days, both whole, and the least amount', async () => {
  const { ask } = await books()
  expect(numbers(await ask({ dueFrom: '2026-02-10', dueTo: '2026-03-10', sort: 'dueDate' }))).toBe('I1 I2')
  expect(numbers(await ask({ dueTo: '2026-02-09' }))).toBe('I5')
  expect(numbers(await ask({ minAmount: '4000.01' }))).toBe('I2')
  await expect(ask({ minAmount: -1 })).rejects.toMatchObject({ fields: [{ field: 'minAmount' }] })
})

test.each(['amount', '-amount', 'date', '-date', 'dueDate', '-dueDate'])(
  'sorted by %s the pages follow each other, each record once',
  async (sort) => {
    const { ask } = await books()
    for (const more of [
      {},
      { status: ['paid', 'overdue', 'current', 'future'] },
      { updatedAfter: '2020-01-01T00:00:00Z' },
    ]) {
      const whole = numbers(await ask({ sort, ...more }))
      const walked: string[] = []
      let pageToken: string | null = null
      do {
        const { answer }: Awaited<ReturnType<typeof ask>> = await ask({
          sort,
          ...more,
          limit: 2,
          ...(pageToken && { pageToken }),
        })
        expect('count' in answer).toBe(pageToken === null)
        walked.push(...answer.items.map(({ number }) => String(number)))
        pageToken = answer.nextPageToken
      } while (pageToken !== null)
      expect(walked.join(' ')).toBe(whole)
      expect(walked).toHaveLength(5)
    }
  },
)

test('a page token of one order is refused in another', async () => {
  const { ask } = await books()
  const { answer } = await ask({ sort: 'amount', limit: 1 })
  await expect(ask({ sort: '-amount', limit: 1, pageToken: answer.nextPageToken })).rejects.toMatchObject({
    code: 'bad_request',
  })
})

test('jobs by the days they start and were completed', async () => {
  const { jobs } = await books()
  expect(names(await jobs({ startFrom: '2999-01-01', startTo: '2999-01-04' }))).toBe('Deck')
  const done = await jobs({ completedFrom: '2026-01-01', completedTo: '2026-12-31' })
  expect(done).toMatchObject({ count: 1, total: [{ currency: 'USD', amount: 9000 }] })
  expect(done.items[0]).toMatchObject({
    name: 'Roof',
    customerName: 'Dana',
    startDate: '2026-01-05',
    endDate: '2026-02-10',
  })
  // A job without the day has no place in its order, and is not counted there either.
  expect(await jobs({ sort: 'startDate' })).toMatchObject({ count: 3 })
  expect(names(await jobs({ sort: '-startDate' }))).toBe('Deck Roof Porch')
})

test('another contractor’s records are neither told nor counted', async () => {
  const a = await books()
  const { text } = await a.ask({ sort: 'amount' })
  await books('do-not-leak')
  expect((await a.ask({ sort: 'amount' })).text).toBe(text)
})

test('GET /v1/invoices takes the same filters and orders, and its items have the specified fields alone', async () => {
  const { key } = await books()
  const { text } = await key()
  const { body, status } = await call(
    '/api/v1/invoices?status=overdue,future&sort=-dueDate&dueFrom=2026-02-01&minAmount=100',
    { key: text },
  )
  expect(status).toBe(200)
  expect(Object.keys(body)).toEqual(['apiVersion', 'items', 'nextPageToken'])
  expect(body.items.map(({ number }: { number: string }) => number)).toEqual(['I3', 'I2'])
  expect(Object.keys(body.items[0])).toEqual(Object.keys(resources.invoices.output.shape))
  const first = await call('/api/v1/projects?sort=-endDate&limit=1', { key: text })
  const second = await call(`/api/v1/projects?sort=-endDate&limit=1&pageToken=${first.body.nextPageToken}`, {
    key: text,
  })
  expect([first, second].map((page) => page.body.items[0].name)).toEqual(['Roof', 'Porch'])
  expect((await call('/api/v1/invoices?sort=name', { key: text })).body.fields).toMatchObject([{ field: 'sort' }])
  expect((await call('/api/v1/customers?sort=amount', { key: text })).status).toBe(400)
})
