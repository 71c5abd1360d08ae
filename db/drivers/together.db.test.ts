import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestPostgres, reaching } from '@/lib/testing/database'
import { openMutedProxy } from '@/lib/testing/pooler'
import { DatabaseDriver } from '../../lib/core/database-settings'
import { loadEnv } from '../../lib/core/env'
import { type Database, openDatabase } from '../client'

const driver = DatabaseDriver.parse(process.env.TEST_DRIVER)

const TYPES = {
  name: 'test_types',
  text: `select $1::int as n, $1::int > 5 as "isLarge", $1 || ' é “' as words, null as nothing, $1::numeric / 4 as amount,
    json_build_object('n', $1) as json, now()::date > '2020-01-01' as dated from generate_series(1, $1::int % 3)`,
}
const DIVIDED = { name: 'test_divided', text: 'select 10 / $1::int as n', brief: true }
const TRANSACTION = { name: 'test_transaction', text: 'select pg_current_xact_id()::text as id', brief: true }

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

// Other drivers run brief statements as they run all.
describe.runIf(driver === 'pg')('brief statements', () => {
  let made: Awaited<ReturnType<typeof createTestPostgres>>
  let proxy: Awaited<ReturnType<typeof openMutedProxy>>
  let db: Database
  beforeAll(async () => {
    made = await createTestPostgres()
    proxy = await openMutedProxy(made.url)
    db = await openDatabase({ ...loadEnv(reaching('pg', proxy.url)), poolSize: 2 })
  })
  afterAll(async () => {
    await db.close()
    proxy.close()
    await made.drop()
  })

  test('each gets its own rows, as it would alone, however many come at once', async () => {
    const alone = await Promise.all(upTo(40).map((n) => db.run(TYPES, [n])))
    const brief = { ...TYPES, name: 'test_brief_types', brief: true }
    for (const round of ['first', 'prepared'])
      expect(await Promise.all(upTo(40).map((n) => db.run(brief, [n]))), round).toEqual(alone)
  })

  test('those that come at once share transactions, at most eight each', async () => {
    const found = await Promise.all(upTo(20).map(() => db.run<{ id: string }>(TRANSACTION, [])))
    expect(new Set(found.flat().map(({ id }) => id)).size).toBe(3)
  })

  test('few that come at once go to several processes of Postgres, two to each', async () => {
    const found = await Promise.all(upTo(5).map(() => db.run<{ id: string }>(TRANSACTION, [])))
    const ids = found.flat().map(({ id }) => id)
    const shared = [...new Set(ids)].map((id) => ids.filter((other) => other === id).length)
    expect(shared.sort()).toEqual([1, 2, 2])
  })

  test('those that are asked while the pool ends fail, and the process goes on', async () => {
    const ending = await openDatabase({ ...loadEnv(reaching('pg', made.url)), poolSize: 2 })
    expect(await ending.run(DIVIDED, [5])).toEqual([{ n: 2 }])
    const asked = upTo(5).map((n) => ending.run(DIVIDED, [n + 1]))
    const closed = ending.close()
    const outcomes = await Promise.allSettled(asked)
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(
      asked.map(() => expect.stringContaining('pool')),
    )
    await closed
  })

  test('while all connections are taken, no more of them are waited for than what waits needs', async () => {
    let most = 0
    // Each comes while the ones before it wait, as requests do.
    const answers = upTo(2_000).map(async (n) => {
      await new Promise((done) => setTimeout(done, n / 20))
      const answer = db.run<{ n: number }>(DIVIDED, [5])
      await new Promise((done) => setImmediate(done))
      most = Math.max(most, db.pool?.().waiting ?? 0)
      return answer
    })
    expect((await Promise.all(answers)).flat().every(({ n }) => n === 2)).toBe(true)
    expect(most).toBeLessThanOrEqual(2_000 / 8)
    expect(db.pool?.().waiting ?? 0).toBe(0)
  })

  test('one that fails takes nothing from the others', async () => {
    for (let round = 0; round < 3; round++) {
      const settled = await Promise.allSettled([5, 0, 2, 0, 1].map((n) => db.run(DIVIDED, [n])))
      expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)))).toEqual([
        [{ n: 2 }],
        'error: division by zero',
        [{ n: 5 }],
        'error: division by zero',
        [{ n: 10 }],
      ])
    }
  })

  test('a value that has no text form of its type fails alone too, also before the statement is prepared', async () => {
    const fresh = { ...DIVIDED, name: 'test_fresh' }
    const settled = await Promise.allSettled(['x', '5'].map((n) => db.run(fresh, [n])))
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  test('when their connection breaks they fail, and later ones get another', async () => {
    await db.run(DIVIDED, [5])
    proxy.mute()
    const torn = Promise.allSettled([5, 2].map((n) => db.run(DIVIDED, [n])))
    await new Promise((done) => setTimeout(done, 100))
    proxy.cut()
    expect((await torn).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect.poll(() => db.run(DIVIDED, [5]).catch(() => []), { timeout: 10_000 }).toEqual([{ n: 2 }])
  })
})
