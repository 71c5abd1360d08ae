import type { EventEmitter } from 'node:events'
import { createPool, VercelClient, type VercelPoolClient } from '@vercel/postgres'
import { drizzle } from 'drizzle-orm/vercel-postgres'
import { migrate } from 'drizzle-orm/vercel-postgres/migrator'
import * as schema from '../schema'
import type { Database } from './driver'
import { CONNECTING, CONNECTING_TO_MIGRATE, type Connected, migrateUnderLock, overPool, POOLED } from './postgres'

type Config = ConstructorParameters<typeof VercelClient>[0]

/** A failing WebSocket reports an event and not an Error; the event carries one, or at least a message. */
function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { error, message } = Object(thrown)
  return error instanceof Error
    ? error
    : new Error(`the WebSocket to the database failed: ${message ?? 'no reason given'}`)
}

/** A client that fails with Errors. Its `neonConfig` is the socket itself, an EventEmitter, from which all failures come. */
class ClearClient extends VercelClient {
  constructor(config: Config) {
    super(config)
    const socket: EventEmitter = Object(this.neonConfig)
    const emit = socket.emit.bind(socket)
    socket.emit = (name, ...values) => emit(name, ...(name === 'error' ? values.map(asError) : values))
  }
}

class PatientClient extends ClearClient {
  constructor(config: Config) {
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
    (client) => migrate(drizzle(client), { migrationsFolder }),
  )
  const pool = createPool({ connectionString: url, max: poolSize, ...POOLED })
  pool.Client = PatientClient
  return overPool<VercelPoolClient>('vercel', pool, drizzle(pool, { schema }), (client) => drizzle(client, { schema }))
}
