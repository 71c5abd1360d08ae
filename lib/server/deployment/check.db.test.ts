import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { closeDatabase, type Database, database, openDatabase, requireOfDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { DEMO_ADMIN } from '@/lib/core/service'
import { openTestDatabase } from '@/lib/testing/database'
import { forgetRuntime } from '@/lib/testing/runtime'
import { DeploymentRefused, requireDeployable } from './check'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const PUBLIC = { PUBLIC_URL: 'https://books.example.com' }
const check = (variables: Record<string, string>, secrets: string[] = []) =>
  requireDeployable(db, loadEnv(variables), secrets)
const execute = (text: string) => db.orm.execute(sql.raw(text))
const contractor = (id: string, demo: boolean) =>
  execute(`insert into contractors (id, slug, name, demo) values ('${id}', '${id}', 'Cumberland ${id}', ${demo})`)

test('an ordinary database is served, publicly too', async () => {
  await contractor('con_real', false)
  await check(PUBLIC)
})

test('a public server refuses a demonstration contractor, a working test key and the demonstration account, and names each', async () => {
  await contractor('con_demo', true)
  await expect(check(PUBLIC)).rejects.toThrow(/PUBLIC_URL is https:\/\/books.*Cumberland con_demo.*npm run demo/)
  await check({})
  await execute(`update contractors set demo = false`)
  await check(PUBLIC)
  await execute(`insert into api_keys (id, contractor_id, name, scopes, mode, secret_hash, last4)
    values ('key_1', 'con_demo', 'test', '{}', 'test', 'hash', 'last')`)
  await expect(check(PUBLIC)).rejects.toThrow('Cumberland con_demo')
  await execute(`update api_keys set revoked_at = now()`)
  await check(PUBLIC)
  await execute(`insert into people (id, name, email) values ('psn_1', 'Demo', '${DEMO_ADMIN}')`)
  await expect(check(PUBLIC)).rejects.toThrow(DEMO_ADMIN)
  await execute(`delete from people`)
})

test('a public server refuses the demonstration’s secrets; unset ones are fine', async () => {
  const secret = 's'.repeat(40)
  await expect(check({ ...PUBLIC, BETTER_AUTH_SECRET: secret }, [secret])).rejects.toThrow('openssl rand')
  await expect(check({ ...PUBLIC, EXTERNAL_API_TOKEN_SECRET: secret }, [secret])).rejects.toThrow('openssl rand')
  await check({ BETTER_AUTH_SECRET: secret }, [secret])
  await check({ ...PUBLIC, BETTER_AUTH_SECRET: 'o'.repeat(40) }, [secret])
})

test('a preview refuses the production database, but takes a branch of it', async () => {
  const on = (VERCEL_ENV: string, host: string) =>
    check({ VERCEL: '1', VERCEL_ENV, DATABASE_URL: `postgres://u:p@${host}.neon.tech/books` })
  await on('preview', 'ep-one')
  await on('production', 'ep-one-pooler')
  await on('production', 'ep-one')
  await expect(on('preview', 'ep-one')).rejects.toThrow('This is a preview')
  await expect(on('preview', 'ep-one-pooler')).rejects.toThrow('This is a preview')
  await on('preview', 'ep-branch')
  await on('development', 'ep-one')
})

describe.skipIf(process.env.TEST_DRIVER !== 'pglite')('the one-machine server', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-refused-'))
  afterAll(() => rmSync(dataDir, { recursive: true }))

  test('does not start in public with the demonstration, prints the reason without a stack, and closes the database', async () => {
    cpSync(process.env.TEST_PGLITE_TEMPLATE ?? '', dataDir, { recursive: true })
    const made = await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir }))
    await made.orm.execute(
      sql`insert into contractors (id, slug, name, demo) values ('con_1', 'one', 'Shown around', true)`,
    )
    await made.close()
    const env = {
      ...process.env,
      ...PUBLIC,
      NODE_ENV: 'production' as const,
      PORT: '0',
      PLUMBLINE_DATA_DIR: dataDir,
      DATABASE_URL: '',
    }
    const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'lib/testing/server.ts'], {
      env,
      encoding: 'utf8',
      timeout: 50_000,
    })
    expect(status).toBe(1)
    // What is missing in its settings is told before.
    const told = JSON.parse(stderr.trim().split('\n').at(-1) ?? '')
    expect(told).toMatchObject({ level: 'fatal', operation: 'start' })
    expect(told.message).toMatch(/^This server is public .*Shown around/)
    expect(told).not.toHaveProperty('error')
    await (await openDatabase(loadEnv({ PLUMBLINE_DATA_DIR: dataDir }))).close()
  })
})

test.skipIf(process.env.TEST_DRIVER !== 'pglite')(
  'the check holds for a database whose opening had begun; set after its first use, it is refused',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-check-'))
    cpSync(process.env.TEST_PGLITE_TEMPLATE ?? '', folder, { recursive: true })
    vi.stubEnv('PLUMBLINE_DATA_DIR', folder)
    vi.stubEnv('DATABASE_URL', '')
    forgetRuntime()
    const refused = () => Promise.reject(new DeploymentRefused('not this one'))
    const opening = database()
    requireOfDatabase(refused)
    await expect(opening).rejects.toThrow('not this one')
    requireOfDatabase(() => Promise.resolve())
    await database()
    expect(() => requireOfDatabase(refused)).toThrow('after its first use')
    await closeDatabase()
    rmSync(folder, { recursive: true })
  },
)
