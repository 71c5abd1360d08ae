import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { makeTenant } from '@/lib/testing/tenant'
import { loadFolder } from './load'

let db: Database
const folder = mkdtempSync(join(tmpdir(), 'plumbline-stop-'))
const COUNT = 4_000
beforeAll(async () => {
  db = await openTestDatabase()
  shareDatabase(db)
  const lines = Array.from({ length: COUNT }, (_, i) => `C${i},Customer ${i}\n`)
  writeFileSync(join(folder, 'customers.csv'), `Customer ID,Name\n${lines.join('')}`)
  writeFileSync(join(folder, 'projects.csv'), 'Project ID,Customer ID,Name\nP1,C1,Roof\n')
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await db.close()
})

const stored = async (contractorId: string) => {
  const [row] = await rows<{ n: number }>(
    db.orm,
    sql`select count(*)::int as n from users where contractor_id = ${contractorId}`,
  )
  return row?.n ?? 0
}

test('a stopped load ends after the current slice; its report says what was loaded, and a second load adds the rest', async () => {
  const { contractor } = await makeTenant(db)
  const stop = new AbortController()
  let slices = 0
  const report = await loadFolder(db, contractor, folder, {
    signal: stop.signal,
    onProgress: () => {
      slices++
      if (slices === 3) stop.abort()
    },
  })
  const inAlready = report.files[0]?.added ?? 0
  expect([report.stopped, slices, report.files.length]).toEqual([true, 3, 1])
  expect(inAlready).toBeGreaterThan(0)
  expect(inAlready).toBeLessThan(COUNT)
  expect(await stored(contractor.id)).toBe(inAlready)
  const again = await loadFolder(db, contractor, folder)
  expect(again.stopped).toBe(false)
  expect(again.files.map(({ added, unchanged }) => [added, unchanged])).toEqual([
    [COUNT - inAlready, inAlready],
    [1, 0],
  ])
})

test('a growing table is analyzed during the load, so that plans cached while it was small are replaced', async () => {
  const { contractor } = await makeTenant(db)
  await db.orm.execute(sql`analyze users`)
  const counted = async () =>
    (await rows<{ n: number }>(db.orm, sql`select reltuples::float8 as n from pg_class where relname = 'users'`))[0]
      ?.n ?? 0
  const before = await counted()
  const seen = new Set<number>()
  await loadFolder(db, contractor, folder, {
    onProgress: ({ file }) => {
      if (file === 'customers.csv') void counted().then((n) => seen.add(n))
    },
  })
  expect(before).toBeGreaterThan(0)
  // After a thousand rows, after two thousand more, and after four thousand more.
  expect(seen.size).toBeGreaterThan(2)
})

const main = (args: string[], env: Record<string, string>) =>
  spawn(process.execPath, ['--import', 'tsx', 'lib/testing/cli.ts', ...args], {
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

async function ended(child: ReturnType<typeof main>) {
  let [out, err] = ['', '']
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    err += text
  })
  const [code] = await once(child, 'exit')
  return { code, out, err }
}

test.runIf(process.env.TEST_DRIVER === 'pglite')(
  'plumbline load: SIGTERM ends it with a report and code 130; a file that is refused completely gives code 1',
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-stop-data-'))
    cpSync(process.env.TEST_PGLITE_TEMPLATE ?? '', dataDir, { recursive: true })
    const large = mkdtempSync(join(tmpdir(), 'plumbline-stop-large-'))
    const env = { PLUMBLINE_DATA_DIR: dataDir }
    const lines = Array.from({ length: 200_000 }, (_, i) => `C${i},Customer ${i}\n`)
    writeFileSync(join(large, 'customers.csv'), `Customer ID,Name\n${lines.join('')}`)
    expect((await ended(main(['contractors', 'create', 'One', '--slug', 'one'], env))).code).toBe(0)
    const child = main(['load', '--contractor', 'one', large], env)
    const told = ended(child)
    // There are rows to report only once loading has begun.
    await once(child.stderr, 'data')
    child.kill('SIGTERM')
    const stopped = await told
    expect(stopped.code).toBe(130)
    expect(stopped.out).toMatch(/customers\.csv +[\d,]+ +[\d,]+/)
    expect(stopped.out).toContain('Stopped after')

    writeFileSync(join(large, 'customers.csv'), 'Customer ID,Email\nC1,a@example.com\n')
    const refused = await ended(main(['load', '--contractor', 'one', large], env))
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('customers.csv')])
    for (const folder of [dataDir, large]) rmSync(folder, { recursive: true })
  },
  240_000,
)
