import { type ChildProcess, spawn } from 'node:child_process'
import { sql } from 'drizzle-orm'
import { type Database, openDatabase, rows } from '@/db/client'
import { listRequests, type RequestFilters } from '@/db/queries/request-pages'
import { barsOfSums, sampleRequests } from '@/db/queries/request-stats'
import { loadEnv } from '@/lib/core/env'
import { type Driver, freePort, type Home, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { databaseOf, driversOf, note, optionOf } from './figures'
import { type Measured, measure, median } from './load'
import { warmUp } from './turns'

const CONTRACTOR = 'con_bench'

/**
 * Fills a contractor's log as real traffic would: ten keys, ten endpoints, one error in ten requests, so that any thousand rows
 * contain a full page of each.
 */
async function fillLog(db: Database, count: number): Promise<void> {
  await rows(
    db.orm,
    sql`insert into request_log (id, at, contractor_id, key_id, method, path, endpoint, status, address, duration_ms)
    select (lpad(to_hex((extract(epoch from '2026-01-01Z'::timestamptz) * 1000)::bigint + g * 10), 12, '0') || '7' || lpad(to_hex(g), 19, '0'))::uuid,
      '2026-01-01Z'::timestamptz + g * interval '10 milliseconds', ${CONTRACTOR}, 'key_' || g % 10, 'GET',
      '/api/v1/invoices/inv_' || g % 1000, 'endpoint_' || (g / 10) % 10,
      case when g % 500 = 0 then 404 when g % 10 = 0 then 400 else 200 end, '203.0.113.' || g % 250, 2.5
    from generate_series(0, ${count - 1}::int) g`,
  )
  await rows(db.orm, sql`analyze request_log`)
}

const PAGES: Record<string, RequestFilters> = {
  'first page': {},
  'errors only': { statusClass: 4 },
  'one key': { keyId: 'key_7' },
  'one endpoint': { endpoint: 'endpoint_3' },
  'class not there': { statusClass: 5 },
}

async function time(db: Database, filters: RequestFilters): Promise<number> {
  const began = performance.now()
  await listRequests(db.orm, { contractorId: CONTRACTOR, limit: 50, ...filters })
  return performance.now() - began
}

async function pages(most: number, runs: number): Promise<void> {
  const sizes = [1_000, most]
  const homes = await Promise.all(sizes.map(() => makeHome('pg')))
  const opened: Database[] = []
  for (const [i, size] of sizes.entries()) {
    const db = await openDatabase({ ...loadEnv(homes[i]?.env), poolSize: 2 })
    await fillLog(db, size)
    opened.push(db)
    console.log(`${size} rows are there`)
  }
  for (const [name, filters] of Object.entries(PAGES)) {
    const times: number[][] = sizes.map(() => [])
    for (let round = -Math.min(50, runs); round < runs; round++) {
      for (const [i, db] of opened.entries()) {
        const took = await time(db, filters)
        if (round >= 0) times[i]?.push(took)
      }
    }
    const [small = Number.NaN, large = Number.NaN] = times.map(median)
    console.log(
      `${name.padEnd(15)}  ${small.toFixed(3)} ms at ${sizes[0]}, ${large.toFixed(3)} ms at ${most}: ratio ${(large / small).toFixed(2)}`,
    )
    note(`page of the log, ${name}, at ${most} rows to one at ${sizes[0]}`, large / small, { goal: { atMost: 1.5 } })
  }
  for (const db of opened) await db.close()
  for (const home of homes) await home.remove()
}

async function fillSums(db: Database): Promise<void> {
  await rows(
    db.orm,
    sql`insert into request_sums (contractor_id, hour, key_id, endpoint, face, status_class, requests, errors, limited, duration_ms)
    select contractor_id, date_trunc('hour', at), key_id, endpoint, 'api', status / 100, count(*), count(*) filter (where status >= 400), 0,
      sum(duration_ms) from request_log group by 1, 2, 3, 4, 6`,
  )
}

const STATS = Object.entries({ ...PAGES, 'one path': { path: '/api/v1/invoices/inv_7' } }).flatMap(([name, filters]) =>
  [3_600_000, 86_400_000].map((length) => ({
    name: `${name}, ${length === 3_600_000 ? 'an hour' : 'a day'}`,
    filters,
    length,
  })),
)

/** Medians of how long figures and bars took, one for each of {@link STATS}. */
async function statsOf(driver: Driver, size: number, runs: number): Promise<number[]> {
  const home = await makeHome(driver)
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 2 })
  await fillLog(db, size)
  await fillSums(db)
  const to = new Date(Date.parse('2026-01-01') + size * 10)
  const medians: number[] = []
  for (const { filters, length } of STATS) {
    const query = {
      contractorId: CONTRACTOR,
      ...filters,
      from: new Date(to.getTime() - length).toISOString(),
      to: to.toISOString(),
    }
    const times: number[] = []
    for (let round = -Math.min(5, runs); round < runs; round++) {
      const began = performance.now()
      await sampleRequests(db.orm, query)
      await barsOfSums(db.orm, { ...query, by: 'hour' })
      if (round >= 0) times.push(performance.now() - began)
    }
    medians.push(median(times))
  }
  await db.close()
  await home.remove()
  return medians
}

/** Figures and bars above the log: an hour and a day, alone and by filters with and without an index. */
async function stats(driver: Driver, most: number, runs: number): Promise<void> {
  console.log(databaseOf(driver))
  // Both above what is looked through, so that a cost that grows with the log would show.
  const fewer = Math.min(10_000, most / 10)
  const small = await statsOf(driver, fewer, runs)
  const large = await statsOf(driver, most, runs)
  for (const [i, { name }] of STATS.entries()) {
    const [before = Number.NaN, after = Number.NaN] = [small[i], large[i]]
    console.log(
      `${name.padEnd(25)}  ${before.toFixed(1)} ms at ${fewer}, ${after.toFixed(1)} ms at ${most}: ratio ${(after / before).toFixed(2)}`,
    )
  }
}

type Started = { child: ChildProcess; url: string; key: string; home: Home }

async function start(driver: Driver): Promise<Started> {
  const home = await makeHome(driver)
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 4 })
  const { key } = await makeInvoices(db, 10_000)
  await db.close()
  const port = await freePort()
  const settings = { PORT: String(port), RATE_LIMIT_DATA_API: '100000000', REQUEST_LOG_DAYS: '30' }
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=32', '--min-semi-space-size=32', '--import', 'tsx', 'bench/servers/logged.ts'],
    {
      env: { ...process.env, ...home.env, ...settings, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const url = `http://127.0.0.1:${port}/api/v1/invoices?limit=50`
  for (let i = 0; i < 300; i++) {
    const answer = await fetch(url, { headers: { 'x-api-key': key } }).catch(() => undefined)
    if (answer?.ok) return { child, url, key, home }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('the server did not start')
}

async function cost(driver: Driver, rounds: number, seconds: number): Promise<void> {
  const { child, url, key, home } = await start(driver)
  const load = { url, headers: { 'x-api-key': key }, connections: 8 }
  const figures: { on: Measured; off: Measured }[] = []
  await warmUp(seconds, (seconds) => measure(child.pid ?? 0, { ...load, seconds }))
  for (let round = 0; round < rounds; round++) {
    // Each pair starts with the variant the previous pair ended with, so that neither always goes first.
    const first = await measure(child.pid ?? 0, { ...load, seconds })
    child.kill('SIGUSR2')
    await new Promise((done) => setTimeout(done, 700))
    const second = await measure(child.pid ?? 0, { ...load, seconds })
    figures.push(round % 2 === 0 ? { on: first, off: second } : { on: second, off: first })
  }
  const of = (which: 'on' | 'off', figure: keyof Measured) => median(figures.map((pair) => pair[which][figure]))
  const ratio = (figure: keyof Measured) => median(figures.map(({ on, off }) => on[figure] / off[figure]))
  console.log(`\n${databaseOf(driver)}: 50 of 10000 invoices, 8 connections, ${rounds} pairs of ${seconds} s, medians`)
  for (const which of ['off', 'on'] as const)
    console.log(
      `  ${which.padEnd(3)}  ${of(which, 'perSecond').toFixed(0)} requests/s  ${of(which, 'cpuMicroseconds').toFixed(0)} µs CPU`,
    )
  const [rate, cpu] = [ratio('perSecond'), ratio('cpuMicroseconds')]
  console.log(`  on / off, pair by pair: requests/s ${rate.toFixed(3)}, CPU ${cpu.toFixed(3)}`)
  note(`requests/s with the log on to off, ${databaseOf(driver)}`, rate, { goal: { atLeast: 0.95 } })
  note(`CPU of a list with the log on to off, ${databaseOf(driver)}`, cpu, { goal: { atMost: 1.05 } })
  child.kill('SIGKILL')
  await home.remove()
}

const PARTS = ['pages', 'stats', 'cost']

/**
 * Runs `npm run bench -- request-log [pages] [stats] [cost] [pg|pglite] [rounds] [seconds] [--rows 1000000] [--runs n]`: pages of the log,
 * its figures, and lists with the log on and off.
 */
export async function run(args: string[]): Promise<void> {
  const most = optionOf(args, '--rows', 1_000_000)
  const [rounds = '15', seconds = '2'] = args.filter((arg, i) => Number(arg) > 0 && !args[i - 1]?.startsWith('--'))
  const wants = (part: string) => !PARTS.some((each) => args.includes(each)) || args.includes(part)
  const drivers = driversOf(args)
  if (wants('pages') && drivers.includes('pg')) await pages(most, optionOf(args, '--runs', 400))
  for (const driver of drivers) if (wants('stats')) await stats(driver, most, optionOf(args, '--runs', 60))
  for (const driver of drivers) if (wants('cost')) await cost(driver, Number(rounds), Number(seconds))
}
