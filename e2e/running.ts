import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestPostgres } from '../db/testing'

export type Entry = 'server' | 'next'
export type Driver = 'pglite' | 'pg'
type Variables = Record<string, string>

/** A port that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer().once('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? done(address.port) : fail(new Error('no port'))))
    })
  })
}

/** A place for a server's data: a directory, and a database of its own when it runs on Postgres. */
export async function makeHome(driver: Driver) {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-e2e-'))
  const postgres = driver === 'pg' ? await createTestPostgres() : undefined
  const env: Variables = {
    PLUMBLINE_DATA_DIR: dataDir,
    EXTERNAL_API_TOKEN_SECRET: 'a-secret-for-tests-of-32-characters',
    BETTER_AUTH_SECRET: 'another-secret-for-tests-of-enough-characters',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  }
  const remove = async () => {
    await postgres?.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { dataDir, env, remove }
}
export type Home = Awaited<ReturnType<typeof makeHome>>

/** The environment of a program of ours: what the machine has, without what would point it elsewhere. */
export function environment(env: Variables): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, PORT: __, NODE_ENV: ___, ...rest } = process.env
  const alone = { UPSTASH_REDIS_REST_URL: '', UPSTASH_REDIS_REST_TOKEN: '', KV_REST_API_URL: '', KV_REST_API_TOKEN: '' }
  return { ...rest, ...alone, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', ...env }
}

/** The command of an entry, as package.json has it; run directly, so that its pid is the server's own. */
const COMMANDS: Record<Entry, (port: number) => string[]> = {
  server: () => ['--import', 'tsx', 'server.ts'],
  next: (port) => ['node_modules/next/dist/bin/next', 'start', '-H', 'localhost', '-p', String(port)],
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
    for (const end = Date.now() + 40_000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
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

/** Starts an entry on a home, without waiting for it. */
export async function launch(entry: Entry, home: Home, env: Variables = {}, args: string[] = []): Promise<Running> {
  const port = Number(env.PORT ?? (await freePort()))
  const child = spawn(process.execPath, [...COMMANDS[entry](port), ...args], {
    env: environment({ ...home.env, PORT: String(port), ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return new Running(child, port)
}

/** Runs `plumbline <args>` on a home; resolves when it ends. */
export function plumbline(home: Home, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'lib/cli/main.ts', ...args], {
    env: environment(home.env),
    encoding: 'utf8',
  })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}
