import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { lockHolder } from '../db/drivers/holder'
import { forwardCommand } from '../lib/cli/control'
import { createTestPostgres, reaching } from '../lib/testing/database'
import { startBridge } from '../lib/testing/redis/bridge'
import { TEST_REDIS_URL } from '../lib/testing/redis/client'
import { template } from './stock'

export type Entry = 'server' | 'next'
export type Driver = 'pglite' | 'pg' | 'vercel'
type Variables = Record<string, string>

/** A port below those that a system gives to whoever asks for any (from 32768 on Linux, from 49152 elsewhere). */
const FIRST_PORT = 11_000
const OF_WORKER = 2_000
const own = FIRST_PORT + (Number(process.env.TEST_PARALLEL_INDEX ?? 0) % 10) * OF_WORKER
let asked = process.pid

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, () => probe.close(() => done(true)))
  })

/** Returns a port that is free and that nobody else takes until a program listens on it: each worker has its own ones. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = own + (asked++ % OF_WORKER)
    if (await isFree(port)) return port
  }
}

/** Lets our programs reach a local Postgres through `@vercel/postgres`. */
const BRIDGE = pathToFileURL(resolve('lib/testing/postgres-bridge.mjs')).href

/** The kind of database behind a driver. */
export const kindOf = (driver: Driver): 'pglite' | 'pg' => (driver === 'pglite' ? 'pglite' : 'pg')

/** Points a server at a store for its limits. Its answer is waited for as long as it may take while others use the machine. */
export const storeVariables = ({ url, token }: { url: string; token: string }): Variables => ({
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: token,
  RATE_LIMIT_STORE_TIMEOUT_MS: '10000',
})

/** Opens a Redis in which limits are counted with `@vercel/postgres`, as on the platform, unless no Redis is available here. */
const openStore = (driver: Driver) =>
  driver === 'vercel' && process.env.PLUMBLINE_WITHOUT_REDIS !== '1'
    ? startBridge({ redisUrl: TEST_REDIS_URL })
    : undefined

/**
 * Creates a home for a server: a directory, plus a database when it runs on Postgres. It starts empty, or as after a
 * server's first start, with a contractor's data.
 */
export async function makeHome(driver: Driver, begin: 'none' | 'stocked' = 'none') {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-e2e-'))
  const from = begin === 'none' ? undefined : template(kindOf(driver))
  if (from) cpSync(from.dataDir, dataDir, { recursive: true })
  const postgres = driver === 'pglite' ? undefined : await createTestPostgres(from?.database)
  const store = await openStore(driver)
  const env: Variables = {
    PLUMBLINE_DATA_DIR: dataDir,
    EXTERNAL_API_TOKEN_SECRET: 'a-secret-for-tests-of-32-characters',
    BETTER_AUTH_SECRET: 'another-secret-for-tests-of-enough-characters',
    ...(postgres && driver !== 'pglite' ? reaching(driver, postgres.url) : {}),
    // What runs on the platform: its driver.
    ...(driver === 'vercel' ? { NODE_OPTIONS: `--import=${BRIDGE}` } : {}),
    ...(store ? storeVariables(store) : {}),
  }
  const remove = async () => {
    await store?.close()
    await postgres?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { dataDir, env, database: postgres?.name, postgresUrl: postgres?.url ?? '', remove }
}
export type Home = Awaited<ReturnType<typeof makeHome>>

/** Variables that would point our programs at another database, limit store or port. */
const ELSEWHERE = /^(DATABASE_\w+|POSTGRES_\w+|UPSTASH_\w+|KV_REST_\w+|PORT|NODE_ENV)$/

/** Returns the environment for our programs: the machine's, without those variables. */
export function environment(env: Variables): NodeJS.ProcessEnv {
  const rest = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ELSEWHERE.test(name)))
  return { ...rest, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', ...env }
}

/** The command of an entry as in package.json, run directly, so that its pid is the server's; and a function as the platform starts it. */
const COMMANDS: Record<Entry | 'function', (port: number) => string[]> = {
  function: () => ['e2e/function.mjs'],
  server: () => ['server.mjs'],
  next: (port) => [
    ...['node_modules/next/dist/bin/next', 'start', '-H', 'localhost', '-p', String(port)],
    ...['--keepAliveTimeout', '65000'],
  ],
}

export class Running {
  output = ''
  constructor(
    readonly process: ChildProcess,
    readonly port: number,
  ) {
    const collect = (chunk: Buffer) => {
      this.output += chunk
    }
    process.stdout?.on('data', collect)
    process.stderr?.on('data', collect)
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  async ready(): Promise<this> {
    for (const end = Date.now() + 80_000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
      if (this.process.exitCode !== null) throw new Error(`the server ended: ${this.output}`)
      const answer = await fetch(`${this.url}/health`)
        .then((response) => response.json())
        .catch(() => undefined)
      if (answer?.status === 'healthy') return this
    }
    throw new Error(`the server was not ready in time: ${this.output}`)
  }

  /** Sends a signal and resolves with the exit code. */
  end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    return new Promise((done) => {
      if (this.process.exitCode !== null || this.process.signalCode !== null) return done(this.process.exitCode)
      this.process.once('exit', (code) => done(code))
      this.process.kill(signal)
    })
  }
}

/** Servers that a failed test did not end. They must not outlive the test process. */
const started = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL')
})

/** Starts an entry on a home without waiting for it, optionally under another Node. */
export async function launch(
  entry: Entry | 'function',
  home: Home,
  env: Variables = {},
  args: string[] = [],
  node = process.execPath,
): Promise<Running> {
  const port = Number(env.PORT ?? (await freePort()))
  const child = spawn(node, [...COMMANDS[entry](port), ...args], {
    env: environment({ ...home.env, PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.add(child)
  child.once('exit', () => started.delete(child))
  return new Running(child, port)
}

/**
 * Runs `plumbline <args>` on a home as the command line does, without a process of its own where a server takes the command. Use
 * {@link plumbline} where the program itself is what is tested. Returns what it printed. @throws when it fails
 */
export async function command(home: Home, ...args: string[]): Promise<string> {
  const control = lockHolder(home.dataDir)?.control
  let [out, err] = ['', '']
  if (control) {
    const io = {
      out: (text: string) => {
        out += text
      },
      err: (text: string) => {
        err += text
      },
      cwd: process.cwd(),
    }
    if ((await forwardCommand(control, args, io)) === 0) return out.trim()
  } else {
    const { status, stdout, stderr } = plumbline(home, ...args)
    if (status === 0) return stdout
    err = stderr
  }
  throw new Error(`plumbline ${args.join(' ')}: ${err}`)
}

/** Runs `plumbline <args>` on a home and returns when it ends. */
export function plumbline(home: Home, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/plumbline.mjs', ...args], {
    env: environment(home.env),
    encoding: 'utf8',
  })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}
