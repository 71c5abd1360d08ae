import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { listDeliveries } from '@/db/queries/deliveries'
import { openTestDatabase } from '@/db/testing'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  process.env.RATE_LIMIT_LEADS = '5'
  db = await openTestDatabase()
  shareDatabase(db)
})
afterAll(() => db.close())

const post = (path: string, key: string | undefined, address?: string) =>
  call(`/api/webhooks/leads/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ firstName: 'Ana', lastName: 'López', email: 'ana@example.com' }),
    ...(key === undefined ? {} : { key }),
    ...(address === undefined ? {} : { address }),
  })

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
