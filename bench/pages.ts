import { openDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { type Entry, launch, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { note } from './figures'

/** Pages per second. Before pages had their own share, this many raised the API's median latency from 8 to 727 ms. */
const PER_SECOND = 23

type Flood = { name: string; path: (i: number) => string }
const FLOODS: Flood[] = [
  { name: 'the start page', path: () => '/' },
  { name: 'the explorer', path: () => '/developers/api' },
  { name: 'pages that do not exist', path: (i) => `/nothing-${i}` },
]

const at = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN

/** Requests lists one after another with a short pause for some seconds, and returns their latencies. */
async function askApi(url: string, key: string, seconds: number): Promise<{ p50: number; p95: number }> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const began = performance.now()
    const answer = await fetch(`${url}/api/v1/invoices?limit=50`, { headers: { 'x-api-key': key } })
    await answer.text()
    times.push(performance.now() - began)
    await new Promise((done) => setTimeout(done, 10))
  }
  times.sort((a, b) => a - b)
  return { p50: at(times, 0.5), p95: at(times, 0.95) }
}

/** Requests pages at an even pace, answered or not, until stopped. Returns the statuses. */
function flood(url: string, { path }: Flood): () => Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  const open = new Set<Promise<void>>()
  let i = 0
  const ask = () => {
    const asked = fetch(url + path(i++), { redirect: 'manual' })
      .then(async ({ status, body }) => {
        for await (const _ of body ?? []);
        statuses[status] = (statuses[status] ?? 0) + 1
      })
      .catch(() => {})
      .finally(() => open.delete(asked))
    open.add(asked)
  }
  const timer = setInterval(ask, 1000 / PER_SECOND)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
    return statuses
  }
}

async function measure(entry: Entry, seconds: number, limits: Record<string, string>): Promise<void> {
  const home = await makeHome('pglite')
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 4 })
  const { key } = await makeInvoices(db, 10_000)
  await db.close()
  const running = await (await launch(entry, home, { RATE_LIMIT_DATA_API: '100000000', ...limits })).ready()
  const told = Object.entries(limits).map(([name, value]) => `${name}=${value}`)
  console.log(
    `\n${[entry === 'server' ? 'npm start' : 'next start', ...told].join(' ')}, ${PER_SECOND} pages a second from one address`,
  )
  await askApi(running.url, key, Math.min(3, seconds))
  for (const { path } of FLOODS) await (await fetch(running.url + path(0))).text()
  const alone = await askApi(running.url, key, seconds)
  console.log(`  ${'no pages'.padEnd(24)} p50 ${alone.p50.toFixed(1)} ms  p95 ${alone.p95.toFixed(1)} ms`)
  for (const each of FLOODS) {
    const stop = flood(running.url, each)
    const { p50, p95 } = await askApi(running.url, key, seconds)
    const statuses = JSON.stringify(await stop())
    const times = p95 / alone.p95
    const isLimited = told.length === 0
    note(
      `p95 of the API while ${each.name} ${isLimited ? 'is asked for' : 'is asked for without a limit'}, ${entry === 'server' ? 'npm start' : 'next start'}`,
      times,
      isLimited ? { goal: { atMost: 2 } } : {},
    )
    console.log(
      `  ${each.name.padEnd(24)} p50 ${p50.toFixed(1)} ms  p95 ${p95.toFixed(1)} ms  ${times.toFixed(1)} x  pages ${statuses}`,
    )
  }
  await running.end()
  await home.remove()
}

/**
 * Runs `npm run bench -- pages [seconds] [server|next]`: measures what anonymous page requests cost the API, through both entries, with and
 * without the limit on pages.
 */
export async function run(args: string[]): Promise<void> {
  const seconds = args.find((arg) => Number(arg) > 0) ?? '8'
  const entries = (['server', 'next'] as const).filter((entry) => args.includes(entry))
  for (const entry of entries.length > 0 ? entries : (['server', 'next'] as const)) {
    await measure(entry, Number(seconds), {})
    await measure(entry, Number(seconds), { RATE_LIMIT_PAGES: '1000000' })
  }
}
