import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import { Client, type ClientConfig, Pool, type PoolClient } from 'pg'
import type { Database } from './driver'
import { CONNECTING, CONNECTING_TO_MIGRATE, type Connected, migrateUnderLock, overPool, POOLED } from './postgres'
import { together } from './together'

class PatientClient extends Client {
  constructor(config?: ClientConfig) {
    super({ ...config, ...CONNECTING })
  }
}

/** Any Postgres through `pg`: a pool, migrated. Several processes may open the same database at once. */
export async function openPg({ url, migrationsUrl, poolSize, migrationsFolder }: Connected): Promise<Database> {
  await migrateUnderLock(
    () => new Client({ connectionString: migrationsUrl ?? url, ...CONNECTING_TO_MIGRATE }),
    migrationsFolder,
    (client) => migrate(drizzle(client), { migrationsFolder }),
  )
  const pool = new Pool({ connectionString: url, Client: PatientClient, max: poolSize, ...POOLED })
  const orm = drizzle(pool)
  return overPool<PoolClient>('pg', pool, orm, (client) => drizzle(client), together(pool))
}
