import { makeDeadline } from './deadline'
import type { Database, Orm, Statement, Value } from './driver'

/** `plumbline` as a number: the advisory lock under which one process at a time migrates. */
const MIGRATION_LOCK = 0x706c756d

/** A request's statement that takes longer has met a database in trouble; the client gets its error within 3 s. */
const PATIENCE_MS = 2_500

/** How long the making of a connection may take: limits the connecting client, not the pool, which would set a timer for every statement. */
export const CONNECTING = { connectionTimeoutMillis: 2_000 }

/** How long the making of the connections for a migration may take: a database that sleeps is woken by it. */
export const CONNECTING_TO_MIGRATE = { connectionTimeoutMillis: 10_000 }

/** What every pool has beside its address and size. Poolers read the time zone from `options` and keep it for the client. */
export const POOLED = { keepAlive: true, idleTimeoutMillis: 30_000, options: '-c timezone=UTC' }

/** Where a Postgres is, and how it is used. */
export type Connected = { url: string; migrationsUrl: string | undefined; poolSize: number; migrationsFolder: string }

type Client = {
  connect(): Promise<unknown>
  query(text: string): Promise<unknown>
  end(): Promise<void>
}
type Connection = { release(broken?: boolean): void }
type Pool<C extends Connection> = {
  connect(): Promise<C>
  query<Row extends object>(statement: Statement & { values: Value[] }): Promise<{ rows: Row[] }>
  end(): Promise<void>
  totalCount: number
  idleCount: number
  waitingCount: number
  on(event: 'error', heard: () => void): unknown
  on(event: 'connect', made: (connection: { on(event: 'error', heard: () => void): unknown }) => void): unknown
}

/**
 * Migrates on one connection while another holds the lock. The lock is a transaction's and not a session's: a pooler gives a
 * transaction one server connection until it ends, and a session's lock it would leave behind on any of them.
 */
export function migrateUnderLock<C extends Client>(connect: () => C, migrate: (client: C) => Promise<void>) {
  return connected(connect(), async (guard) => {
    // The lock lives and dies with this connection, so a process that is killed here leaves nothing behind.
    await guard.query(`begin; select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
    await connected(connect(), migrate)
    await guard.query('commit')
  })
}

async function connected<C extends Client>(client: C, work: (client: C) => Promise<void>): Promise<void> {
  await client.connect()
  try {
    await work(client)
  } finally {
    // Not waited for: on a connection that has broken, an old client never says that it has ended.
    client.end().catch(() => {})
  }
}

/** What the pool and a connection of it speak through: Drizzle, made of either. */
type OrmOf<C> = (client: C) => Orm

/**
 * A pool as a {@link Database}: statements within the patience, transactions each on a connection that comes back to the pool however
 * they end.
 */
export function overPool<C extends Connection>(
  driver: Database['driver'],
  pool: Pool<C>,
  orm: Orm,
  ormOf: OrmOf<C>,
): Database {
  const withinPatience = makeDeadline(PATIENCE_MS)
  // A connection that breaks, idle or in use, is dropped by the pool; unheard, the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  const made = new WeakMap<C, Orm>()
  // To make one takes most of a millisecond; connections are few and live long.
  const through = (connection: C): Orm => {
    const found = made.get(connection) ?? ormOf(connection)
    made.set(connection, found)
    return found
  }
  // Drizzle's own keeps a connection for ever when its BEGIN fails, so a pool would be used up by as many broken ones.
  orm.transaction = async (work, config) => {
    const connection = await pool.connect()
    try {
      return await through(connection).transaction(work, config)
    } finally {
      connection.release()
    }
  }
  return {
    driver,
    orm,
    run: async <Row extends object>({ name, text }: Statement, values: Value[]) =>
      (await withinPatience(pool.query<Row>({ name, text, values }))).rows,
    patiently: withinPatience,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
