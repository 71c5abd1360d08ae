import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, rows } from '@/db/client'
import { findAlerts } from '@/lib/notify/alerts'
import { reaching, TEST_POSTGRES_URL } from '@/lib/testing/database'
import { here, makeOffice } from '@/lib/testing/file-sources'
import { openPeopleDatabase } from '@/lib/testing/people'
import { forgetRuntime } from '@/lib/testing/runtime'
import { execute } from '../execute'
import { pauseSource } from './change-source'
import { shownById } from './managed'
import { LEASE_MS } from './runs/result'

const driver = process.env.TEST_DRIVER
const CUSTOMERS = 1_200
const MINUTE_MS = 60_000
const ahead = (milliseconds: number) => new Date(Date.now() + milliseconds)

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

/** Returns how separate processes reach this test's database. */
async function settings(): Promise<Record<string, string>> {
  const [found] = await rows<{ name: string }>(db.orm, sql`select current_database() as name`)
  const url = new URL(TEST_POSTGRES_URL)
  url.pathname = `/${found?.name}`
  return reaching('pg', url.href)
}

/** Starts a process that runs what is due. */
const startRunner = (env: Record<string, string>, by = 0) =>
  spawn(process.execPath, ['--import', 'tsx', 'lib/testing/source-runner.ts', String(by)], {
    env: { ...process.env, ...env, SOURCES_FOLDER: root },
    stdio: ['ignore', 'inherit', 'inherit'],
  })

const lines = (header: string, line: (i: number) => string) =>
  `${[header, ...Array.from({ length: CUSTOMERS }, (_, i) => line(i))].join('\n')}\n`

// The embedded database is open in one process only; e2e/killed.spec.ts has that.
test.skipIf(driver === 'pglite')(
  'a process is killed in the middle of a load: another one closes its run, takes back what was half written, and does it again later',
  async () => {
    const env = await settings()
    const { contractor, create, run, runs } = await makeOffice(db)
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

    // While the lease of the killed one lasts, nobody else takes the source; then its run has failed, and is tried again later.
    const [early] = await once(startRunner(env), 'exit')
    expect([early, (await runs(id)).length]).toEqual([0, 1])
    expect(await run(here(), ahead(LEASE_MS + 1_000))).toEqual({ runs: 1 })
    const [closed, ...none] = await runs(id)
    expect(closed).toMatchObject({ outcome: 'failed', error: expect.stringContaining('stopped in the middle') })
    expect([none, await count('users'), await count('projects')]).toEqual([[], 0, 0])
    const [code] = await once(startRunner(env, LEASE_MS + 16 * MINUTE_MS), 'exit')
    expect(code).toBe(0)
    const [done] = await runs(id)
    // Had the customers of the first stayed, the second would have added none.
    expect(done).toMatchObject({ outcome: 'loaded', added: 2 * CUSTOMERS, updated: 0, refused: 0 })
    expect([await count('users'), await count('projects')]).toEqual([CUSTOMERS, CUSTOMERS])
  },
  120_000,
)

test.skipIf(driver === 'pglite')(
  'a source that ends its process three times in a row is paused, and its administrators are told',
  async () => {
    const env = await settings()
    const { contractor, create, run, runs, ctx } = await makeOffice(db)
    const folder = join(root, contractor.slug)
    mkdirSync(folder)
    writeFileSync(join(folder, 'customers.csv'), 'Customer ID,Name\nC-1,Ana\n')
    utimesSync(join(folder, 'customers.csv'), 1, 1)
    const { id } = await create({ kind: 'folder', name: 'Office', path: '' })
    const holder = new Client({ connectionString: env.DATABASE_URL })
    await holder.connect()
    let at = 0
    for (const kills of [1, 2, 3]) {
      // What it would write waits for this lock.
      await holder.query('begin; lock table users in share mode')
      const killed = startRunner(env, at)
      const gone = once(killed, 'exit')
      await vi.waitFor(async () => expect((await runs(id)).length).toBe(kills), { timeout: 50_000, interval: 100 })
      killed.kill('SIGKILL')
      await gone
      await holder.query('rollback')
      // Its run is found open once its lease is over, and the next one waits longer each time.
      at += LEASE_MS + 1_000
      expect(await run(here(), ahead(at))).toEqual({ runs: 1 })
      const { failures, state, pausedReason, nextAt } = await shownById(db.orm, contractor.id, id, ahead(at))
      const isLast = kills === 3
      expect([failures, state, pausedReason]).toEqual([kills, isLast ? 'paused' : 'active', isLast ? 'stopped' : null])
      at = Date.parse(nextAt ?? '') - Date.now() + 1_000
    }
    await holder.end()
    const [last, ...before] = await runs(id)
    expect(last?.error).toMatch(/stopped in the middle of 3 runs in a row, so this source is paused/)
    expect(before.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
    expect(await run(here(), ahead(at))).toEqual({ runs: 0 })
    const window = { contractorId: contractor.id, from: new Date(0), to: ahead(at) }
    const [alert] = await findAlerts(db.orm, ['failed_loads'], window)
    expect(alert).toMatchObject({ title: 'The source “Office” was paused', path: `/data/sources/${id}` })
    expect(alert?.lines.join(' ')).toMatch(/^3 runs failed\. The service stopped/)

    // Resumed, it is counted from one again, and loads.
    await execute(pauseSource, ctx(), { id, paused: false })
    expect(await run(here(), ahead(1_000))).toEqual({ runs: 1 })
    expect((await runs(id))[0]).toMatchObject({ outcome: 'loaded', added: 1 })
    expect(await rows(db.orm, sql`select subject from work_in_hand where kind = 'source'`)).toEqual([])
  },
  180_000,
)
