import { openDatabase, shareDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { makeLogger, replaceLogger } from '@/lib/core/log'
import { ADDRESS_HEADER } from '@/lib/http/address'
import { endpointFinder } from '@/lib/http/endpoint'
import { serviceRequest } from '@/lib/http/request'
import { part } from '@/lib/runtime/runtime'
import { endpoints } from '@/lib/server/endpoints'
import { makeMetrics } from '@/lib/telemetry/registry'
import { type Driver, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { median } from './load'

const AT_ONCE = 8

/** What the process runs with; each is measured beside `off`, in pairs. */
const WAYS: Record<string, () => () => void> = {
  off: () => () => {},
  metrics: () => {
    const holder = part('metrics', () => ({}))
    holder().current = metrics
    return () => {
      delete holder().current
    }
  },
  'a line per request': () => replaceLogger(makeLogger('debug', { write: () => {} })),
}
const metrics = makeMetrics(undefined)

/** CPU of this process in microseconds per request, the database's too where it is embedded. */
async function measure(ask: () => Promise<unknown>, requests: number): Promise<number> {
  const began = process.cpuUsage()
  for (let i = 0; i < requests; i += AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, ask))
  const { user, system } = process.cpuUsage(began)
  return (user + system) / requests
}

async function cost(driver: Driver, pairs: number, requests: number): Promise<void> {
  const home = await makeHome(driver)
  const db = await openDatabase(loadEnv({ ...home.env, DATABASE_POOL_SIZE: String(AT_ONCE) }))
  shareDatabase(db)
  const { key } = await makeInvoices(db, 10_000)
  const endpoint = endpointFinder(endpoints)('/api/v1/invoices')
  const headers = { 'x-api-key': key, [ADDRESS_HEADER]: '203.0.113.1' }
  const request = serviceRequest(new Request('http://localhost/api/v1/invoices?limit=50', { headers }))
  const ask = async () => {
    const reply = await endpoint?.answer(request)
    if (reply?.status !== 200) throw new Error(`${reply?.status} ${reply?.body}`)
  }
  await measure(ask, requests * 3)
  for (const [name, begin] of Object.entries(WAYS)) {
    const ratios: number[] = []
    const figures: number[] = []
    for (let pair = 0; pair < pairs; pair++) {
      const on = async () => {
        const end = begin()
        const used = await measure(ask, requests)
        end()
        return used
      }
      // Each pair begins with what the one before ended with, so neither is always first.
      const first = pair % 2 === 0 ? await on() : await measure(ask, requests)
      const second = pair % 2 === 0 ? await measure(ask, requests) : await on()
      const [used, without] = pair % 2 === 0 ? [first, second] : [second, first]
      ratios.push(used / without)
      figures.push(used)
    }
    console.log(
      `${driver}  ${name.padEnd(20)} ${median(figures).toFixed(0)} µs CPU, ${median(ratios).toFixed(3)} of off`,
    )
  }
  await db.close()
  await home.remove()
}

/** `npm run bench -- observability [pairs] [requests]`: 50 of 10,000 invoices, asked of the handler itself. */
export async function run([pairs = '20', requests = '400']: string[]): Promise<void> {
  for (const driver of ['pg', 'pglite'] as const) await cost(driver, Number(pairs), Number(requests))
}
