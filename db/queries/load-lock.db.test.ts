import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createTestPostgres } from '@/lib/testing/database'
import { loadEnv } from '../../lib/core/env'
import { openDatabase, rows } from '../client'
import { lockLoads, MOST_LOADS } from './load-lock'

test.runIf(process.env.TEST_DRIVER === 'pg')(
  'a contractor has one load at a time over all processes; other contractors can load meanwhile',
  async () => {
    const { url, drop } = await createTestPostgres()
    const settings = loadEnv({ DATABASE_URL: url })
    const first = await lockLoads(settings, 'con_a')
    expect(await lockLoads(settings, 'con_a')).toBeUndefined()
    const other = await lockLoads(settings, 'con_b')
    expect(other).toBeDefined()
    await first?.()
    const next = await lockLoads(settings, 'con_a')
    expect(next).toBeDefined()
    await Promise.all([next?.(), other?.()])
    await drop()
  },
)

test.runIf(process.env.TEST_DRIVER === 'pg')(
  'the locks of a process share one pool, which is closed after the last one',
  async () => {
    const { url, drop } = await createTestPostgres()
    const settings = loadEnv({ DATABASE_URL: url })
    const taken = await Promise.all(Array.from({ length: MOST_LOADS }, (_, i) => lockLoads(settings, `con_${i}`)))
    expect(taken.filter(Boolean)).toHaveLength(MOST_LOADS)
    const db = await openDatabase({ ...settings, poolSize: 1 })
    const connections = async () =>
      (
        await rows<{ n: number }>(
          db.orm,
          sql`select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
        )
      )[0]?.n
    expect(await connections()).toBe(MOST_LOADS)
    await Promise.all(taken.map((release) => release?.()))
    await expect.poll(connections).toBe(0)
    await db.close()
    await drop()
  },
)

test('the embedded database needs no lock, because only one process opens it', async () => {
  const settings = loadEnv({})
  expect(await lockLoads(settings, 'con_a')).toBeDefined()
  expect(await lockLoads(settings, 'con_a')).toBeDefined()
})
