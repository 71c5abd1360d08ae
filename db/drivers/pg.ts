import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { processName } from '../../lib/core/entry'
import type { Database } from './driver'
import { requireKept } from './pooler'
import { CONNECTING, type Connected, migrateUnderLock, overPool, POOLED } from './postgres'
import { together } from './together'

/** What a pool sends: a statement by its name, or with its text each time. */
type Sent = { name?: string; text: string; values: unknown[] }

/** Tells Postgres to end what a connection runs. */
async function cancel(url: string, processId: number): Promise<void> {
  const client = new Client({ connectionString: url, ...CONNECTING })
  try {
    await client.connect()
    await client.query('select pg_cancel_backend($1)', [processId])
  } finally {
    // Not awaited: on a broken connection an old client never reports that it has ended.
    client.end().catch(() => {})
  }
}

/**
 * Runs statements that Postgres ends when nobody waits for them any more. A connection that was told to end its statement is closed, because
 * the order may arrive after that statement, and would end the next one.
 */
const abandonable =
  (pool: Pool, url: string) =>
  async (statement: Sent, abandoned: AbortSignal): Promise<object[]> => {
    const connection = await pool.connect()
    let isTold = false
    const tell = () => {
      isTold = true
      // What cannot be ended ends by itself.
      cancel(url, Object(connection).processID).catch(() => {})
    }
    abandoned.addEventListener('abort', tell, { once: true })
    try {
      if (abandoned.aborted) throw Object.assign(new Error('nobody waits for the statement'), { code: '57014' })
      return (await connection.query<object>(statement)).rows
    } finally {
      abandoned.removeEventListener('abort', tell)
      connection.release(isTold)
    }
  }

class PatientClient extends Client {
  constructor(config?: ClientConfig) {
    super({ fallback_application_name: processName(), ...config, ...CONNECTING })
  }

  /** Returns what the server is told first. Every pooler keeps the time zone for its client; PgBouncer before 1.20 refuses `options`. */
  getStartupConf(): Record<string, string> {
    return { ...Object(Client.prototype).getStartupConf.call(this), TimeZone: 'UTC' }
  }
}

/** Opens any Postgres through `pg`: a pool, migrated. Several processes may open the same database at once. */
export async function openPg(place: Connected): Promise<Database> {
  const { url, poolSize, named } = place
  await migrateUnderLock(place, (options) => new Client(options))
  const pool = new Pool({ connectionString: url, Client: PatientClient, max: poolSize, ...POOLED })
  const db = overPool<PoolClient>(place, {
    driver: 'pg',
    pool,
    orm: drizzle(pool),
    ormOf: (client) => drizzle(client),
    brief: (note) => together(pool, named, note),
    long: abandonable(pool, url),
  })
  try {
    const first = await pool.connect()
    const second = named ? () => new PatientClient({ connectionString: url }) : undefined
    await requireKept(place, first, Object(first).processID, second).finally(() => first.release())
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
