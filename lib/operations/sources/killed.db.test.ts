import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows } from '@/db/client'
import { reaching, TEST_POSTGRES_URL } from '@/db/testing'
import { openPeopleDatabase } from '@/lib/testing/people'
import { forgetRuntime } from '@/lib/testing/runtime'
import { LEASE_MS } from './runs/lease'
import { makeOffice } from './testing-sources'

const driver = process.env.TEST_DRIVER
const CUSTOMERS = 1_200

const root = mkdtempSync(join(tmpdir(), 'plumbline-killed-'))
let db: Database
beforeAll(async () => {
  process.env.SOURCES_FOLDER = root
  forgetRuntime()
  db = await openPeopleDatabase()
})
afterAll(async () => {
  rmSync(root, { recursive: true })
  await db.close()
})

/** How processes of their own reach this test's database. */
async function settings(): Promise<Record<string, string>> {
  const [found] = await rows<{ name: string }>(db.orm, sql`select current_database() as name`)
  const url = new URL(TEST_POSTGRES_URL)
  url.pathname = `/${found?.name}`
  return reaching('pg', url.href)
}

/** Starts a process that runs what is due. */
const startRunner = (env: Record<string, string>, ahead = 0) =>
  spawn(process.execPath, ['--import', 'tsx', 'lib/operations/sources/testing-runner.ts', String(ahead)], {
    env: { ...process.env, ...env, SOURCES_FOLDER: root },
    stdio: ['ignore', 'inherit', 'inherit'],
  })

const lines = (header: string, line: (i: number) => string) =>
  `${[header, ...Array.from({ length: CUSTOMERS }, (_, i) => line(i))].join('\n')}\n`

// The embedded database is open in one process only; e2e/killed.spec.ts has that.
test.skipIf(driver === 'pglite')(
  'a process is killed in the middle of a load: another one closes its run, takes back what was half written, and does it again',
  async () => {
    const env = await settings()
    const { contractor, create, runs } = await makeOffice(db)
    const folder = join(root, contractor.slug)
    mkdirSync(folder)
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      utimesSync(join(folder, name), 1, 1)
    }
    write(
      'customers.csv',
      lines('Customer ID,Name', (i) => `C${i},Customer ${i}`),
    )
    write(
      'projects.csv',
      lines('Project ID,Customer ID,Name', (i) => `P${i},C${i},Project ${i}`),
    )
    const { id } = await create({ kind: 'folder', name: 'Office', path: '' })
    const count = async (table: string) => {
      const [found] = await rows<{ n: number }>(
        db.orm,
        sql`select count(*)::int as n from ${sql.identifier(table)} where contractor_id = ${contractor.id}`,
      )
      return found?.n
    }

    // Its customers are written, and its projects wait for this lock, when it is killed.
    const holder = new Client({ connectionString: env.DATABASE_URL })
    await holder.connect()
    await holder.query('begin; lock table projects in share mode')
    const killed = startRunner(env)
    const gone = once(killed, 'exit')
    await vi.waitFor(async () => expect(await count('users')).toBe(CUSTOMERS), { timeout: 50_000, interval: 100 })
    expect([await count('projects'), (await runs(id))[0]?.outcome]).toEqual([0, 'running'])
    killed.kill('SIGKILL')
    await gone
    await holder.end()

    // While the lease of the killed one lasts, nobody else takes the source.
    const [early] = await once(startRunner(env), 'exit')
    expect([early, (await runs(id)).length]).toEqual([0, 1])
    const [code] = await once(startRunner(env, LEASE_MS + 1_000), 'exit')
    expect(code).toBe(0)
    const [done, closed] = await runs(id)
    expect(closed).toMatchObject({ outcome: 'failed', error: expect.stringContaining('stopped in the middle') })
    // Had the customers of the first stayed, the second would have added none.
    expect(done).toMatchObject({ outcome: 'loaded', added: 2 * CUSTOMERS, updated: 0, refused: 0 })
    expect([await count('users'), await count('projects')]).toEqual([CUSTOMERS, CUSTOMERS])
  },
  120_000,
)
