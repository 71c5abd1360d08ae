import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as client from '@/db/client'
import type { DatabaseDriver } from '@/lib/core/database-settings'
import * as disk from '@/lib/core/disk'
import { route } from '@/lib/http/rest/route'
import * as limiter from '@/lib/limits/limiter'
import { forgetRuntime } from '@/lib/testing/runtime'
import { getHealth, roughly } from './health'

type Settings = { databaseDriver: DatabaseDriver; tokenSecrets?: string[]; authSecret?: string }
const settings = vi.hoisted<Settings>(() => ({ databaseDriver: 'pglite' }))
vi.mock('@/lib/core/env', async (original) => {
  const real = await original<typeof import('@/lib/core/env')>()
  return { ...real, env: () => ({ ...real.loadEnv({}), ...settings }) }
})
// Uses the real disk of the machine that runs the tests.
vi.mock('@/lib/core/disk', async (original) => ({
  ...(await original<typeof disk>()),
  isDiskFull: vi.fn(async () => false),
}))
vi.mock('@/db/client', async (original) => ({
  ...(await original<typeof client>()),
  database: vi.fn(),
  openingFault: vi.fn(),
  isMigrating: vi.fn(),
}))

beforeEach(() => {
  vi.spyOn(process, 'uptime').mockReturnValue(60)
})
afterEach(() => {
  vi.resetAllMocks()
  forgetRuntime()
  delete settings.tokenSecrets
  delete settings.authSecret
  settings.databaseDriver = 'pglite'
})

const opened = (run: () => Promise<unknown>) => Object({ driver: 'pg', run })

async function health() {
  const response = await route(getHealth).GET(new Request('http://localhost/health'))
  const body = await response.json()
  return { status: response.status, body, said: body.status, database: body.checks.database.status }
}

test('healthy while the database answers, with exactly the named fields', async () => {
  vi.mocked(client.database).mockResolvedValue(opened(async () => []))
  const { body, ...rest } = await health()
  expect(rest).toEqual({ status: 200, said: 'healthy', database: 'ok' })
  expect(body.summary).toMatch(
    /^healthy: database \d+ ms, limits in process, up \d+ (s|min); lists have one page; sign-in is off$/,
  )
  expect(Object.keys(body)).toEqual(['status', 'summary', 'timestamp', 'uptime_seconds', 'version', 'commit', 'checks'])
  expect(body.checks).toMatchObject({
    limiter: { status: 'ok', store: 'process' },
    page_tokens: { status: 'off' },
    sign_in: { status: 'off' },
  })
})

test('a server with both secrets says nothing of them in its line', async () => {
  Object.assign(settings, { tokenSecrets: ['a secret'], authSecret: 'another' })
  vi.mocked(client.database).mockResolvedValue(opened(async () => []))
  const { body } = await health()
  expect(body.summary).toMatch(/up \d+ (s|min)$/)
  expect(body.checks).toMatchObject({ page_tokens: { status: 'on' }, sign_in: { status: 'on' } })
})

test('unhealthy with 503 while statements fail: those of the check, or others that a pooler mixed up', async () => {
  settings.databaseDriver = 'pg'
  vi.mocked(client.database).mockResolvedValue(
    opened(async () => Promise.reject(Object.assign(new Error('no such statement'), { code: '26000' }))),
  )
  expect(await health()).toMatchObject({ status: 503, said: 'unhealthy', database: 'refusing' })
  vi.mocked(client.database).mockResolvedValue(Object({ run: async () => [], trouble: () => 'The pooler …' }))
  const { body, ...rest } = await health()
  expect(rest).toEqual({ status: 503, said: 'unhealthy', database: 'refusing' })
  expect(body.summary).toContain('the database refuses statements')
})

test.each(['57P01', '53300', 'ECONNREFUSED', undefined])(
  'degraded with 200 while a database is stopped, full or away: %s',
  async (code) => {
    settings.databaseDriver = 'pg'
    vi.mocked(client.database).mockRejectedValue(Object.assign(new Error('away'), { code }))
    expect(await health()).toMatchObject({ status: 200, said: 'degraded', database: 'unanswering' })
  },
)

test('degraded with 200 while a migration runs, and says so', async () => {
  vi.mocked(client.database).mockReturnValue(new Promise(() => {}))
  vi.mocked(client.isMigrating).mockReturnValue(true)
  const { body, ...rest } = await health()
  expect(rest).toEqual({ status: 200, said: 'degraded', database: 'migrating' })
  expect(body.summary).toMatch(/^degraded: the database is being migrated, /)
})

test('degraded with 200 while the database refuses, also when it could not be opened elsewhere', async () => {
  settings.databaseDriver = 'vercel'
  vi.mocked(client.database).mockRejectedValue(new Error('refused'))
  vi.mocked(client.openingFault).mockReturnValue(new Error('refused'))
  expect(await health()).toMatchObject({ status: 200, said: 'degraded', database: 'unanswering' })
})

test('degraded with 200 while the disk is full, and says so', async () => {
  vi.mocked(client.database).mockResolvedValue(opened(async () => []))
  vi.mocked(disk.isDiskFull).mockResolvedValue(true)
  const { body, ...rest } = await health()
  expect(rest).toEqual({ status: 200, said: 'degraded', database: 'ok' })
  expect(body.checks.disk).toEqual({ status: 'full' })
  expect(body.summary).toMatch(/^degraded: database \d+ ms, the disk is full, limits in process/)
})

test('unhealthy with 503 when the embedded database could not be opened', async () => {
  settings.databaseDriver = 'pglite'
  vi.mocked(client.database).mockRejectedValue(new Error('locked'))
  vi.mocked(client.openingFault).mockReturnValue(new Error('locked'))
  expect(await health()).toMatchObject({ status: 503, said: 'unhealthy', database: 'unopened' })
  expect((await health()).body.summary).toMatch(/^unhealthy: the embedded database could not be opened, /)
})

test('degraded after 150 ms while the database hangs; it is asked once, however many want to know', async () => {
  let answer = (_: unknown[]) => {}
  const run = vi.fn(
    () =>
      new Promise<unknown[]>((done) => {
        answer = done
      }),
  )
  vi.mocked(client.database).mockResolvedValue(opened(run))
  // The test controls the clock, so that a busy machine does not decide the result.
  vi.useFakeTimers()
  const asked = Promise.all(Array.from({ length: 20 }, health))
  await vi.advanceTimersByTimeAsync(150)
  vi.useRealTimers()
  for (const one of await asked) expect(one).toMatchObject({ status: 200, said: 'degraded', database: 'unanswering' })
  expect(run).toHaveBeenCalledTimes(1)
  answer([])
  await new Promise((done) => setTimeout(done, 5))
  vi.mocked(client.database).mockResolvedValue(opened(async () => []))
  expect((await health()).said).toBe('healthy')
})

test('a process that has just begun is not degraded because its database is still being opened', async () => {
  vi.mocked(process.uptime).mockReturnValue(1)
  vi.useFakeTimers()
  const openedAfter = (ms: number) =>
    vi.mocked(client.database).mockImplementation(async () => {
      await new Promise((done) => setTimeout(done, ms))
      return opened(async () => [])
    })
  openedAfter(1_500)
  const asked = health()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(await asked).toMatchObject({ said: 'healthy', database: 'ok' })
  openedAfter(9_000)
  const late = health()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(await late).toMatchObject({ said: 'degraded', database: 'unanswering' })
  vi.useRealTimers()
})

test('instances that count limits each by itself say so', async () => {
  forgetRuntime('next')
  settings.databaseDriver = 'vercel'
  vi.mocked(client.database).mockResolvedValue(opened(async () => []))
  const { body, said } = await health()
  expect(said).toBe('healthy')
  expect(body.summary).toContain('limits in each process alone')
  expect(body.checks.limiter).toEqual({ status: 'ok', store: 'process', alone: true })
})

test('degraded with 200 while the shared limit store does not answer; an embedded database that is unusable is worse', async () => {
  vi.spyOn(limiter, 'limitStore').mockReturnValue({ status: 'degraded', store: 'process' })
  settings.databaseDriver = 'pglite'
  vi.mocked(client.database).mockResolvedValue(opened(async () => []))
  const answered = await health()
  expect(answered).toMatchObject({ status: 200, said: 'degraded', database: 'ok' })
  expect(answered.body.checks.limiter).toEqual({ status: 'degraded', store: 'process' })
  vi.mocked(client.database).mockRejectedValue(new Error('locked'))
  vi.mocked(client.openingFault).mockReturnValue(new Error('locked'))
  expect(await health()).toMatchObject({ status: 503, said: 'unhealthy' })
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [10_900, '3 h'],
  [200_000, '2 d'],
])('%i seconds are %s', (seconds, text) => expect(roughly(seconds)).toBe(text))
