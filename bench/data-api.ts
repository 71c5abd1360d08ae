import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { openDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { type Driver, freePort, type Home, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { databaseOf, driversOf, note } from './figures'
import { MIDDLEWARE, makeEmptyNext, ONE_ROUTE } from './servers/empty-next'
import { FIRST_PAGE } from './servers/sql'
import { stopAll, takeTurns } from './turns'

const INVOICES = 10_000
const NEXT = ['node_modules/next/dist/bin/next', 'start', '-H', 'localhost']
const CONTENDERS = {
  bare: ['--import', 'tsx', 'bench/servers/bare.ts'],
  fastify: ['--import', 'tsx', 'bench/servers/fastify.ts'],
  express: ['--import', 'tsx', 'bench/servers/express.ts'],
  // The same command as `npm start`.
  plumbline: ['server.mjs'],
  // The same, as behind a pooler that keeps no named statements.
  unnamed: ['server.mjs'],
  next: NEXT,
  // Next alone, with the same statement in its only route, without and with a middleware that passes requests on.
  route: NEXT,
  middleware: NEXT,
} satisfies Record<string, string[]>
const PEERS = {
  bare: 'the bare server',
  fastify: 'Fastify and Drizzle',
  express: 'Express and Drizzle',
  next: '`next start`',
}
/** Those that are measured over a Postgres only: the embedded database has no pooler, and is not what runs on the platform. */
const OVER_POSTGRES = ['unnamed', 'route', 'middleware'] as const
/** The contenders; `beside` is another built checkout of the service. */
type Contender = keyof typeof CONTENDERS | 'beside'

type Started = { name: Contender; child: ChildProcess; url: string; home: Home }
/** What all contenders serve, and the folder of each that is not this checkout. */
type Subject = {
  driver: Driver
  source: Home
  contractorId: string
  key: string
  folders: Partial<Record<Contender, string>>
}

/** The embedded database serves one process, so each contender gets a copy; a Postgres is shared. */
async function start(name: Contender, { driver, source, contractorId, key, folders }: Subject): Promise<Started> {
  const home = driver === 'pg' ? source : await makeHome('pglite')
  if (driver === 'pglite') cpSync(`${source.dataDir}/pg`, `${home.dataDir}/pg`, { recursive: true })
  const port = await freePort()
  const settings = {
    PORT: String(port),
    BENCH_CONTRACTOR: contractorId,
    BENCH_STATEMENT: FIRST_PAGE,
    RATE_LIMIT_DATA_API: '100000000',
    DATABASE_STATEMENTS: name === 'unnamed' ? 'unnamed' : 'named',
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const args = CONTENDERS[name === 'beside' ? 'plumbline' : name]
  const child = spawn(process.execPath, isNext(name) ? [...args, '-p', String(port)] : args, {
    cwd: folders[name] ?? process.cwd(),
    env: { ...process.env, ...home.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://localhost:${port}/api/v1/invoices?limit=50`
  for (let i = 0; i < 300; i++) {
    const answer = await fetch(url, { headers: { 'x-api-key': key } }).catch(() => undefined)
    if (answer?.ok) return { name, child, url, home }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${name} did not start`)
}

const isNext = (name: Contender) => name !== 'beside' && CONTENDERS[name] === NEXT

/** Prints and notes the ratios of Plumbline to the others. */
function report(driver: Driver, { ratio, cpu }: Awaited<ReturnType<typeof takeTurns<Contender, Started>>>): void {
  const others = ['bare', 'fastify', 'express', 'next'] as const
  const ratios = others.map((other) => `/ ${other} ${ratio('plumbline', other).toFixed(2)}`)
  console.log(`  plumbline ${ratios.join(', ')}`)
  const what = (of: string) => `${of}, ${databaseOf(driver)}`
  const goals: Partial<Record<Contender, number>> = { bare: driver === 'pg' ? 0.8 : 0.9, fastify: 1.6 }
  for (const other of others) {
    const goal = goals[other]
    note(
      what(`requests/s of plumbline to ${PEERS[other]}`),
      ratio('plumbline', other),
      goal === undefined ? {} : { goal: { atLeast: goal } },
    )
  }
  if (driver === 'pg') {
    note('requests/s of plumbline with unnamed statements to itself', ratio('unnamed', 'plumbline'))
    const ours = 'CPU of `next start` to an empty Next app with the same statement'
    note(`${ours} and a middleware`, cpu('next') / cpu('middleware'), { goal: { atMost: 1.1 } })
    note(ours, cpu('next') / cpu('route'))
  }
  note(what('CPU of plumbline to the bare server'), cpu('plumbline') / cpu('bare'))
  for (const name of ['bare', 'plumbline', 'next'] as const)
    note(what(`CPU per request, ${name}`), cpu(name), { unit: 'µs' })
}

async function compare(driver: Driver, rounds: number, seconds: number, beside: string): Promise<void> {
  const source = await makeHome(driver)
  const db = await openDatabase({ ...loadEnv(source.env), poolSize: 4 })
  const { contractorId, key } = await makeInvoices(db, INVOICES)
  await db.close()
  const started: Started[] = []
  const isPg = driver === 'pg' && beside === ''
  const apps = isPg
    ? { route: makeEmptyNext(ONE_ROUTE), middleware: makeEmptyNext({ ...ONE_ROUTE, ...MIDDLEWARE }) }
    : {}
  const made = Object.entries(apps).map(([name, { folder }]) => [name, folder])
  const folders = { ...(beside && { beside }), ...Object.fromEntries(made) }
  const names: Contender[] =
    beside === ''
      ? ['bare', 'fastify', 'express', 'plumbline', 'next', ...(isPg ? OVER_POSTGRES : [])]
      : ['plumbline', 'beside']
  for (const name of names) started.push(await start(name, { driver, source, contractorId, key, folders }))
  const rows = await takeTurns(started, rounds, seconds, ({ name, url }) => ({
    url: url.replace('localhost', isNext(name) ? 'localhost' : '127.0.0.1'),
    headers: { 'x-api-key': key },
    connections: 8,
  }))
  console.log(
    `\n${databaseOf(driver)}: 50 of ${INVOICES} invoices, 8 connections, ${rounds} rounds of ${seconds} s, medians`,
  )
  const first: Contender = beside === '' ? 'bare' : 'plumbline'
  for (const { name } of started)
    console.log(
      `  ${rows.line(name)}${name === first ? '' : `  ${first} / ${name} ${rows.ratio(first, name).toFixed(2)}`}`,
    )
  if (beside === '') report(driver, rows)
  await stopAll(started, source)
  for (const { remove } of Object.values(apps)) remove()
}

/**
 * Runs `npm run bench -- data-api [pg|pglite] [rounds] [seconds] [--beside <folder>]`: beside other servers, or beside another checkout of
 * this one, built, to see what a change costs.
 */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf('--beside')
  const beside = at < 0 ? '' : (args.splice(at, 2)[1] ?? '')
  const [, rounds = '5', seconds = '4'] = args
  for (const driver of driversOf(args)) await compare(driver, Number(rounds), Number(seconds), beside)
}
