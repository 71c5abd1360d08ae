import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Database, rows, shareDatabase } from '@/db/client'
import { openTestDatabase } from '@/lib/testing/database'
import { forgetRuntime } from '@/lib/testing/runtime'
import { runJob } from './run'
import { jobStates } from './states'
import { lateAfterMs } from './table'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
})
beforeEach(async () => {
  // Another process, which has written down nothing yet.
  forgetRuntime()
  shareDatabase(db)
  await db.orm.execute(sql`delete from job_runs`)
})
afterAll(() => db.close())

const stored = () =>
  rows(
    db.orm,
    sql`select job, succeeded, succeeded_at is not null as ever, array_to_json(unfinished) as unfinished from job_runs order by job`,
  )
const fails = () => runJob('search', () => Promise.reject(new Error('no'))).catch((fault: Error) => fault.message)

test('a run is written down with how it ended; its failure is the caller’s', async () => {
  await runJob('search', async () => {})
  expect(await stored()).toEqual([{ job: 'search', succeeded: true, ever: true, unfinished: [] }])
  expect(await fails()).toBe('no')
  expect(await stored()).toEqual([{ job: 'search', succeeded: false, ever: true, unfinished: [] }])
  await runJob('search', async () => ({ unfinished: ['requests'] }))
  expect(await stored()).toEqual([{ job: 'search', succeeded: true, ever: true, unfinished: ['requests'] }])
})

test('what has not changed is written down once a minute by a process', async () => {
  const ranAt = () => rows(db.orm, sql`select ran_at::text from job_runs`)
  await runJob('webhooks', async () => {})
  const first = await ranAt()
  await runJob('webhooks', async () => {})
  expect(await ranAt()).toEqual(first)
  const time = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => time + 61_000)
  await runJob('webhooks', async () => {})
  vi.restoreAllMocks()
  expect(await ranAt()).not.toEqual(first)
})

test('of several processes the last run counts', async () => {
  await runJob('clock', async () => {})
  await db.orm.execute(sql`update job_runs set ran_at = now() + interval '1 minute'`)
  forgetRuntime()
  shareDatabase(db)
  await runJob('clock', () => Promise.reject(new Error('no'))).catch(() => {})
  expect(await stored()).toMatchObject([{ job: 'clock', succeeded: true }])
})

test('the states say what ran, what failed, what is late and what waits; work without its settings is not listed', async () => {
  await fails()
  await runJob('retention', async () => ({ unfinished: ['requests'] }))
  await runJob('status', async () => {})
  await runJob('clock', async () => {})
  const ago = lateAfterMs('clock', { vercel: undefined }) + 1_000
  await db.orm.execute(sql`update job_runs set ran_at = now() - ${ago} * interval '1 millisecond' where job = 'clock'`)
  await db.orm.execute(
    sql`insert into search_queue (owner, kind, reference) values ('public', 'permit', 'a'), ('public', 'permit', 'b')`,
  )
  const states = await jobStates()
  expect(states.map(({ job, state, waiting }) => [job, state, waiting])).toEqual([
    ['search', 'failed', 2],
    ['webhooks', 'pending', 0],
    ['changes', 'pending', 0],
    ['alerts', 'pending', 0],
    ['sources', 'pending', 0],
    ['clock', 'late', null],
    ['status', 'ok', null],
    ['retention', 'unfinished', null],
    ['uploads', 'pending', null],
  ])
  expect(states.find(({ job }) => job === 'retention')?.unfinished).toEqual(['requests'])
  expect(states.find(({ job }) => job === 'search')?.succeededAt).toBeNull()
})
