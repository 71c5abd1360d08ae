import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync } from 'node:fs'
import { openDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { type Driver, freePort, type Home, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { stopAll, takeTurns } from './turns'

const INVOICES = 10_000
const CONTENDERS = {
  bare: ['--import', 'tsx', 'bench/servers/bare.ts'],
  fastify: ['--import', 'tsx', 'bench/servers/fastify.ts'],
  // The same command as `npm start`.
  plumbline: ['bin/server.mjs'],
  next: ['node_modules/next/dist/bin/next', 'start', '-H', 'localhost'],
} satisfies Record<string, string[]>
/** `beside` is another checkout of the service, built. */
type Contender = keyof typeof CONTENDERS | 'beside'

type Started = { name: Contender; child: ChildProcess; url: string; home: Home }

/** The embedded database serves one process, so each contender gets a copy; a Postgres is shared. */
async function start(
  name: Contender,
  driver: Driver,
  source: Home,
  contractorId: string,
  key: string,
  beside: string,
): Promise<Started> {
  const home = driver === 'pg' ? source : await makeHome('pglite')
  if (driver === 'pglite') cpSync(`${source.dataDir}/pg`, `${home.dataDir}/pg`, { recursive: true })
  const port = await freePort()
  const settings = {
    PORT: String(port),
    BENCH_CONTRACTOR: contractorId,
    RATE_LIMIT_DATA_API: '100000000',
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const args = CONTENDERS[name === 'beside' ? 'plumbline' : name]
  const child = spawn(process.execPath, name === 'next' ? [...args, '-p', String(port)] : args, {
    cwd: name === 'beside' ? beside : process.cwd(),
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

async function compare(driver: Driver, rounds: number, seconds: number, beside: string): Promise<void> {
  const source = await makeHome(driver)
  const db = await openDatabase({ ...loadEnv(source.env), poolSize: 4 })
  const { contractorId, key } = await makeInvoices(db, INVOICES)
  await db.close()
  const started: Started[] = []
  const names: Contender[] = beside === '' ? ['bare', 'fastify', 'plumbline', 'next'] : ['plumbline', 'beside']
  for (const name of names) started.push(await start(name, driver, source, contractorId, key, beside))
  const rows = await takeTurns(started, rounds, seconds, ({ name, url }) => ({
    url: url.replace('localhost', name === 'next' ? 'localhost' : '127.0.0.1'),
    headers: { 'x-api-key': key },
    connections: 8,
  }))
  console.log(
    `\n${driver === 'pg' ? 'Postgres' : 'PGlite'}: 50 of ${INVOICES} invoices, 8 connections, ${rounds} rounds of ${seconds} s, medians`,
  )
  const first: Contender = beside === '' ? 'bare' : 'plumbline'
  for (const { name } of started)
    console.log(`  ${rows.line(name)}${name === first ? '' : `  ${first} / ${name} ${rows.ratio(first, name)}`}`)
  if (beside === '') {
    const ratioTo = (other: Contender) => rows.ratio('plumbline', other)
    console.log(`  plumbline / bare ${ratioTo('bare')}, / fastify ${ratioTo('fastify')}, / next ${ratioTo('next')}`)
  }
  await stopAll(started, source)
}

/**
 * `npm run bench -- data-api [pg|pglite] [rounds] [seconds] [--beside <folder>]`: beside other servers, or beside another checkout of this one,
 * built, to see what a change costs.
 */
export async function run(args: string[]): Promise<void> {
  const at = args.indexOf('--beside')
  const beside = at < 0 ? '' : (args.splice(at, 2)[1] ?? '')
  const [only, rounds = '5', seconds = '4'] = args
  for (const driver of ['pg', 'pglite'] as const) {
    if (!only || only === driver) await compare(driver, Number(rounds), Number(seconds), beside)
  }
}
