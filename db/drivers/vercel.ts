import { createPool, type VercelPoolClient } from '@vercel/postgres'
import { drizzle } from 'drizzle-orm/vercel-postgres'
import { ClearClient } from '@/patches/vercel-postgres-errors'
import type { Database } from './driver'
import { CONNECTING, type Connected, migrateUnderLock, overPool, POOLED } from './postgres'

class PatientClient extends ClearClient {
  constructor(config: ConstructorParameters<typeof ClearClient>[0]) {
    super({ ...Object(config), ...CONNECTING })
  }
}

/**
 * Opens Vercel's Postgres over a WebSocket: a pool, migrated. The package's `sql` is not used, because each of its statements may take
 * another connection, even within a transaction.
 */
export async function openVercel(place: Connected): Promise<Database> {
  const { url, poolSize } = place
  await migrateUnderLock(place, (options) => new ClearClient(options))
  // Neon's pooler reads the time zone from `options` and keeps it for the client.
  const pool = createPool({ connectionString: url, max: poolSize, ...POOLED, options: '-c timezone=UTC' })
  pool.Client = PatientClient
  return overPool<VercelPoolClient>(place, {
    driver: 'vercel',
    pool,
    orm: drizzle(pool),
    ormOf: (client) => drizzle(client),
  })
}
