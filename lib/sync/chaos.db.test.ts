import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/db/testing'
import { runChaos } from '@/lib/testing/chaos'
import { truthOf } from '@/lib/testing/feed-client'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'

let db: Database
beforeAll(async () => {
  process.env.EXTERNAL_API_TOKEN_SECRET = 'a-secret-for-tests-of-32-characters'
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '24' })
  shareDatabase(db)
})
afterAll(() => db.close())

test('three clients end with exactly the truth, whatever twenty writers do meanwhile', async () => {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(12))
  const key = (await tenant.key()).text
  const chaos = { writers: 20, transactions: 3, longestMs: 500, clients: 3 }
  const clients = await runChaos(db, tenant.contractor.id, key, chaos)
  const truth = await truthOf(db, tenant.contractor.id)
  for (const client of clients) {
    expect(client.proof()).toEqual(truth)
    expect(client.totals).toEqual(truth)
  }
  // They began at different moments; from there on they saw one order.
  const [longest, ...others] = clients.sort((a, b) => b.items.length - a.items.length)
  for (const { items } of others) expect(items).toMatchObject(longest?.items.slice(-items.length) ?? [])
  expect(longest?.items.length).toBeGreaterThan(50)
}, 240_000)
