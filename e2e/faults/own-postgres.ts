import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { reaching } from '../../lib/testing/database'
import { postgresUser } from '../../lib/testing/pooler'
import { freePort, type Home, makeHome } from '../running'

/** A measurement and its upper bound or exact value; `told` is one that nothing is promised of. */
export type Figure = { what: string; value: number; unit?: string } & (
  | { bound: number }
  | { exactly: number }
  | { told: true }
)

const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

function sentence(figure: Figure): string {
  const unit = figure.unit === undefined ? '' : ` ${figure.unit}`
  const told = `${figure.what} ${number.format(figure.value)}${unit}`
  if ('told' in figure) return told
  const promised =
    'bound' in figure ? `bound ${number.format(figure.bound)}` : `must be ${number.format(figure.exactly)}`
  return `${told} (${promised})`
}

/** Prints a row's measurements on one line, then fails if any of them breaks its promise. */
export function report(row: number, title: string, figures: Figure[]): void {
  console.log(`fault ${row} · ${title}: ${figures.map(sentence).join(', ')}`)
  for (const figure of figures) {
    if ('bound' in figure) expect(figure.value, sentence(figure)).toBeLessThanOrEqual(figure.bound)
    else if ('exactly' in figure) expect(figure.value, sentence(figure)).toBe(figure.exactly)
  }
}

/** Returns the result of some work and its duration in milliseconds. */
export async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const began = performance.now()
  return { value: await work(), ms: performance.now() - began }
}

/** Returns the median of several figures. */
export const median = (figures: number[]): number =>
  [...figures].sort((a, b) => a - b)[figures.length >> 1] ?? Number.NaN

/** Polls until a condition holds and returns the milliseconds it took. @throws when it takes longer than `most` seconds */
export async function msUntil(isTrue: () => Promise<boolean>, most = 60): Promise<number> {
  const began = performance.now()
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() - began > most * 1000) throw new Error(`it did not come true within ${most} s`)
    await new Promise((done) => setTimeout(done, 20))
  }
  return performance.now() - began
}

/** The folder of the Postgres programs; scripts/faults.mjs finds them. */
const BIN = process.env.TEST_POSTGRES_BIN ?? ''

/** Skips a test where no separate Postgres can be started; in CI, scripts/faults.mjs fails instead. */
export const needsOwnPostgres = () => test.skip(BIN === '', 'no programs of Postgres were found: set TEST_POSTGRES_BIN')

const owned = new Set<OwnPostgres>()
process.once('exit', () => {
  for (const postgres of owned) postgres.signal('SIGKILL')
})

/** A Postgres used by one test, which may kill and freeze it. */
export class OwnPostgres {
  private server: ChildProcess | undefined

  private constructor(
    private readonly directory: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<OwnPostgres> {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-postgres-'))
    const as = postgresUser()
    if (as) chownSync(directory, as.uid, as.gid)
    const { status, stderr } = spawnSync(
      join(BIN, 'initdb'),
      ['-D', directory, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--no-sync'],
      { ...as, encoding: 'utf8' },
    )
    if (status !== 0) throw new Error(`initdb failed: ${stderr}`)
    const made = new OwnPostgres(directory, await freePort())
    owned.add(made)
    await made.run()
    return made
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`
  }

  /** Returns a home for a server that uses this database. */
  async makeHome(): Promise<Home> {
    const home = await makeHome('pglite')
    return { ...home, postgresUrl: this.url, env: { ...home.env, ...reaching('pg', this.url) } }
  }

  /** Starts or restarts it. Resolves once it answers. */
  async run(): Promise<void> {
    this.server = spawn(
      join(BIN, 'postgres'),
      ['-D', this.directory, '-p', String(this.port), '-k', this.directory, '-c', 'listen_addresses=127.0.0.1'],
      { ...postgresUser(), stdio: 'ignore' },
    )
    await msUntil(async () => (await this.ask('select 1')).length === 1)
  }

  /** Runs a statement on a new connection and returns its rows. */
  async ask(statement: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 2_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** Sends a signal to all of its processes, the postmaster first. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.server?.pid
    if (pid === undefined || this.server?.exitCode !== null || this.server.signalCode !== null) return
    const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).stdout
    process.kill(pid, signal)
    for (const child of found
      .split('\n')
      .map(Number)
      .filter((one) => one > 0)) {
      try {
        process.kill(child, signal)
      } catch {
        // It has already exited.
      }
    }
  }

  /** Kills it as a power failure would: nothing is flushed, and clients get no notice. */
  async kill(): Promise<void> {
    const gone = new Promise((done) => this.server?.once('exit', done))
    this.signal('SIGKILL')
    await gone
  }

  async remove(): Promise<void> {
    this.signal('SIGCONT')
    await this.kill()
    owned.delete(this)
    rmSync(this.directory, { recursive: true, force: true })
  }
}
