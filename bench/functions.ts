import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { operatorFor } from '@/lib/auth/actor'
import { createKey } from '@/lib/auth/manage-keys'
import { loadEnv } from '@/lib/core/env'
import { freePort, type Home, makeHome } from '../e2e/running'
import { makeInvoices } from './books'
import { note } from './figures'
import { median } from './load'
import { makeEmptyNext } from './servers/empty-next'

const APP = '.next/server/app'
/** A build that is given a Postgres leaves it out of every function. */
const EMBEDDED = 'node_modules/@electric-sql/pglite/'
/** Files made after Next's build, so the platform's build, which begins with nothing, finds none of them to pack. */
const LATER = /^dist\/(?!views\/)/

/** Returns the files that the build traced for one of its files, from the project's folder. */
function tracedBy(trace: string): string[] {
  const { files }: { files: string[] } = JSON.parse(readFileSync(trace, 'utf8'))
  const paths = files.map((file) => relative('.', resolve(trace, '..', file)))
  return paths.filter((path) => !path.startsWith(EMBEDDED) && !LATER.test(path))
}

/** The files that the platform packs into a function beside Next, by its name in the build: its own, and those of the instrumentation. */
const packedFor = (name: string): string[] => [
  ...new Set([...tracedBy(join(APP, `${name}.js.nft.json`)), ...tracedBy('.next/server/instrumentation.js.nft.json')]),
]

/** Returns Next's server files; every function has them. */
function nextFiles(): string[] {
  const { files }: { files: string[] } = JSON.parse(readFileSync('.next/required-server-files.json', 'utf8'))
  const needed = ['package.json', ...files].filter((path) => existsSync(path))
  return [...needed, ...tracedBy('.next/next-server.js.nft.json')]
}

/** Copies a function with all that it packs and nothing else. Returns its folder. */
function pack(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-function-'))
  for (const path of new Set([...packedFor(name), `${APP}/${name}.js`, ...nextFiles()]))
    cpSync(path, join(folder, path), { recursive: true, verbatimSymlinks: true })
  return folder
}

const megabytesOf = (paths: string[]): number => paths.reduce((sum, path) => sum + statSync(path).size, 0) / 1e6

/** Prints how large the functions of this build are. */
function sizes(): void {
  const traces = readdirSync(APP, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js.nft.json'))
  const sized = traces
    .map((trace) => trace.replace('.js.nft.json', ''))
    .map((name) => ({ name, megabytes: megabytesOf(packedFor(name)) }))
    .sort((a, b) => b.megabytes - a.megabytes)
  const [largest] = sized
  if (!largest) throw new Error('There is no build. Run npm run build.')
  note('what a function packs beside Next, the median', median(sized.map(({ megabytes }) => megabytes)), { unit: 'MB' })
  note('what the largest function packs beside Next', largest.megabytes, { unit: 'MB', goal: { atMost: 22 } })
  console.log(`${sized.length} functions; what they pack beside Next, unpacked, with a Postgres`)
  for (const { name, megabytes } of sized)
    if (name === largest.name || CALLS.some((call) => call.function === name))
      console.log(`  ${name.padEnd(36)} ${megabytes.toFixed(1)} MB`)
}

type Call = {
  name: string
  function: string
  path: string
  method?: 'GET' | 'POST'
  body?: unknown
  headers?: Record<string, string>
}

const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
const CALLS: Call[] = [
  { name: 'a list', function: 'api/v1/[resource]/route', path: '/api/v1/invoices' },
  {
    name: 'a lead',
    function: 'api/webhooks/leads/inbound/route',
    path: '/api/webhooks/leads/inbound',
    method: 'POST',
    body: { firstName: 'Ana', lastName: 'Lopez', phone: '(615) 555-0142', externalId: 'bench' },
  },
  {
    name: 'a session of an agent',
    function: 'mcp/route',
    path: '/mcp',
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'initialize', params: HELLO },
  },
  { name: 'a page', function: '(portal)/sign-in/page', path: '/sign-in' },
]

/** Sends a call until it succeeds. */
async function answered(url: string, { path, method = 'GET', body, headers }: Call, key: string, child: ChildProcess) {
  const init = {
    method,
    // The platform's router says which function it chose.
    headers: { 'x-matched-path': path, 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }
  for (;;) {
    const answer = await fetch(url + path, init).catch(() => undefined)
    const text = await answer?.text()
    if (answer?.ok) return
    if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${text?.slice(0, 200)}`)
    if (child.exitCode !== null) throw new Error(`a function ended with ${child.exitCode}`)
    await sleep(5)
  }
}

/** Returns the milliseconds from the start of a process to the end of its first answer. */
async function coldStart(folder: string, call: Call, key: string, home?: Home): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [resolve('e2e/function.mjs')], {
    cwd: folder,
    env: {
      ...process.env,
      ...home?.env,
      ...{ PORT: String(port), NODE_ENV: 'production', VERCEL: '1', VERCEL_ENV: 'production' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await answered(`http://localhost:${port}`, call, key, child)
  const took = performance.now() - began
  await new Promise((done) => child.once('exit', done).kill('SIGKILL'))
  return took
}

/** Runs `npm run bench -- functions [rounds]`: what each function of a build packs, and its first answer to an empty Next app's. */
export async function run([rounds = '5']: string[]): Promise<void> {
  sizes()
  const home = await makeHome('pg')
  const db = await openDatabase({ ...loadEnv(home.env), poolSize: 2 })
  const { contractorId } = await makeInvoices(db, 1_000)
  const contractor = await findContractor(db.orm, contractorId)
  if (!contractor) throw new Error('it was just made')
  const scopes = ['read:invoices', 'write:leads'] as const
  const key = await createKey(db.orm, contractor, { name: 'functions', scopes: [...scopes] }, operatorFor(contractorId))
  await db.close()
  const empty = makeEmptyNext()
  const packed = CALLS.map((call) => ({ call, folder: pack(call.function) }))
  const times = new Map<string, number[]>(['empty', ...CALLS.map(({ name }) => name)].map((name) => [name, []]))
  // The first round does what only a first start does, so it is not counted.
  for (let round = 0; round <= Number(rounds); round++) {
    const keep = (name: string, took: number) => round > 0 && times.get(name)?.push(took)
    keep('empty', await coldStart(empty.folder, { name: 'empty', function: 'page', path: '/' }, ''))
    for (const { call, folder } of packed) keep(call.name, await coldStart(folder, call, key.text, home))
  }
  empty.remove()
  for (const { folder } of packed) rmSync(folder, { recursive: true })
  await home.remove()
  const of = (name: string) => times.get(name) ?? []
  console.log(`\nfirst answer of a function over Postgres, ${rounds} rounds, medians; ratios to an empty Next app's`)
  for (const [name, took] of times) {
    const ratio = median(took.map((value, i) => value / (of('empty')[i] ?? Number.NaN)))
    console.log(`  ${name.padEnd(24)} ${ratio.toFixed(2)} (${median(took).toFixed(0)} ms)`)
    const what = `start of a function to its first answer, to an empty Next app's, ${name}`
    if (name !== 'empty') note(what, ratio, { goal: { atMost: 1.4 } })
  }
}
