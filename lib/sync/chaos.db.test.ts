import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { runChaos } from '@/lib/testing/chaos'
import { openTestDatabase } from '@/lib/testing/database'
import { DeltaClient, FeedClient, recordsOf, truthOf } from '@/lib/testing/feed-client'
import { askAs, makeTenant, sampleBooks } from '@/lib/testing/tenant'

/** The sizes of the clients' pages. */
const LIMITS = [7, 100, 500]
/** The overlap the guide advises. */
const OVERLAP_MS = 120_000

let db: Database
beforeAll(async () => {
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '24' })
  shareDatabase(db)
})
afterAll(() => db.close())

test('three clients of the feed end with exactly the truth, whatever twenty writers do meanwhile; lists tell of all but deletions', async () => {
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(12))
  const ask = askAs((await tenant.key()).text)
  const clients = LIMITS.map((limit) => new FeedClient(ask, limit))
  const delta = new DeltaClient(ask, OVERLAP_MS)
  const chaos = { writers: 20, transactions: 3, longestMs: 500 }
  await runChaos(db, tenant.contractor.id, chaos, [...clients, delta])
  const truth = await truthOf(db, tenant.contractor.id)
  for (const client of clients) {
    expect(client.proof()).toEqual(truth)
    expect(client.totals).toEqual(truth)
  }
  expect(delta.missed(await recordsOf(db, tenant.contractor.id))).toMatchObject({ absent: 0, stale: 0 })
  // They began at different moments; from there on they saw one order.
  const [longest, ...others] = clients.sort((a, b) => b.items.length - a.items.length)
  for (const { items } of others) expect(items).toMatchObject(longest?.items.slice(-items.length) ?? [])
  expect(longest?.items.length).toBeGreaterThan(50)
}, 240_000)
