import { createPool, type VercelPoolClient } from '@vercel/postgres'
import { drizzle } from 'drizzle-orm/vercel-postgres'
import { migrate } from 'drizzle-orm/vercel-postgres/migrator'
import { ClearClient } from '@/patches/vercel-postgres-errors'
import type { Database } from './driver'
import { CONNECTING, CONNECTING_TO_MIGRATE, type Connected, migrateUnderLock, overPool, POOLED } from './postgres'

class PatientClient extends ClearClient {
  constructor(config: ConstructorParameters<typeof ClearClient>[0]) {
    super({ ...Object(config), ...CONNECTING })
  }
}

/**
 * Vercel's Postgres over a WebSocket: a pool, migrated. The package's `sql` is not used, because each of its statements may take
 * another connection, even within a transaction.
 */
export async function openVercel({ url, migrationsUrl, poolSize, migrationsFolder }: Connected): Promise<Database> {
  await migrateUnderLock(
    () => new ClearClient({ connectionString: migrationsUrl ?? url, ...CONNECTING_TO_MIGRATE }),
    migrationsFolder,
    (client) => migrate(drizzle(client), { migrationsFolder }),
  )
  const pool = createPool({ connectionString: url, max: poolSize, ...POOLED })
  pool.Client = PatientClient
  return overPool<VercelPoolClient>('vercel', pool, drizzle(pool), (client) => drizzle(client))
}
