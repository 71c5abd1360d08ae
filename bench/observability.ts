import { openDatabase, shareDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { makeLogger, replaceLogger } from '@/lib/core/log'
import { shared } from '@/lib/core/shared'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { serviceRequest } from '@/lib/http/request'
import type { Metrics } from '@/lib/telemetry/metrics'
import { makeMetrics } from '@/lib/telemetry/registry'
import { findRoute } from '@/lib/testing/answer-of'
import { type Driver, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { databaseOf, driversOf, note } from './figures'
import { median } from './load'

const AT_ONCE = 8

/** The list's own limit and log are not what is measured. */
const SETTINGS = { RATE_LIMIT_DATA_API: '100000000', REQUEST_LOG_DAYS: '0' }

const countRequests = () => {
  const holder = shared<{ current?: Metrics }>('metrics', () => ({}))
  holder().current = metrics
  return () => {
    delete holder().current
  }
}
const writeLines = () => replaceLogger(makeLogger('debug', { write: () => {} }))
/** The line that a process writes per request only with `LOG_LEVEL=debug`. */
const LINE = 'a line per request (debug)'
const BOTH = 'metrics and such a line'

/** The settings turned on in the process. Each is measured in pairs with `off`. */
const WAYS: Record<string, () => () => void> = {
  off: () => () => {},
  metrics: countRequests,
  [LINE]: writeLines,
  [BOTH]: () => {
    const ends = [countRequests(), writeLines()]
    return () => {
      for (const end of ends) end()
    }
  },
}
const metrics = makeMetrics(undefined)

/** Returns this process's CPU time in microseconds per request, including an embedded database's. */
async function measure(ask: () => Promise<unknown>, requests: number): Promise<number> {
  const began = process.cpuUsage()
  for (let i = 0; i < requests; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, ask))
  const { user, system } = process.cpuUsage(began)
  return (user + system) / requests
}

type Compared = { ratio: number; used: number }

/** Measures with something turned on and without it. Returns the medians of its CPU time and of the ratios of the pairs. */
async function inPairs(begin: () => () => void, once: () => Promise<number>, pairs: number): Promise<Compared> {
  const ratios: number[] = []
  const figures: number[] = []
  const on = async () => {
    const end = begin()
    const used = await once()
    end()
    return used
  }
  for (let pair = 0; pair < pairs; pair++) {
    // Each pair starts with the variant the previous pair ended with, so that neither always goes first.
    const isOnFirst = pair % 2 === 0
    const first = isOnFirst ? await on() : await once()
    const second = isOnFirst ? await once() : await on()
    const [used, without] = isOnFirst ? [first, second] : [second, first]
    ratios.push(used / without)
    figures.push(used)
  }
  return { ratio: median(ratios), used: median(figures) }
}

function report(driver: Driver, name: string, { ratio, used }: Compared): void {
  console.log(`${driver}  ${name.padEnd(20)} ${used.toFixed(0)} µs CPU, ${ratio.toFixed(3)} of off`)
  const over = databaseOf(driver)
  if (name === 'off') note(`CPU of a list, nothing on, ${over}`, used, { unit: 'µs' })
  else
    note(`CPU of a list with ${name} to without, ${over}`, ratio, name === 'metrics' ? { goal: { atMost: 1.05 } } : {})
}

async function cost(driver: Driver, pairs: number, requests: number): Promise<void> {
  const home = await makeHome(driver)
  const db = await openDatabase(loadEnv({ ...home.env, DATABASE_POOL_SIZE: String(AT_ONCE) }))
  shareDatabase(db)
  const { key } = await makeInvoices(db, 10_000)
  const answer = await findRoute('/api/v1/invoices')
  const headers = { 'x-api-key': key, [ADDRESS_HEADER]: '203.0.113.1' }
  const request = serviceRequest(new Request('http://localhost/api/v1/invoices?limit=50', { headers }))
  const ask = async () => {
    const reply = await answer?.(request)
    if (reply?.status !== 200) throw new Error(`${reply?.status} ${reply?.body}`)
  }
  await measure(ask, requests * 3)
  for (const [name, begin] of Object.entries(WAYS))
    report(driver, name, await inPairs(begin, () => measure(ask, requests), pairs))
  await db.close()
  await home.remove()
}

/** Runs `npm run bench -- observability [pairs] [requests] [pg|pglite]`: reads 50 of 10,000 invoices by calling the handler directly. */
export async function run(args: string[]): Promise<void> {
  Object.assign(process.env, SETTINGS)
  const [pairs = '20', requests = '400'] = args.filter((arg) => Number(arg) > 0)
  for (const driver of driversOf(args)) await cost(driver, Number(pairs), Number(requests))
}
