import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { listenOnFreePort } from '@/lib/core/listen'

/** A proxy to a database that can be muted: requests still arrive, but no answer comes back. */
export async function openMutedProxy(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  let muted = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(Number(port || 5432), hostname)
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    client.pipe(target)
    target.on('data', (chunk) => muted || client.write(chunk)).on('close', () => client.destroy())
  })
  const url = new URL(databaseUrl)
  url.host = `localhost:${await listenOnFreePort(server)}`
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    muted = false
  }
  return {
    url: url.href,
    mute: () => {
      muted = true
    },
    /** Breaks every connection; new connections work again. */
    cut,
    close: () => {
      cut()
      server.close()
    },
  }
}

/** Server connections that all clients share. */
const POOL_SIZE = 6
const PATIENCE_MS = 60_000

/** Postgres and PgBouncer refuse to run as root, so they then run as the user that Debian creates for them. */
export function postgresUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

/** The PgBouncer of this machine, and whether it can keep named statements; undefined where there is none. */
export function findPooler(): { program: string; keepsNamed: boolean } | undefined {
  for (const program of [process.env.TEST_PGBOUNCER, 'pgbouncer', '/usr/sbin/pgbouncer']) {
    const { stdout } = program ? spawnSync(program, ['--version'], { encoding: 'utf8' }) : {}
    const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
    if (program && minor) return { program, keepsNamed: Number(major) > 1 || Number(minor) >= 21 }
  }
  return undefined
}

async function freePort(): Promise<number> {
  const probe = createServer()
  const port = await listenOnFreePort(probe)
  await new Promise((done) => probe.close(done))
  return port
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    client.end().catch(() => {})
  }
}

/** A PgBouncer in front of a database. */
export class Pooler {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly url: string,
  ) {}

  /** @param settings of `[pgbouncer]`, beside those that every one has here */
  static async start(program: string, databaseUrl: string, settings: Record<string, string | number>): Promise<Pooler> {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-pooler-'))
    const port = await freePort()
    const to = new URL(databaseUrl)
    const database = to.pathname.slice(1)
    const password = to.password === '' ? '' : ` password=${to.password}`
    const path = join(directory, 'pgbouncer.ini')
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
    writeFileSync(
      path,
      `[databases]
${database} = host=${to.hostname} port=${to.port || '5432'} user=${to.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
default_pool_size = ${POOL_SIZE}
max_client_conn = 200
${lines.join('')}`,
    )
    const as = postgresUser()
    if (as) chownSync(directory, as.uid, as.gid)
    const child = spawn(program, ['-q', path], { ...as, stdio: 'ignore' })
    const pooler = new Pooler(child, directory, `postgres://${to.username}@127.0.0.1:${port}/${database}`)
    for (const end = performance.now() + PATIENCE_MS; !(await answers(pooler.url)); await sleep(20))
      if (performance.now() > end) throw new Error(`PgBouncer does not answer at ${pooler.url}`)
    return pooler
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.child.once('exit', done))
    this.child.kill('SIGKILL')
    await gone
    rmSync(this.directory, { recursive: true, force: true })
  }
}
