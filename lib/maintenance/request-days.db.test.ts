import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { runRetention } from './retention'

const DAY_MS = 86_400_000
let db: Database
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'plumbline-retention-'))
  Object.assign(process.env, { REQUEST_LOG_DAYS: '30', PLUMBLINE_DATA_DIR: dataDir })
  db = await openTestDatabase()
  shareDatabase(db)
  const [last] = await rows<{ day: string }>(
    db.orm,
    sql`select max(to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD'))::text as day from pg_inherits
      where inhparent = 'request_log'::regclass and inhrelid::regclass::text ~ '[0-9]{8}$'`,
  )
  midnight = Date.parse(last?.day ?? '') - 7 * DAY_MS
})
afterAll(async () => {
  await db.close()
  await rm(dataDir, { recursive: true })
})

/** The day on which the database was made, which may be over by now: days are made a week ahead. */
let midnight: number
/** Noon of a day from that one. */
const noon = (days: number) => new Date(midnight + (days + 0.5) * DAY_MS)

/** Adds requests to the log that began at one moment. */
const log = (at: Date, count = 1) =>
  db.orm.execute(sql`insert into request_log (id, at, method, path, endpoint, status, address, duration_ms)
    select (lpad(to_hex(${at.getTime()}::bigint), 12, '0') || '7' || lpad(to_hex(g), 19, '0'))::uuid, ${at.toISOString()}::timestamptz,
      'GET', '/health', 'health', 200, '203.0.113.1', 1 from generate_series(1, ${count}::int) g`)

/** Returns the number of requests in each partition that has any. */
const held = async () =>
  Object.fromEntries(
    (
      await rows<{ part: string; n: number }>(
        db.orm,
        sql`select tableoid::regclass::text as part, count(*)::int as n from request_log group by 1 order by 1`,
      )
    ).map(({ part, n }) => [part, n]),
  )
const nameOf = (days: number) => `request_log_${noon(days).toISOString().slice(0, 10).replaceAll('-', '')}`

test('requests lie in the partition of their day; one of a day that has none is stored all the same', async () => {
  await log(noon(0), 2)
  await log(noon(7))
  await log(noon(9))
  expect(await held()).toEqual({ [nameOf(0)]: 2, [nameOf(7)]: 1, request_log_other: 1 })
})

test('a day past its retention period is dropped whole; days are made ahead, but for one that has rows in the default partition', async () => {
  // The whole of today is older than 30 days then, and the day that has no partition is not.
  const now = noon(32)
  expect((await runRetention({ now, dryRun: true })).removed).toMatchObject({ requestDays: 2, requests: 2 })
  expect((await runRetention({ now })).removed).toMatchObject({ requestDays: 2, requests: 0 })
  expect(await held()).toEqual({ [nameOf(7)]: 1, request_log_other: 1 })
  await log(noon(39))
  await log(noon(40))
  expect(await held()).toMatchObject({ [nameOf(39)]: 1, request_log_other: 2 })
  expect((await runRetention({ now: noon(40) })).removed).toMatchObject({ requestDays: 6, requests: 1 })
  await log(noon(41))
  expect(await held()).toEqual({ [nameOf(39)]: 1, [nameOf(41)]: 1, request_log_other: 1 })
})

test('a kind with more rows than a run can delete keeps no other from its turn, and the run says what is left', async () => {
  await log(noon(-40), 60_000)
  for (const days of [8, 9])
    await db.orm.execute(
      sql`insert into person_verifications (id, identifier, value, expires_at) values (${`v${days}`}, 'i', 'v', ${noon(-days).toISOString()}::timestamptz)`,
    )
  const lines = collectLog()
  const { complete, unfinished, removed } = await runRetention({ budgetMs: 2_500 })
  lines.end()
  expect({ complete, unfinished, signInSteps: removed.signInSteps }).toEqual({
    complete: false,
    unfinished: ['requests'],
    signInSteps: 2,
  })
  expect(removed.requests).toBeGreaterThan(1_000)
  expect(lines.lines()).toMatchObject([
    { level: 'warn', message: 'retention did not finish; left for the next run: requests' },
  ])
})

test('a kind that fails is left, and the others go on', async () => {
  await db.orm.execute(sql`alter table key_addresses rename to key_addresses_away`)
  await db.orm.execute(
    sql`insert into person_verifications (id, identifier, value, expires_at) values ('v1', 'i', 'v', now() - interval '1 day')`,
  )
  const lines = collectLog()
  const { unfinished, removed } = await runRetention({ now: noon(-365) }).finally(() =>
    db.orm.execute(sql`alter table key_addresses_away rename to key_addresses`),
  )
  const done = await runRetention({ budgetMs: 60_000 })
  lines.end()
  expect([unfinished, removed.signInSteps]).toEqual([['keyAddresses'], 0])
  expect([done.unfinished, done.removed.signInSteps]).toEqual([[], 1])
})

test('emails in the outbox folder go after 30 days', async () => {
  const folder = join(dataDir, 'outbox')
  await mkdir(folder, { recursive: true })
  for (const days of [31, 29]) {
    await writeFile(join(folder, `${days}.eml`), 'Subject: x')
    await utimes(join(folder, `${days}.eml`), noon(-days - 1), new Date(Date.now() - days * DAY_MS))
  }
  expect((await runRetention({ dryRun: true })).removed.outboxFiles).toBe(1)
  expect((await runRetention()).removed.outboxFiles).toBe(1)
  expect(await readdir(folder)).toEqual(['29.eml'])
})
