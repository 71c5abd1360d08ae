import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { listDeliveries } from '@/db/queries/deliveries'
import { replayLeadDelivery } from '@/lib/operations/deliveries'
import { execute } from '@/lib/operations/execute'
import { openTestDatabase } from '@/lib/testing/database'
import { personActor } from '@/lib/testing/people'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_LEADS = '5'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const postBody = (path: string, key: string | undefined, body: unknown, address?: string) =>
  call(`/api/webhooks/leads/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(key === undefined ? {} : { key }),
    ...(address === undefined ? {} : { address }),
  })

const post = (path: string, key: string | undefined, address?: string) =>
  postBody(path, key, { firstName: 'Ana', lastName: 'López', email: 'ana@example.com' }, address)

test('the limit counts per key over all lead paths, whatever the address; as many refused deliveries again are stored', async () => {
  const tenant = await makeTenant(db)
  const { text } = await tenant.key(['write:leads'])
  const answers = []
  for (let i = 0; i < 20; i++) answers.push(await post(i % 2 === 0 ? 'inbound' : 'zapier', text))
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 201, 200, 201, ...Array(15).fill(429)])
  const [, , , , , refused] = answers
  expect(refused?.body.code).toBe('rate_limited')
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(refused?.headers.get('x-ratelimit-remaining')).toBe('0')
  const other = await tenant.key(['write:leads'])
  expect((await post('inbound', other.text)).status).toBe(201)
  const kept = await listDeliveries(db.orm, { contractorId: tenant.contractor.id, limit: 100 })
  expect(kept.filter(({ status }) => status === 429)).toHaveLength(5)
})

test('requests without a valid key are counted by address: guessing is limited, and valid keys are not affected', async () => {
  const { text } = await (await makeTenant(db)).key(['write:leads'])
  const statuses = []
  for (let i = 0; i < 8; i++) statuses.push((await post('inbound', 'plb_live_nonsense', '203.0.113.9')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  expect((await post('inbound', text, '203.0.113.9')).status).toBe(201)
})

const lead = (i: number) => ({ id: `lead-${i}`, name: `Ana López ${i}`, email: `ana${i}@example.com` })
const leads = (count: number, from = 0) => Array.from({ length: count }, (_, i) => lead(from + i))

test('each lead of a body counts: all of a body or nothing, with exact headers on every answer', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key(['write:leads'])
  const send = async (body: unknown) => {
    const { status, headers, body: answer } = await postBody('zapier', key, body)
    return [status, Number(headers.get('x-ratelimit-remaining')), answer]
  }
  const projects = async () =>
    (await rows(db.orm, sql`select 1 from projects where contractor_id = ${tenant.contractor.id}`)).length
  expect(await send(leads(3))).toEqual([
    200,
    2,
    expect.objectContaining({ message: expect.stringContaining('3 leads') }),
  ])
  const refused = await postBody('zapier', key, leads(3, 3))
  expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).toEqual([429, '2'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
  expect(await projects()).toBe(3)
  // It was seen by the people of the contractor, as a whole, and nothing of it counts.
  const kept = await listDeliveries(db.orm, { contractorId: tenant.contractor.id, limit: 100 })
  expect(kept.map(({ outcome, status }) => [outcome, status])).toEqual([
    ['refused', 429],
    ...Array(3).fill(['created', 200]),
  ])
  expect(await send(leads(2, 3))).toEqual([200, 0, expect.anything()])
  expect((await send(lead(9)))[0]).toBe(429)
  expect(await projects()).toBe(5)
})

test('a body that is more than the whole limit is let in when nothing else was, and one that no sender sends is refused', async () => {
  const { key: makeKey } = await makeTenant(db)
  const { text: key } = await makeKey(['write:leads'])
  const tooMany = await postBody('zapier', key, leads(21))
  expect([tooMany.status, tooMany.body.error]).toEqual([
    400,
    'The body holds 21 leads, and Zapier and any form may send at most 20 in a request. Send them in several requests.',
  ])
  expect(tooMany.headers.get('x-ratelimit-remaining')).toBe('4')
  expect((await postBody('zapier', key, leads(20))).status).toBe(429)
  const { text: fresh } = await makeKey(['write:leads'])
  const all = await postBody('zapier', fresh, leads(20))
  expect([all.status, all.headers.get('x-ratelimit-remaining')]).toEqual([200, '0'])
})

test('a flood of bodies that do not fit is not parsed for ever: a further array counts as all there may be, a single lead as one', async () => {
  const { text: key } = await (await makeTenant(db)).key(['write:leads'])
  expect((await postBody('zapier', key, leads(4))).status).toBe(200)
  for (let i = 0; i < 4; i++) {
    const { status, headers } = await postBody('zapier', key, leads(2))
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([429, '1'])
  }
  expect((await postBody('zapier', key, leads(1))).status).toBe(429)
  expect((await postBody('zapier', key, lead(9))).status).toBe(200)
})

test('a lead that a person runs again counts like one that is posted', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key(['write:leads'])
  await postBody('zapier', key, lead(1))
  const [kept] = await listDeliveries(db.orm, { contractorId: tenant.contractor.id, limit: 1 })
  const again = (personId: string) => {
    const actor = personActor({ id: personId, email: 'ana@example.com' }, tenant.contractor.id)
    return execute(replayLeadDelivery, { actor, now: new Date() }, { id: kept?.id ?? '' })
  }
  for (let i = 0; i < 5; i++) expect(await again('psn_a')).toMatchObject({ outcome: 'duplicate' })
  await expect(again('psn_a')).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await again('psn_b')).toMatchObject({ outcome: 'duplicate' })
})

test('58 bodies of many leads at once by one key: as many leads are taken as the limit says, and no body in part', async () => {
  const tenant = await makeTenant(db)
  const { text: key } = await tenant.key(['write:leads'])
  const answers = await Promise.all(Array.from({ length: 58 }, (_, i) => postBody('zapier', key, leads(3, 3 * i))))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(57)
  const made = await rows(db.orm, sql`select 1 from projects where contractor_id = ${tenant.contractor.id}`)
  expect(made).toHaveLength(3)
})
