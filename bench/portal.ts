import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { chromium } from 'playwright'
import { type Database, openDatabase, rows } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { cookieOf, makePerson, signIn } from '../e2e/people'
import { type Driver, launch, makeHome } from '../e2e/running'
import { makeInvoices } from './books'

const RUNS = 20
const WARM = 3
/** What a page may take, in milliseconds. */
const WANTED = 100

/** So many requests of the last 30 days, their sums by the hour, ten thousand deliveries and as many audit entries. */
async function fill(db: Database, contractorId: string, requests: number): Promise<void> {
  const [key] = await rows<{ id: string }>(
    db.orm,
    sql`select id from api_keys where contractor_id = ${contractorId} limit 1`,
  )
  const endpoint = sql`(array['list_customers','list_projects','list_invoices','list_payments','get_record'])[1 + g % 5]`
  const status = sql`case when g % 50 = 0 then 429 when g % 20 = 0 then 400 when g % 1000 = 0 then 500 else 200 end`
  const at = sql`now() - (g * interval '2.5 seconds')`
  const each = sql`generate_series(1, ${requests}::int) g`
  await rows(
    db.orm,
    sql`insert into request_log (id, at, contractor_id, key_id, method, path, endpoint, status, error_code, address, duration_ms)
      select (lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(g), 19, '0'))::uuid, ${at}, ${contractorId},
        ${key?.id ?? ''}, 'GET', '/api/v1/' || ${endpoint}, ${endpoint}, ${status}, case when ${status} >= 400 then 'bad_request' end,
        '203.0.113.' || g % 250, 3 + g % 40 from ${each}`,
  )
  await rows(
    db.orm,
    sql`insert into request_sums (contractor_id, hour, key_id, endpoint, face, status_class, requests, errors, limited, duration_ms)
      select contractor_id, date_trunc('hour', at), key_id, endpoint, 'api', status / 100, count(*), count(*) filter (where status >= 400),
        count(*) filter (where status = 429), sum(duration_ms) from request_log group by 1, 2, 3, 4, 5, 6`,
  )
  await rows(
    db.orm,
    sql`insert into lead_deliveries (id, contractor_id, key_id, request_id, source, received_at, bytes, body, outcome, status, reason)
      select 'dlv_' || lpad(g::text, 26, '0'), ${contractorId}, ${key?.id ?? ''}, 'req_' || g, 'zapier', ${at}, 2, '{}', 'refused', 400, 'phone: is required'
      from generate_series(1, 10000) g`,
  )
  await rows(
    db.orm,
    sql`insert into audit_events (id, at, contractor_id, actor_kind, actor_name, event, subject, detail)
      select 'aud_' || lpad(g::text, 26, '0'), ${at}, ${contractorId}, 'operator', 'operator', 'key_changed', ${key?.id ?? ''}, '{}'
      from generate_series(1, 10000) g`,
  )
  await rows(db.orm, sql`vacuum analyze`)
}

const PAGES = [
  '/',
  '/keys',
  '/logs',
  '/logs?status=5xx',
  '/logs?path=/api/v1/nothing',
  '/usage',
  '/usage?range=30d',
  '/leads',
  '/leads?outcome=created',
  '/data/customers',
  '/data/invoices',
  '/data/invoices?status=paid',
  '/data/payments',
  '/team',
  '/audit',
  '/account',
  '/developers/api',
  '/developers/guides/quick-start',
  '/mcp/console',
]

const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** The processor time of a process so far, in milliseconds, where the system tells it; the time of a page on a busy machine says little. */
function cpuOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`
  if (pid === undefined || !existsSync(file)) return Number.NaN
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** How long the server takes for the whole of a page, one after another, once it has been asked for. */
async function timesOf(url: string, cookie: string): Promise<number[]> {
  const times: number[] = []
  for (let run = -WARM; run < RUNS; run++) {
    const began = performance.now()
    const answer = await fetch(url, { headers: { cookie, accept: 'text/html' } })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`)
    if (run >= 0) times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}

/** `npm run bench -- portal [pg|pglite] [requests]`: the time of each page of the portal for an administrator, with a million requests in the log. */
export async function run([driver = 'pg', requests = '1000000']: string[]): Promise<void> {
  const home = await makeHome(driver === 'pglite' ? 'pglite' : ('pg' satisfies Driver))
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 4 })
  const { contractorId } = await makeInvoices(db, 100_000)
  await fill(db, contractorId, Number(requests))
  await db.close()
  const person = makePerson({ home }, contractorId)
  const running = await (await launch('server', home, { RATE_LIMIT_PAGES: '1000000' })).ready()
  const { CHROMIUM_PATH: executablePath } = process.env
  const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) })
  const cookie = cookieOf(await signIn(browser, running.url, person))
  await browser.close()
  for (const path of PAGES) {
    const before = cpuOf(running.process.pid)
    const times = await timesOf(running.url + path, cookie)
    const cpu = (cpuOf(running.process.pid) - before) / (RUNS + WARM)
    const [p50, p95] = [at(times, 0.5), at(times, 0.95)]
    const over = p50 > WANTED ? `  over ${WANTED} ms` : ''
    const figures = [
      `p50 ${p50.toFixed(0).padStart(4)} ms`,
      `p95 ${p95.toFixed(0).padStart(4)} ms`,
      `cpu ${cpu.toFixed(0).padStart(3)} ms`,
    ]
    console.log(`${path.padEnd(34)} ${figures.join('  ')}${over}`)
  }
  await running.end()
  await home.remove()
}
