import { connect, createServer, type Socket } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listenOnFreePort } from '@/lib/core/listen'
import { createTestPostgres, reaching } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { findPooler, Pooler } from '@/lib/testing/pooler'
import { loadEnv } from '../../lib/core/env'
import { type Database, openDatabase, rows } from '../client'

const found = findPooler()
if (!found && process.env.CI === 'true') throw new Error('Poolers are tested here: apt-get install pgbouncer')

const NEEDED =
  /does not keep each client's named statements.*PgBouncer 1\.21.*max_prepared_statements.*DATABASE_STATEMENTS=unnamed/
const statement = (n: number) => ({ name: `test_pooled_${n}`, text: `select ${n} as n`, brief: n % 2 === 0 })

/** Runs many statements at once, over all server connections; returns how they ended. */
const runMany = (db: Database) =>
  Promise.allSettled(Array.from({ length: 240 }, (_, i) => db.run<{ n: number }>(statement(i % 6), [])))

/** A way to a database that may lead elsewhere for later connections, and may change what a client says first. */
async function openWay(databaseUrl: string, change = (said: Buffer) => said) {
  const sockets = new Set<Socket>()
  let to = new URL(databaseUrl)
  const server = createServer((client) => {
    const target = connect(Number(to.port || 5432), to.hostname)
    for (const socket of [client, target]) sockets.add(socket.on('error', () => socket.destroy()))
    client.once('data', (said) => {
      target.write(change(said))
      client.pipe(target)
    })
    target.pipe(client)
  })
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${await listenOnFreePort(server)}`
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    lead: (elsewhere: string) => {
      to = new URL(elsewhere)
      cut()
    },
    close: () => {
      cut()
      server.close()
    },
  }
}

// Other drivers have no pooler between, or Neon's.
describe.runIf(process.env.TEST_DRIVER === 'pg')('a Postgres behind something', () => {
  let made: Awaited<ReturnType<typeof createTestPostgres>>
  beforeAll(async () => {
    made = await createTestPostgres()
    await (await openDatabase(loadEnv(reaching('pg', made.url)))).close()
  })
  afterAll(() => made.drop())

  describe.runIf(found !== undefined)('a PgBouncer that keeps no named statements', () => {
    let pooler: Pooler
    const started = async (pool_mode: string, keeps = false) => {
      const kept = found?.keepsNamed ? { max_prepared_statements: keeps ? 200 : 0 } : {}
      pooler = await Pooler.start(found?.program ?? '', made.url, { pool_mode, ...kept })
      return (given: Record<string, string> = {}) =>
        openDatabase({ ...loadEnv({ ...reaching('pg', pooler.url), ...given }) })
    }
    afterEach(() => pooler.stop())

    test('is refused with the version and the settings that are needed', async () => {
      const open = await started('transaction')
      await expect(open()).rejects.toThrow(NEEDED)
      await expect(open()).rejects.toMatchObject({ name: 'OperatorError' })
    })

    test('serves unnamed statements, alone and in groups, in our time zone', async () => {
      const open = await started('transaction')
      const db = await open({ DATABASE_STATEMENTS: 'unnamed' })
      const ended = await runMany(db)
      expect(ended.filter(({ status }) => status === 'rejected')).toEqual([])
      expect(ended.map((each) => each.status === 'fulfilled' && each.value[0]?.n).slice(0, 7)).toEqual([
        0, 1, 2, 3, 4, 5, 0,
      ])
      expect(await rows(db.orm, sql`show timezone`)).toEqual([{ TimeZone: 'UTC' }])
      await db.orm.transaction((tx) => tx.execute(sql`select set_config('app.x', 'y', true)`))
      expect(db.trouble?.()).toBeUndefined()
      await db.close()
    })

    test('in session mode serves named ones; in statement mode it is refused', async () => {
      const open = await started('session')
      const db = await open({ DATABASE_POOL_SIZE: '2' })
      expect((await runMany(db)).filter(({ status }) => status === 'rejected')).toEqual([])
      await db.close()
      await pooler.stop()
      const openAnother = await started('statement')
      await expect(openAnother({ DATABASE_STATEMENTS: 'unnamed' })).rejects.toThrow(/pool_mode = statement/)
    })

    test('that takes the place of a Postgres is told once, with the first statement that fails', async () => {
      await started('transaction')
      const way = await openWay(made.url)
      const db = await openDatabase(loadEnv(reaching('pg', way.url)))
      const log = collectLog()
      way.lead(pooler.url)
      // Each connection prepares the same statements, on servers that they share.
      await expect
        .poll(async () => (await runMany(db)).some(({ status }) => status === 'rejected') && db.trouble?.(), {
          timeout: 20_000,
        })
        .toMatch(NEEDED)
      await runMany(db)
      log.end()
      expect(log.lines().filter(({ message }) => NEEDED.test(message))).toHaveLength(1)
      await db.close()
      way.close()
    })

    test.runIf(found?.keepsNamed)('serves named ones where it keeps them', async () => {
      const open = await started('transaction', true)
      const db = await open()
      expect((await runMany(db)).filter(({ status }) => status === 'rejected')).toEqual([])
      await db.close()
    })
  })

  test('a time zone that does not arrive is refused with what sets it', async () => {
    const way = await openWay(made.url, (said) =>
      Buffer.from(said.toString('latin1').replace('\0UTC\0', '\0EST\0'), 'latin1'),
    )
    await expect(openDatabase(loadEnv(reaching('pg', way.url)))).rejects.toThrow(/sessions have EST.*ALTER ROLE/)
    way.close()
  })

  test('a parameter that a pooler refuses is named', async () => {
    const refusal = 'SFATAL\0C08P01\0Munsupported startup parameter: options\0\0'
    const server = createServer((client) =>
      client.once('data', () => {
        const length = Buffer.alloc(4)
        length.writeInt32BE(refusal.length + 4)
        client.end(Buffer.concat([Buffer.from('E'), length, Buffer.from(refusal)]))
      }),
    )
    const url = `postgres://ana@127.0.0.1:${await listenOnFreePort(server)}/books`
    await expect(openDatabase(loadEnv({ DATABASE_URL: url }))).rejects.toThrow(
      /refuses the parameter options\. Remove it from DATABASE_URL.*ignore_startup_parameters/,
    )
    server.close()
  })
})
