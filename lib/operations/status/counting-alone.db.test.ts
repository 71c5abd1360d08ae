import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase, shareDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { checkHealth } from '@/lib/operations/health'
import { createTestPostgres, reaching } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { forgetRuntime } from '@/lib/testing/runtime'
import { lookForOthers } from './counting-alone'

// Only `pg` gives a connection a name; `@vercel/postgres` always counts as alone without a store.
describe.runIf(process.env.TEST_DRIVER === 'pg')('servers over one Postgres without a store for limits', () => {
  let made: Awaited<ReturnType<typeof createTestPostgres>>
  let db: Database
  beforeAll(async () => {
    made = await createTestPostgres()
    const settings = reaching('pg', made.url)
    Object.assign(process.env, settings)
    forgetRuntime('server')
    db = await openDatabase(loadEnv(settings))
    shareDatabase(db)
  })
  afterAll(async () => {
    await db.close()
    await made.drop()
  })

  const look = async () => {
    const log = collectLog()
    await lookForOthers()
    const { checks } = await checkHealth(new Date())
    log.end()
    return {
      isAlone: checks.limiter.alone ?? false,
      isTold: log.text().includes('Another server uses the same database'),
    }
  }
  /** Connects as another program does. */
  const connected = async (name: string) => {
    const client = new Client({ connectionString: made.url, application_name: name })
    await client.connect()
    await client.query('select 1')
    return client
  }

  test('another server is seen, told once, and forgotten when it has ended; a command is none', async () => {
    const command = await connected('plumbline cli 1')
    expect(await look()).toEqual({ isAlone: false, isTold: false })
    const server = await connected('plumbline server 1')
    expect(await look()).toEqual({ isAlone: true, isTold: true })
    expect(await look()).toEqual({ isAlone: true, isTold: false })
    await server.end()
    await expect.poll(look).toEqual({ isAlone: false, isTold: false })
    await command.end()
  })
})
