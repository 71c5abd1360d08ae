import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { PRESETS } from '@/lib/auth/scopes'
import { resources } from '@/lib/resources/registry'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { call, makeTenant } from '@/lib/testing/tenant'
import { operations } from './registry'

let db: Database
beforeAll(async () => {
  process.env.EXTERNAL_API_TOKEN_SECRET = 'a-secret-for-tests-of-32-characters'
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
  expect((await ask({ customerId: 'cus_none' })).answer).toMatchObject({ count: 0, total: [], items: [] })
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
