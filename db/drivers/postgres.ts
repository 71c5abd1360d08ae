import { releaseAlways } from '@/patches/drizzle-transaction'
import { makeDeadline } from './deadline'
import type { Database, Orm, Statement, Value } from './driver'
import { isMigrated } from './migrated'

/** `plumbline` as a number: the advisory lock that lets one process at a time migrate. */
const MIGRATION_LOCK = 0x706c756d

/** A request statement that takes longer has met a database in trouble; the client gets its error within 3 s. */
const PATIENCE_MS = 2_500

/** How long connecting may take. This limits the client and not the pool, which would set a timer for every statement. */
export const CONNECTING = { connectionTimeoutMillis: 2_000 }

/** How long connecting for a migration may take, because it may have to wake a sleeping database. */
export const CONNECTING_TO_MIGRATE = { connectionTimeoutMillis: 10_000 }

/** Settings of every pool. Poolers read the time zone from `options` and keep it for the client. */
export const POOLED = { keepAlive: true, idleTimeoutMillis: 30_000, options: '-c timezone=UTC' }

/** Where a Postgres is, and how it is used. */
export type Connected = { url: string; migrationsUrl: string | undefined; poolSize: number; migrationsFolder: string }

type Client = {
  connect(): Promise<unknown>
  query(text: string): Promise<{ rows: object[] }>
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
 * Turns just-in-time compilation off for our role in this database, which the server keeps for later sessions and poolers alike. Our
 * statements are short, and while a table is new the planner overrates their triggers so far that it would compile for 200 ms what runs
 * for 2. A role that may not change itself, a standby, or two starts at once only leave it on.
 */
const withoutJit = `do $$ begin
  if current_setting('jit')::bool then
    execute format('alter role %I in database %I set jit = off', current_user, current_database());
  end if;
exception when others then null;
end $$`

/**
 * Migrates, where a migration is missing, on one connection while another holds the lock. The lock belongs to a transaction and not to a session: a pooler keeps
 * one server connection for a transaction, but could leave a session's lock behind on any connection.
 */
export function migrateUnderLock<C extends Client>(
  connect: () => C,
  migrationsFolder: string,
  migrate: (client: C) => Promise<void>,
) {
  return connected(connect(), async (guard) => {
    await guard.query(withoutJit)
    if (await isMigrated((text) => guard.query(text), migrationsFolder)) return
    // The lock ends with this connection, so a process that is killed here leaves nothing behind.
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
    // Not awaited: on a broken connection an old client never reports that it has ended.
    client.end().catch(() => {})
  }
}

/** Makes Drizzle from the pool or from one of its connections. */
type OrmOf<C> = (client: C) => Orm

/**
 * A pool as a {@link Database}: statements with a timeout, and transactions each on a connection that returns to the pool however
 * they end.
 * @param runBrief runs brief statements, where the driver has a shorter way for them
 */
export function overPool<C extends Connection>(
  driver: Database['driver'],
  pool: Pool<C>,
  orm: Orm,
  ormOf: OrmOf<C>,
  runBrief?: (statement: Statement, values: Value[]) => Promise<object[]>,
): Database {
  const withinPatience = makeDeadline(PATIENCE_MS)
  // The pool drops a connection that breaks; an event without a listener would end the process.
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  const made = new WeakMap<C, Orm>()
  // Creating one takes most of a millisecond; connections are few and long-lived.
  const through = (connection: C): Orm => {
    const found = made.get(connection) ?? ormOf(connection)
    made.set(connection, found)
    return found
  }
  releaseAlways(orm, pool, through)
  const runAlone = async ({ name, text }: Statement, values: Value[]) =>
    (await pool.query<object>({ name, text, values })).rows
  return {
    driver,
    orm,
    run: <Row extends object>(statement: Statement, values: Value[]) => {
      const runIt = statement.brief && runBrief ? runBrief : runAlone
      return withinPatience(runIt(statement, values)) as Promise<Row[]>
    },
    patiently: withinPatience,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
