import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { openDatabase } from '@/db/client'
import { loadEnv } from '@/lib/core/env'
import { type Driver, freePort, type Home, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { databaseOf, driversOf, note } from './figures'
import { UNIQUE } from './load'
import { stopAll, takeTurns } from './turns'

const STOCK = 'bench/servers/stock-next'
const CONTENDERS = {
  stock: ['node_modules/next/dist/bin/next', 'start', STOCK, '-H', 'localhost'],
  bare: ['--import', 'tsx', 'bench/servers/mcp-bare.ts'],
  // The same command as `npm start`.
  plumbline: ['server.mjs'],
} satisfies Record<string, string[]>
type Contender = keyof typeof CONTENDERS
const NAMES: Contender[] = ['stock', 'bare', 'plumbline']

/** The required ratios of plumbline's requests/s to the stock mcp-handler's, and to those of a server of the bare SDK. */
const TO_STOCK = { 'tools/list': 10, 'tools/call': 3 }
const TO_BARE = { 'tools/list': 1, 'tools/call': 1.2 }
const MESSAGES = {
  'tools/list': { jsonrpc: '2.0', id: UNIQUE, method: 'tools/list', params: {} },
  'tools/call': {
    jsonrpc: '2.0',
    // Eight connections share the bare SDK's session, which answers by the message's id.
    id: UNIQUE,
    method: 'tools/call',
    params: { name: 'list_invoices', arguments: { limit: 10 } },
  },
}
const HELLO = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
}

type Started = { name: Contender; child: ChildProcess; url: string; headers: Record<string, string>; home: Home }

/** Waits for a server and initializes the client. Later requests use the session it returns, if any. */
async function connect(url: string, headers: Record<string, string>): Promise<Record<string, string>> {
  for (let i = 0; i < 300; i++) {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(HELLO) }).catch(() => undefined)
    if (answer?.ok) {
      const session = answer.headers.get('mcp-session-id')
      return { ...headers, 'mcp-protocol-version': '2025-11-25', ...(session ? { 'mcp-session-id': session } : {}) }
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`${url} did not start`)
}

async function start(
  name: Contender,
  driver: Driver,
  source: Home,
  books: { contractorId: string; key: string },
): Promise<Started> {
  const home = driver === 'pg' ? source : await makeHome('pglite')
  if (driver === 'pglite') cpSync(`${source.dataDir}/pg`, `${home.dataDir}/pg`, { recursive: true })
  const port = await freePort()
  const settings = {
    PORT: String(port),
    BENCH_CONTRACTOR: books.contractorId,
    RATE_LIMIT_MCP: '100000000',
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
  }
  const args = name === 'stock' ? [...CONTENDERS.stock, '-p', String(port)] : CONTENDERS[name]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...home.env, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const url = `http://${name === 'stock' ? 'localhost' : '127.0.0.1'}:${port}/mcp`
  const accept = 'application/json, text/event-stream'
  const headers = await connect(url, { 'x-api-key': books.key, accept, 'content-type': 'application/json' })
  return { name, child, url, headers, home }
}

async function compare(driver: Driver, rounds: number, seconds: number): Promise<void> {
  const source = await makeHome(driver)
  const db = await openDatabase({ ...loadEnv(source.env), poolSize: 4 })
  const books = await makeInvoices(db, 10_000)
  await db.close()
  const started: Started[] = []
  for (const name of NAMES) started.push(await start(name, driver, source, books))
  for (const method of ['tools/list', 'tools/call'] as const) {
    const body = JSON.stringify(MESSAGES[method])
    const rows = await takeTurns(started, rounds, seconds, ({ url, headers }) => ({
      url,
      headers,
      body,
      connections: 8,
    }))
    console.log(
      `\n${databaseOf(driver)}: ${method}, 15 tools, 8 connections, ${rounds} rounds of ${seconds} s, medians`,
    )
    for (const name of NAMES) console.log(`  ${rows.line(name)}`)
    const ratioTo = (other: Contender) => rows.ratio('plumbline', other)
    const [toStock, toBare] = [ratioTo('stock'), ratioTo('bare')]
    console.log(`  plumbline / stock mcp-handler ${toStock.toFixed(2)}, / bare SDK ${toBare.toFixed(2)}`)
    const what = (other: string) => `${method}/s of plumbline to ${other}, ${databaseOf(driver)}`
    note(what('the stock mcp-handler'), toStock, { goal: { atLeast: TO_STOCK[method] } })
    note(what('the bare SDK'), toBare, { goal: { atLeast: TO_BARE[method] } })
  }
  await stopAll(started, source)
}

/** Runs `npm run bench -- mcp [pg|pglite] [rounds] [seconds]` */
export async function run(args: string[]): Promise<void> {
  const [, rounds = '5', seconds = '4'] = args
  const built = spawnSync(process.execPath, ['node_modules/next/dist/bin/next', 'build', STOCK], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(`the stock server could not be built: ${built.stdout}${built.stderr}`)
  for (const driver of driversOf(args)) await compare(driver, Number(rounds), Number(seconds))
}
