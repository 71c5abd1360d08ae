import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, type ClientConfig, Pool } from 'pg'
import * as schema from '../schema'
import { makeDeadline } from './deadline'
import type { Database } from './driver'

/** `plumbline` as a number: the advisory lock under which one process at a time migrates. */
const MIGRATION_LOCK = 0x706c756d

/** A request's statement that takes longer has met a database in trouble; the client gets its error within 3 s. */
const PATIENCE_MS = 2_500

/** Limits the making of a connection only: as an option of the pool it would set a timer for every statement. */
class PatientClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 2_000 })
  }
}

async function migrateUnderLock(connectionString: string, migrationsFolder: string): Promise<void> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    // The lock lives and dies with this connection, so a process that is killed here leaves nothing behind.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end()
  }
}

/** Any Postgres through `pg`: a pool of `poolSize`, migrated. Several processes may open the same database at once. */
export async function openPg(connectionString: string, poolSize: number, migrationsFolder: string): Promise<Database> {
  await migrateUnderLock(connectionString, migrationsFolder)
  const withinPatience = makeDeadline(PATIENCE_MS)
  const pool = new Pool({
    connectionString,
    Client: PatientClient,
    keepAlive: true,
    max: poolSize,
    idleTimeoutMillis: 30_000,
    options: '-c timezone=UTC',
  })
  // An idle connection that breaks is dropped by the pool; unheard, the event would end the process.
  pool.on('error', () => {})
  return {
    driver: 'pg',
    orm: drizzle(pool, { schema }),
    run: async <Row extends object>({ name, text }: { name: string; text: string }, values: unknown[]) =>
      (await withinPatience(pool.query<Row>({ name, text, values }))).rows,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
