import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { makeTenant, sampleBooks } from '@/lib/testing/tenant'
import { endOfFeed, Watches } from './watch'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

test('an outage is logged once, and the changes after it are told', async () => {
  const seen = { isOut: false, failures: 0 }
  shareDatabase({
    ...db,
    run: async (statement, values) => {
      if (!seen.isOut || statement.name !== 'plumbline_feed_names') return db.run(statement, values)
      seen.failures++
      throw new Error('the disk is gone')
    },
  })
  const tenant = await makeTenant(db)
  await tenant.load(sampleBooks(1))
  const { id } = tenant.contractor
  const told: string[] = []
  const watches = new Watches()
  const leave = await watches.follow(id, await endOfFeed(id), ({ changes }) => {
    for (const { resource } of changes ?? []) told.push(resource)
  })
  const log = collectLog()
  try {
    for (const outage of [1, 2]) {
      seen.isOut = true
      seen.failures = 0
      told.length = 0
      await db.orm.execute(sql`update projects set name = name || '.' where contractor_id = ${id}`)
      await vi.waitFor(() => expect(seen.failures).toBeGreaterThan(2 - outage), { timeout: 15_000, interval: 50 })
      expect(log.lines()).toHaveLength(outage)
      seen.isOut = false
      await vi.waitFor(() => expect(told).toEqual(['projects']), { timeout: 15_000, interval: 50 })
    }
  } finally {
    log.end()
    leave()
  }
  await vi.waitFor(() => expect(watches.size).toBe(0))
})
