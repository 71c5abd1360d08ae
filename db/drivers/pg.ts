import { drizzle } from 'drizzle-orm/node-postgres'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import { processName } from '../../lib/core/entry'
import { abandonable } from './abandoned'
import type { Database } from './driver'
import { requireKept } from './pooler'
import { CONNECTING, type Connected, migrateUnderLock, overPool, POOLED } from './postgres'
import { together } from './together'

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
