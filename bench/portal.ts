import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { RESOURCE_NAMES } from '@/lib/core/resource-names'
import { cookieOf, makePerson, signIn } from '../e2e/people'
import { launch, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { note } from './figures'
import { median } from './load'
import { fill, type Samples } from './portal-data'

const RUNS = 20
const WARM = 3
/** The most a page may take, in ms. */
const WANTED = 100

/** Returns every page, and lists with filters; of a page that stands for many, one. */
const pagesOf = ({ request, delivery, key, customer, project, invoice }: Samples): string[] => [
  ...['/', '/account', '/alerts', '/team', '/audit', '/audit?event=key_changed', '/status'],
  ...['/keys', '/keys/new', `/keys/${key}/rotate`, `/keys/${key}/revoke`],
  ...['/logs', '/logs?period=30d', '/logs?status=5xx', '/logs?status=failed&period=7d', '/logs?path=/api/v1/nothing'],
  ...[`/logs?key=${key}`, '/logs?endpoint=list_invoices&period=30d', '/logs?address=203.0.113.7'],
  ...[`/logs/${request}`, `/logs/compare?a=${request}&b=${request}`, '/usage', '/usage?range=30d', `/usage?key=${key}`],
  ...[
    '/leads',
    '/leads?outcome=created',
    '/leads?outcome=refused',
    '/leads?outcome=test',
    `/leads/${delivery}`,
    '/leads/lab',
  ],
  ...RESOURCE_NAMES.map((name) => `/${name}`),
  ...['/invoices?status=paid', '/invoices?status=overdue', '/data/load'],
  ...[`/customers/${customer}`, `/projects/${project}`, `/invoices/${invoice}`],
  ...['/developers/api', '/developers/api/list_invoices', '/developers/api/swagger'],
  ...['/developers/guides', '/developers/guides/quick-start', '/mcp/console', '/find?q=customer%207'],
]

const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** The processor time of a process so far, in milliseconds, where the system tells it. */
function cpuOf(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const fields = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? []
  // User and system time, in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/**
 * Returns how much CPU time a server and its database processes have used so far. On a busy machine this says more than how long a page
 * took.
 */
async function workOf(db: Database, server: number): Promise<{ server: number; database: number }> {
  const backends = await rows<{ pid: number }>(
    db.orm,
    sql`select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  const database = backends.reduce((sum, { pid }) => sum + (cpuOf(pid) || 0), 0)
  return { server: cpuOf(server), database }
}

/** Measures how long the server takes for the whole of a page, one after another, once it has been asked for. */
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

type Page = { p50: number; work: number }

/** Prints the times of a page, and the processor time of server and database for one. */
function report(path: string, times: number[], work: { server: number; database: number }): Page {
  const [p50, p95] = [at(times, 0.5), at(times, 0.95)]
  const sum = work.server + work.database
  const ms = (value: number) => `${value.toFixed(0).padStart(4)} ms`
  const figures = [`p50 ${ms(p50)}`, `p95 ${ms(p95)}`, `server ${ms(work.server)}`, `database ${ms(work.database)}`]
  const over = sum > WANTED ? `  works over ${WANTED} ms` : p50 > WANTED ? `  took over ${WANTED} ms` : ''
  console.log(`${path.replace(/[0-9a-z-]{20,}/g, '…').padEnd(40)} ${figures.join('  ')}${over}`)
  return { p50, work: sum }
}

/** Notes the slowest page, and how many work longer than they may. */
function noteAll(pages: Page[], requests: string): void {
  const log = `${requests} requests in the log`
  const over = pages.filter(({ work }) => work > WANTED).length
  note(`pages of ${pages.length} that work over ${WANTED} ms with ${log}`, over, { unit: 'pages', goal: { atMost: 0 } })
  note(`p50 of the slowest page with ${log}`, Math.max(...pages.map(({ p50 }) => p50)), { unit: 'ms' })
  note(`p50 of the median page with ${log}`, median(pages.map(({ p50 }) => p50)), { unit: 'ms' })
}

/**
 * Runs `npm run bench -- portal [requests] [paths]`, over Postgres: the time of every page of the portal for an administrator, with a
 * million requests in the log.
 */
export async function run([requests = '1000000', ...only]: string[]): Promise<void> {
  const home = await makeHome('pg')
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 4 })
  const { contractorId } = await makeInvoices(db, Math.min(100_000, Number(requests)))
  const samples = await fill(db, contractorId, Number(requests))
  await db.close()
  const person = await makePerson({ home }, contractorId)
  const running = await (await launch('server', home, { RATE_LIMIT_PAGES: '1000000' })).ready()
  const cookie = cookieOf(await signIn(running.url, person))
  const watch = await openDatabase({ ...loadEnv(home.env), poolSize: 1 })
  const pid = running.process.pid ?? 0
  const pages: Page[] = []
  for (const path of pagesOf(samples).filter((each) => only.length === 0 || only.includes(each))) {
    const before = await workOf(watch, pid)
    const times = await timesOf(running.url + path, cookie)
    const after = await workOf(watch, pid)
    const work = {
      server: (after.server - before.server) / (RUNS + WARM),
      database: (after.database - before.database) / (RUNS + WARM),
    }
    pages.push(report(path, times, work))
  }
  noteAll(pages, requests)
  await watch.close()
  await running.end()
  await home.remove()
}
