import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, shareDatabase } from '@/db/client'
import { execute } from '@/lib/operations/execute'
import { getRequest } from '@/lib/operations/requests/log'
import { requestsLogged } from '@/lib/telemetry/request-log'
import { startRequestLog } from '@/lib/telemetry/start'
import { openTestDatabase } from '@/lib/testing/database'
import { collectLog } from '@/lib/testing/log'
import { call, makeTenant } from '@/lib/testing/tenant'

let db: Database
let tenant: Awaited<ReturnType<typeof makeTenant>>
let key: string
beforeAll(async () => {
  Object.assign(process.env, { REQUEST_LOG_DAYS: '30' })
  db = await openTestDatabase({ DATABASE_POOL_SIZE: '1' })
  shareDatabase(db)
  startRequestLog()
  tenant = await makeTenant(db)
  key = (await tenant.key()).text
  await tenant.load({
    'customers.csv': 'Customer ID,Name\nC1,Ana',
    'projects.csv': 'Project ID,Customer ID,Name\nP1,C1,Roof',
    'invoices.csv': 'Invoice Number,Project ID,Amount,Date\nI1,P1,10,2026-01-05',
  })
  // The key's first request looks it up.
  await call('/api/v1/projects', { key })
  await sleepIn(1.2)
  await db.orm.execute(sql`alter table analytics_invoice_records rename to kept_invoices`)
  await db.orm.execute(sql`create view analytics_invoice_records as select * from kept_invoices where slow()`)
})
afterAll(() => db.close())

/** Has every invoice that is read take so many seconds. */
const sleepIn = (seconds: number) =>
  db.orm.execute(
    sql.raw(`create or replace function slow() returns boolean language plpgsql as $$ begin
      perform pg_sleep(${seconds}); return true; end $$`),
  )

/** Takes the pool's only connection for so many seconds. */
const hold = (seconds: number) => db.orm.execute(sql`select pg_sleep(${seconds})`).then(() => {})

const get = (path: string) => call(path, { key })

/** Runs work, and returns it with the lines of the log. */
async function withLog<T>(work: () => Promise<T>) {
  const log = collectLog('warn')
  try {
    return { found: await work(), lines: log.lines() }
  } finally {
    log.end()
  }
}

test('a slow request leaves where its time went, in the log and in the request log; a quick one nothing', async () => {
  const { found, lines } = await withLog(() => get('/api/v1/invoices'))
  expect(found.status).toBe(200)
  const requestId = found.headers.get('x-request-id') ?? ''
  const said = {
    level: 'warn',
    message: 'slow request',
    requestId,
    operation: 'list_invoices',
    status: 200,
    waitedMs: expect.any(Number),
  }
  expect(lines).toMatchObject([said])
  expect(lines[0].parts).toMatch(/page_analytics_invoice_records_\d+ 1[2-9]\d\d ms/)
  expect(lines[0].oursMs).toBeLessThan(lines[0].durationMs - 1_100)
  const quick = await withLog(() => get('/api/v1/projects'))
  expect(quick.lines).toEqual([])
  await requestsLogged()
  const of = async (id: string | null) =>
    (await execute(getRequest, { actor: tenant.operator, now: new Date() }, { id: id ?? '' })).timing
  expect(await of(quick.found.headers.get('x-request-id'))).toBeNull()
  expect(await of(requestId)).toMatchObject({
    waitedMs: lines[0].waitedMs,
    parts: [{ ms: expect.any(Number), times: 1 }],
  })
})

test('what waited while another used the only connection is told apart from what ran', async (context) => {
  if (db.driver === 'pglite') return context.skip('the embedded database gives no deadline')
  const waiting = async () => {
    const held = hold(1.6)
    const found = await get('/api/v1/projects')
    await held
    return found
  }
  const { found, lines } = await withLog(waiting)
  expect(found.status).toBe(200)
  expect(lines[0].waitedMs).toBeGreaterThan(1_000)
  expect(lines[0].parts).toMatch(/page_projects_\d+ \d{1,3} ms/)
})

test('a passed deadline is 503, and says which statement it was and whether it waited for a connection', async (context) => {
  if (db.driver === 'pglite') return context.skip('the embedded database gives no deadline')
  const held = hold(4)
  const waited = await withLog(() => get('/api/v1/projects'))
  await held
  expect([waited.found.status, waited.found.headers.get('retry-after')]).toEqual([503, '2'])
  expect(waited.lines[0].message).toMatch(/within 2500 ms: \w*page_projects_\d+ waited 2\d\d\d ms for a connection/)
  await sleepIn(4)
  const ran = await withLog(() => get('/api/v1/invoices'))
  expect(ran.found.status).toBe(503)
  expect(ran.lines[0].message).toMatch(/within 2500 ms: \w*page_analytics_invoice_records_\d+ ran for 2\d\d\d ms/)
})
