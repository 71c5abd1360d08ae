// `npm run soak`: an hour of mixed work on a real server: lists, leads, tool calls, pages, loads and the change feed. Prints the server's resource
// use as a table, draws a chart, and says what was lost. `-- --minutes 5` shortens it, `--entry next` and `--driver pg` (TEST_POSTGRES_URL) choose
// what runs, `--rate 2` doubles the pace.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Driver, type Entry, type Home, launch, makeHome, plumbline, type Running } from '../../e2e/running'
import { picture } from './picture'
import { percentile, type Sample, sample, whatGrew } from './samples'
import { leadsAcknowledged, MIX, type Target, type Work, whatWasLost } from './work'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    entry: { type: 'string', default: 'server' },
    driver: { type: 'string', default: 'pglite' },
    rate: { type: 'string', default: '1' },
  },
})
const minutes = Number(options.minutes)
const rate = Number(options.rate)
if (!(minutes > 0) || !(rate > 0)) {
  console.error('Give --minutes and --rate as numbers above 0.')
  process.exit(1)
}
const entry: Entry = options.entry === 'next' ? 'next' : 'server'
const driver: Driver = options.driver === 'pg' ? 'pg' : 'pglite'

/** A chart has about three hundred points; a short soak has fewer. */
const EVERY_MS = Math.max(2_000, (minutes * 60_000) / 300)
const OUT = 'artifacts/soak'

function prepare(home: Home): Omit<Target, 'url'> {
  const { id } = JSON.parse(plumbline(home, 'contractors', 'create', 'Soak', '--json').stdout)
  const keyFor = (preset: string) =>
    plumbline(home, 'keys', 'create', '--contractor', id, '--name', 'soak', '--preset', preset).stdout
  plumbline(home, 'load', '--contractor', id, 'db/demo/lakeshore-electric')
  const scopes = ['--scopes', 'write:data']
  const loadKey = plumbline(home, 'keys', 'create', '--contractor', id, '--name', 'office', ...scopes).stdout
  return { key: keyFor('integration'), leadKey: keyFor('lead-source'), agentKey: keyFor('agent'), loadKey }
}

/** Counts for one kind of work, the statuses that were errors (0: no answer), and the latencies since the last sample. */
type Count = { done: number; errors: number; refused: Set<number>; all: number[]; since: number[] }
const counts = new Map<string, Count>(
  MIX.map(({ kind }) => [kind, { done: 0, errors: 0, refused: new Set(), all: [], since: [] }]),
)
const countOf = (kind: string): Count =>
  counts.get(kind) ?? { done: 0, errors: 0, refused: new Set(), all: [], since: [] }

/** Starts a kind of work at its pace, whether or not earlier work is done, as independent callers do. */
function keepAt(work: Work, target: Target, until: number): Promise<void> {
  const count = countOf(work.kind)
  const going = new Set<Promise<void>>()
  const one = async (i: number) => {
    const began = performance.now()
    const statuses = await work.go(target, i).catch(() => [0])
    const ms = performance.now() - began
    count.done++
    count.all.push(ms)
    count.since.push(ms)
    const refused = statuses.filter((status) => status < 200 || status >= 400)
    for (const status of refused) count.refused.add(status)
    if (refused.length > 0) count.errors++
  }
  return new Promise((done) => {
    let i = 0
    const timer = setInterval(
      () => {
        if (performance.now() < until) {
          const go: Promise<void> = one(i++).finally(() => going.delete(go))
          going.add(go)
          return
        }
        clearInterval(timer)
        void Promise.all(going).then(() => done())
      },
      1000 / (work.perSecond * rate),
    )
  })
}

async function soak(running: Running, target: Target): Promise<Sample[]> {
  const began = performance.now()
  const samples: Sample[] = []
  const look = () => {
    const taken = new Map([...counts].map(([kind, { since }]) => [kind, since]))
    samples.push(sample(running.process.pid ?? 0, (performance.now() - began) / 1000, taken))
    for (const count of counts.values()) count.since = []
  }
  const looking = setInterval(look, EVERY_MS)
  await Promise.all(MIX.map((work) => keepAt(work, target, began + minutes * 60_000)))
  clearInterval(looking)
  look()
  return samples
}

/** The seconds that all processors were busy, and were there. */
const processors = () => {
  const times = cpus().map(({ times: { idle, ...busy } }) => ({
    idle,
    busy: Object.values(busy).reduce((a, b) => a + b),
  }))
  const busy = times.reduce((sum, one) => sum + one.busy, 0)
  return { busy, all: busy + times.reduce((sum, one) => sum + one.idle, 0) }
}

function tell(samples: Sample[]): void {
  const [first, last] = [samples[0], samples.at(-1)]
  console.log('\nKIND       REQUESTS  ERRORS  MEDIAN ms     P95 ms     P99 ms')
  for (const [kind, { done, errors, all }] of counts) {
    const figures = [0.5, 0.95, 0.99].map((part) => percentile(all, part).toFixed(1).padStart(11))
    console.log(`${kind.padEnd(9)}${String(done).padStart(10)}${String(errors).padStart(8)}${figures.join('')}`)
  }
  const of = (one: Sample | undefined) => `${one?.memoryMb.toFixed(0)} MB, ${one?.descriptors ?? 'unknown'} descriptors`
  console.log(`\nAt the first look ${of(first)}; at the last ${of(last)}.`)
}

const home = await makeHome(driver)
try {
  const keys = prepare(home)
  const limits = ['DATA_API', 'LEADS', 'MCP', 'RAG', 'SIGN_IN', 'PAGES'].map((name) => [
    `RATE_LIMIT_${name}`,
    '1000000',
  ])
  const running = await (await launch(entry, home, Object.fromEntries(limits))).ready()
  console.log(
    `${minutes} min of mixed work on ${entry} over ${driver === 'pg' ? 'Postgres' : 'the embedded database'} …`,
  )
  const target = { url: running.url, ...keys }
  const before = processors()
  const samples = await soak(running, target)
  const after = processors()
  const lost = await whatWasLost(target)
  const code = await running.end()
  tell(samples)
  const share = (100 * (after.busy - before.busy)) / (after.all - before.all)
  console.log(`The processors were ${share.toFixed(0)} % busy. ${leadsAcknowledged()} leads were acknowledged.`)
  mkdirSync(OUT, { recursive: true })
  const path = join(OUT, `${entry}-${driver}.svg`)
  writeFileSync(path, picture(`${minutes} min of mixed work, ${entry}, ${driver}`, samples))
  writeFileSync(path.replace(/svg$/, 'json'), JSON.stringify(samples))
  console.log(`Picture: ${path}; its figures: .json beside it`)
  const errors = [...counts.values()].reduce((sum, count) => sum + count.errors, 0)
  const refused = [...counts]
    .flatMap(([kind, { refused }]) => [...refused].map((status) => `${kind} ${status || 'without an answer'}`))
    .join(', ')
  const wrong = [
    ...whatGrew(samples),
    ...lost,
    errors > 0 ? `${errors} requests were not answered well: ${refused}.` : '',
    code === 0 ? '' : `The server ended with code ${code}.`,
  ].filter((what) => what !== '')
  for (const what of wrong) console.error(what)
  process.exitCode = wrong.length > 0 ? 1 : 0
} finally {
  await home.remove()
}
process.exit()
