import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../running'
import { msUntil } from './figures'
import { postgresUser } from './own-postgres'

/** The PgBouncer to run, 1.21 or later, because earlier ones know no named statements; scripts/faults.mjs finds it. */
export const PGBOUNCER = process.env.TEST_PGBOUNCER ?? ''

/** Server connections that all clients share. */
const POOL_SIZE = 6

/** A pooler that hands out one transaction at a time, in front of a database. */
export class Pooler {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly url: string,
  ) {}

  static async start(databaseUrl: string): Promise<Pooler> {
    const directory = mkdtempSync(join(tmpdir(), 'plumbline-pooler-'))
    const port = await freePort()
    const to = new URL(databaseUrl)
    const database = to.pathname.slice(1)
    const password = to.password === '' ? '' : ` password=${to.password}`
    const settings = join(directory, 'pgbouncer.ini')
    writeFileSync(
      settings,
      `[databases]
${database} = host=${to.hostname} port=${to.port || '5432'} user=${to.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${POOL_SIZE}
max_client_conn = 200
max_prepared_statements = 200
`,
    )
    const as = postgresUser()
    if (as) chownSync(directory, as.uid, as.gid)
    const child = spawn(PGBOUNCER, ['-q', settings], { ...as, stdio: 'ignore' })
    const url = `postgres://${to.username}@127.0.0.1:${port}/${database}`
    const pooler = new Pooler(child, directory, url)
    await msUntil(async () => {
      const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
      await client.connect()
      await client.query('select 1').finally(() => client.end())
      return true
    })
    return pooler
  }

  async stop(): Promise<void> {
    const gone = new Promise((done) => this.child.once('exit', done))
    this.child.kill('SIGKILL')
    await gone
    rmSync(this.directory, { recursive: true, force: true })
  }
}
