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

/** What is turned on in the process. Each setting is measured in pairs with `off`. */
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

/** Returns this process's CPU time in microseconds per request, including an embedded database's. */
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
      // Each pair starts with the variant the previous pair ended with, so that neither always goes first.
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

/** `npm run bench -- observability [pairs] [requests]`: reads 50 of 10,000 invoices by calling the handler directly. */
export async function run([pairs = '20', requests = '400']: string[]): Promise<void> {
  for (const driver of ['pg', 'pglite'] as const) await cost(driver, Number(pairs), Number(requests))
}
