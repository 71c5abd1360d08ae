import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { type Driver, freePort, type Home, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { databaseOf, driversOf, note, optionOf } from './figures'
import { median } from './load'
import { makeEmptyNext, nextStart } from './servers/empty-next'

type Contender = { name: string; folder: string; command: (port: number) => string[]; path: string; home?: Home }
type Started = { first: number; page: number; megabytes: number }

/** Returns the memory of a process and its children, in megabytes. */
function megabytesOf(pid: number): number {
  const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + megabytesOf(Number(child)), own)
}

async function untilAnswered(url: string, key: string, child: ChildProcess): Promise<void> {
  for (;;) {
    const answer = await fetch(url, { headers: { 'x-api-key': key } }).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.status === 200) return
    if (child.exitCode !== null) throw new Error(`a server ended with ${child.exitCode}`)
    await sleep(5)
  }
}

/** Starts a server; `rest` is how many seconds it idles before its memory is read. */
async function start({ folder, command, path, home }: Contender, key: string, rest: number): Promise<Started> {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const began = performance.now()
  const child = spawn(process.execPath, command(port), {
    cwd: folder,
    env: { ...process.env, ...home?.env, PORT: String(port), RATE_LIMIT_DATA_API: '100000000', NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswered(url + path, key, child)
  const first = performance.now() - began
  await untilAnswered(url + (home ? '/sign-in' : '/'), key, child)
  const page = performance.now() - began
  await sleep(rest * 1000)
  const megabytes = megabytesOf(child.pid ?? 0)
  await new Promise((done) => child.once('exit', done).kill('SIGTERM'))
  return { first, page, megabytes }
}

/** Returns a folder's two listeners; an earlier version had its server in bin/. */
async function entriesOf(folder: string, name: string, driver: Driver, source: Home): Promise<Contender[]> {
  const server = [existsSync(join(folder, 'server.mjs')) ? 'server.mjs' : 'bin/server.mjs']
  const path = '/api/v1/invoices?limit=1'
  const homeOf = () => (driver === 'pg' ? source : copyOf(source))
  return [
    { name: `${name}npm start`, folder, command: () => server, path, home: await homeOf() },
    { name: `${name}next start`, folder, command: nextStart, path, home: await homeOf() },
  ]
}

/** The embedded database serves one process, so each entry gets a copy. */
async function copyOf(source: Home): Promise<Home> {
  const home = await makeHome('pglite')
  spawnSync('cp', ['-r', `${source.dataDir}/pg`, home.dataDir])
  return home
}

/** The goals of `npm start`: its first answer to an empty Next app's, and its memory at rest. The embedded database is within the process. */
const MOST = { pg: { first: 1.3, megabytes: 170 }, pglite: { first: 1.9, megabytes: 340 } }

function report(driver: 'pg' | 'pglite', rounds: number, figures: Map<string, Started[]>): void {
  const of = (name: string, figure: keyof Started) => (figures.get(name) ?? []).map((one) => one[figure])
  const ratio = (name: string, figure: keyof Started) =>
    median(of(name, figure).map((value, i) => value / (of('empty', figure)[i] ?? Number.NaN)))
  const shown = (name: string, figure: keyof Started, unit: string) =>
    `${ratio(name, figure).toFixed(2)} (${median(of(name, figure)).toFixed(0)} ${unit})`
  console.log(`\n${databaseOf(driver)}, existing data, ${rounds} rounds, medians; ratios to an empty Next app`)
  for (const name of figures.keys())
    console.log(
      `  ${name.padEnd(18)} first 200 ${shown(name, 'first', 'ms')}  page ${shown(name, 'page', 'ms')}  memory ${shown(name, 'megabytes', 'MB')}`,
    )
  for (const name of ['npm start', 'next start']) {
    const what = (of: string) => `${of} of ${name}, ${databaseOf(driver)}`
    const goal = (of: keyof Started & keyof (typeof MOST)['pg']) =>
      name === 'npm start' ? { goal: { atMost: MOST[driver][of] } } : {}
    note(what('start to the first 200, to an empty Next app,'), ratio(name, 'first'), goal('first'))
    note(what('memory at rest'), median(of(name, 'megabytes')), { unit: 'MB', ...goal('megabytes') })
  }
}

async function compare(
  driver: 'pg' | 'pglite',
  rounds: number,
  rest: number,
  empty: string,
  before?: string,
): Promise<void> {
  const source = await makeHome(driver)
  const db = await openDatabase({ ...loadEnv(source.env), poolSize: 2 })
  const { key } = await makeInvoices(db, 1_000)
  await db.close()
  const contenders: Contender[] = [
    { name: 'empty', folder: empty, command: nextStart, path: '/' },
    ...(await entriesOf(resolve('.'), '', driver, source)),
    ...(before ? await entriesOf(before, 'before: ', driver, source) : []),
  ]
  const figures = new Map<string, Started[]>(contenders.map(({ name }) => [name, []]))
  // The first round does what only a first start does, so it is not counted.
  for (let round = 0; round <= rounds; round++)
    for (const contender of contenders) {
      const started = await start(contender, key, rest)
      if (round > 0) figures.get(contender.name)?.push(started)
    }
  report(driver, rounds, figures)
  for (const home of new Set([source, ...contenders.map(({ home }) => home)])) await home?.remove()
}

/** Runs `npm run bench -- start [pglite|pg|both] [rounds] [folder of another version, built] [--rest seconds]` */
export async function run(args: string[]): Promise<void> {
  const rest = optionOf(args, '--rest', 6)
  const [, rounds = '5', before] = args.filter((arg, i) => arg !== '--rest' && args[i - 1] !== '--rest')
  const { folder, remove } = makeEmptyNext()
  try {
    for (const driver of driversOf(args)) await compare(driver, Number(rounds), rest, folder, before)
  } finally {
    remove()
  }
}
