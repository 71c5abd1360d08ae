import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { rowsRead, withoutAutovacuum } from '@/lib/testing/plans'
import { listRequests, type RequestFilters } from './request-pages'

const CONTRACTOR = 'con_pages'
const LIMIT = 20
/** The noon of a day that has no partition, so that all rows are in one of several. */
const NOON = Date.parse('2026-01-01T12:00:00Z')

let db: Database
beforeAll(async () => {
  // One connection reads its own counters.
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '1' })
  shareDatabase(db)
  await withoutAutovacuum(db)
})
afterAll(() => db.close())

/** Logs a contractor's requests, ten milliseconds apart: all succeed, or every second one fails by turns for the caller and for us. */
const log = (first: number, count: number, fail: boolean) =>
  db.orm.execute(sql`insert into request_log (id, at, contractor_id, key_id, method, path, endpoint, status, address, duration_ms)
    select (lpad(to_hex(${NOON}::bigint + g * 10), 12, '0') || '7' || lpad(to_hex(g), 19, '0'))::uuid,
      to_timestamp(${NOON}::float8 / 1000) + g * interval '10 milliseconds', ${CONTRACTOR}, 'key_' || g % 10, 'GET', '/api/v1/invoices',
      'endpoint_' || (g / 10) % 10, case when not ${fail}::bool or g % 2 = 0 then 200 when g % 4 = 1 then 429 else 500 end, '203.0.113.1', 1
    from generate_series(${first}::int, ${first + count - 1}::int) g`)

/** Returns the most rows of the log that a page reads, and how many it has. */
async function pageRead(filters: RequestFilters & { before?: { at: string; id: string } }) {
  const before = await rowsRead(db)
  const { items, next } = await listRequests(db.orm, { contractorId: CONTRACTOR, limit: LIMIT, ...filters })
  const after = await rowsRead(db)
  const read = [...after]
    .filter(([name]) => name.startsWith('request_log_'))
    .reduce((sum, [name, n]) => sum + n - (before.get(name) ?? 0), 0)
  return { read, count: items.length, next }
}

test.each(['before any request failed', 'after requests had failed'])(
  'a page of the log reads its rows and two more at most, whatever it is filtered by, with statistics from %s',
  async (when) => {
    const isEarly = when.startsWith('before')
    if (isEarly) {
      await log(1, 2_000, false)
      await db.orm.execute(sql`analyze request_log`)
      await log(2_001, 8_000, true)
    } else await db.orm.execute(sql`analyze request_log`)
    const filters: RequestFilters[] = [
      {},
      { keyId: 'key_7' },
      { endpoint: 'endpoint_3' },
      { statusClass: 4 },
      { statusClass: 5 },
    ]
    for (const filter of filters) {
      const first = await pageRead(filter)
      const second = await pageRead({ ...filter, ...(first.next && { before: first.next }) })
      for (const { read, count } of [first, second]) {
        expect({ filter, count }).toEqual({ filter, count: LIMIT })
        expect({ filter, read: read <= LIMIT + 2 }).toEqual({ filter, read: true })
      }
    }
  },
)
