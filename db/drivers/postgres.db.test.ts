import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestPostgres, openTestDatabase, reaching } from '@/lib/testing/database'
import { openMutedProxy } from '@/lib/testing/pooler'
import { DatabaseDriver } from '../../lib/core/database-settings'
import { loadEnv } from '../../lib/core/env'
import { Parts, withParts } from '../../lib/core/parts'
import { type Database, openDatabase, rows } from '../client'

const driver = DatabaseDriver.parse(process.env.TEST_DRIVER)
const ONE = { name: 'test_one', text: 'select 1 as one' }
const POOL = 2

test('a connection uses UTC', async () => {
  const db = await openTestDatabase()
  expect(await rows(db.orm, sql`show timezone`)).toEqual([{ TimeZone: 'UTC' }])
  await db.close()
})

// The embedded database has one connection and runs in this process.
describe.runIf(driver !== 'pglite')('a Postgres elsewhere', () => {
  const way = driver === 'vercel' ? driver : 'pg'
  let made: Awaited<ReturnType<typeof createTestPostgres>>
  let proxy: Awaited<ReturnType<typeof openMutedProxy>>
  let db: Database
  beforeAll(async () => {
    made = await createTestPostgres()
    proxy = await openMutedProxy(made.url)
    db = await openDatabase({ ...loadEnv(reaching(way, proxy.url)), poolSize: POOL })
    await db.orm.execute(sql`create table counted (n int)`)
  })
  afterAll(async () => {
    await db.close()
    proxy.close()
    await made.drop()
  })

  const ask = () => db.run<{ one: number }>(ONE, [])
  const worksAgain = () => expect.poll(() => ask().catch(() => []), { timeout: 10_000 }).toEqual([{ one: 1 }])

  test('the name of the driver is the one asked for', () => expect(db.driver).toBe(driver))

  test('no statement is compiled just in time, over any connection', async () => {
    expect(await rows(db.orm, sql`show jit`)).toEqual([{ jit: 'off' }])
  })

  test('a named statement is prepared once per connection', async () => {
    await db.orm.transaction(async (tx) => {
      const prepared = await rows<{ name: string }>(tx, sql`select name from pg_prepared_statements`)
      expect(new Set(prepared.map(({ name }) => name)).size).toBe(prepared.length)
    })
    await ask()
    await ask()
    const found = async () => rows(db.orm, sql`select name from pg_prepared_statements where name = ${ONE.name}`)
    expect(await found()).toHaveLength(1)
  })

  test.runIf(way === 'pg')(
    'a long statement ends on the server when its client leaves, and when its time is over',
    async () => {
      const slow = { name: 'test_slow', text: `select pg_sleep(60)::text as slept, 'of nobody' as whose`, long: true }
      const running = () =>
        rows(
          db.orm,
          sql`select pid from pg_stat_activity where state = 'active' and query like '%of nobody%' and pid <> pg_backend_pid()`,
        )
      const leaving = new AbortController()
      const parts = new Parts()
      parts.gone = () => leaving.signal
      const asked = withParts(parts, () => db.run(slow, []))
      await expect.poll(running).toHaveLength(1)
      leaving.abort()
      await expect(asked).rejects.toMatchObject({ code: 'busy', cause: { code: '57014' } })
      await expect.poll(running).toEqual([])
      await expect(withParts(parts, () => db.run(slow, []))).rejects.toMatchObject({ code: 'busy' })
      await expect(db.run(slow, [])).rejects.toMatchObject({ code: 'DEADLINE_PASSED' })
      await expect.poll(running, { timeout: 10_000 }).toEqual([])
      await worksAgain()
    },
  )

  test('concurrent transactions are isolated and atomic', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        db.orm
          .transaction(async (tx) => {
            await tx.execute(sql`insert into counted values (${n})`)
            if (n % 2) throw new Error('undone')
            await tx.execute(sql`insert into counted values (${n})`)
          })
          .catch((error) => expect(error.message).toBe('undone')),
      ),
    )
    const counted = await rows<{ n: number; of: string }>(
      db.orm,
      sql`select n, count(*)::text as of from counted group by n order by n`,
    )
    expect(counted).toEqual(Array.from({ length: 15 }, (_, i) => ({ n: 2 * i, of: '2' })))
  })

  test('several processes that open a new database together migrate it once', async () => {
    const { url, drop } = await createTestPostgres()
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => openDatabase({ ...loadEnv(reaching(way, url)), poolSize: 1 })),
    )
    for (const one of opened) {
      expect(await one.run(ONE, [])).toEqual([{ one: 1 }])
      await one.close()
    }
    await drop()
  })

  test('a connection that breaks during a statement fails that statement; the next one reconnects', async () => {
    await ask()
    proxy.mute()
    const torn = ask()
    torn.catch(() => {})
    await new Promise((done) => setTimeout(done, 100))
    proxy.cut()
    await expect(torn).rejects.toBeInstanceOf(Error)
    await worksAgain()
  })

  test('a database that does not respond is an error after the timeout, and is used again when it responds', async () => {
    await ask()
    proxy.mute()
    await expect(ask()).rejects.toThrow('did not answer within')
    proxy.cut()
    await worksAgain()
  })

  test('a transaction that a request waits for also fails after the timeout, whether it began or not', async () => {
    await ask()
    const begun = db.orm.transaction(async (tx) => {
      await tx.execute(sql`insert into counted values (2000)`)
      proxy.mute()
      await rows(tx, sql`select 1`)
    })
    await expect(db.patiently(begun)).rejects.toThrow('did not answer within')
    // It fails either way: the pool has no free connection, or the one it has does not answer.
    await expect(db.patiently(db.orm.transaction((tx) => rows(tx, sql`select 1`)))).rejects.toBeInstanceOf(Error)
    proxy.cut()
    await worksAgain()
    expect(await rows(db.orm, sql`select n from counted where n = 2000`)).toEqual([])
  })

  test('transactions that fail to begin leak no connections', async () => {
    for (let i = 0; i < 2 * POOL; i++) {
      await worksAgain()
      proxy.mute()
      const torn = db.orm.transaction(async (tx) => rows(tx, sql`select 1`))
      torn.catch(() => {})
      await new Promise((done) => setTimeout(done, 100))
      proxy.cut()
      await expect(torn).rejects.toBeInstanceOf(Error)
    }
    await worksAgain()
    const all = await Promise.all(
      Array.from({ length: POOL }, () => db.orm.transaction((tx) => rows<{ one: number }>(tx, sql`select 1 as one`))),
    )
    expect(all).toEqual(Array.from({ length: POOL }, () => [{ one: 1 }]))
  })

  test('a connection that breaks during a transaction fails only that transaction', async () => {
    const torn = db.orm.transaction(async (tx) => {
      await tx.execute(sql`insert into counted values (1000)`)
      proxy.cut()
      await new Promise((done) => setTimeout(done, 100))
      await tx.execute(sql`insert into counted values (1000)`)
    })
    await expect(torn).rejects.toBeInstanceOf(Error)
    await worksAgain()
    expect(await rows(db.orm, sql`select n from counted where n = 1000`)).toEqual([])
  })

  test('an address where nothing listens is an immediate Error that says so', async () => {
    const nowhere = new URL(made.url)
    nowhere.port = '1'
    await expect(openDatabase({ ...loadEnv(reaching(way, nowhere.href)), poolSize: 1 })).rejects.toThrow(
      way === 'pg'
        ? /^Nothing listens at \S+:1, where DATABASE_URL says/
        : /^The server at localhost:1 ends the connection/,
    )
    if (way === 'pg') return
    const unknown = loadEnv({ POSTGRES_URL: 'postgres://someone@unknown-pooler.example.test/one' })
    expect(unknown.databaseDriver).toBe('vercel')
    await expect(openDatabase(unknown)).rejects.toThrow('Unexpected server response')
  })
})
