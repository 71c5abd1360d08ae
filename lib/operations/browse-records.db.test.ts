import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { resources } from '@/lib/resources/registry'
import { actorOf, answerOf } from '@/lib/testing/answer-of'
import { makeTenant } from '@/lib/testing/tenant'
import { browseOperation } from './browse-records'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const NOW = new Date('2026-11-20T12:00:00Z')
const browse = browseOperation(resources.invoices)

/** Nine invoices of Dana's two projects. */
const BOOKS = {
  'customers.csv': 'Customer ID,Name\nC1,Dana\n',
  'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof\nP2,C1,Shed\n',
  'invoices.csv': `Invoice Number,Project ID,Amount,Date,Due Date\n${[1, 2, 3, 4, 5, 6, 7, 8, 9]
    .map((n) => `I${n},P${n % 2 === 0 ? 2 : 1},${n}0,2024-08-0${n},2024-09-0${n}`)
    .join('\n')}\n`,
}

async function tenantWithBooks() {
  const tenant = await makeTenant(db)
  expect((await tenant.load(BOOKS)).faults).toEqual([])
  const actor = actorOf(tenant.contractor)
  const page = async (input: Record<string, unknown>) =>
    (await answerOf(browse, { actor, now: NOW, input: { limit: 4, ...input } })).answer
  const places = (await page({ limit: 100 })).items.map(({ updatedAt, id, number }) => [`${updatedAt} ${id}`, number])
  /** Their numbers, the latest change first. */
  const order = places.toSorted(([a], [b]) => (String(a) < String(b) ? 1 : -1)).map(([, number]) => number)
  return { ...tenant, page, order }
}

const numbers = ({ items }: { items: Record<string, unknown>[] }) => items.map(({ number }) => number)

test('browse: the newest first, forth to the end and back again by the same pages', async () => {
  const { page, order } = await tenantWithBooks()
  const first = await page({})
  expect(numbers(first)).toEqual(order.slice(0, 4))
  expect(first.previous).toBeNull()
  const second = await page({ after: first.next })
  expect(numbers(second)).toEqual(order.slice(4, 8))
  const last = await page({ after: second.next })
  expect([numbers(last), last.next]).toEqual([order.slice(8), null])
  const back = await page({ before: last.previous })
  expect(numbers(back)).toEqual(numbers(second))
  const start = await page({ before: back.previous })
  expect([numbers(start), start.previous]).toEqual([numbers(first), null])
})

test('browse: the oldest first, within filters, with the names of what the records belong to', async () => {
  const { page, order } = await tenantWithBooks()
  const found = await page({ order: 'oldest', from: '2024-08-02', to: '2024-08-05', status: 'overdue' })
  const wanted = ['I2', 'I3', 'I4', 'I5']
  expect(numbers(found)).toEqual(order.toReversed().filter((number) => wanted.includes(String(number))))
  expect(found.next).toBeNull()
  expect(Object.values(found.names).sort()).toEqual(['Dana', 'Roof', 'Shed'])
})

test('browse: another contractor’s records and names are not there', async () => {
  const [own, other] = [await tenantWithBooks(), await makeTenant(db)]
  const first = await own.page({})
  const { answer } = await answerOf(browse, { actor: actorOf(other.contractor), now: NOW, input: {} })
  expect(answer).toEqual({ items: [], names: {}, previous: null, next: null })
  const place = first.next ?? ''
  const behind = await answerOf(browse, { actor: actorOf(other.contractor), now: NOW, input: { after: place } })
  expect(behind.answer.items).toEqual([])
})

test('browse: 400 for a place that is none', async () => {
  const { page } = await tenantWithBooks()
  await expect(page({ after: 'yesterday' })).rejects.toMatchObject({ code: 'bad_request' })
})
