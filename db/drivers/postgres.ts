import { ServiceError } from '../../lib/core/errors'
import { currentParts, type Part } from '../../lib/core/parts'
import { measured, noteOverload, startingStatement } from '../statements'
import type { Database, Orm, Statement, Value } from './driver'
import { isMigrated, migrate } from './migrated'
import { watchMixedUp } from './pooler'
import { type Address, explained } from './unusable'

/** A statement took too long; its request gets an error, and the connection recovers or breaks on its own. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed'
  readonly code = 'DEADLINE_PASSED'
}

/** Says what has been done in the time. */
type Described = { describe(): string | undefined }

type Pending = { due: number; what: Described | undefined; reject(error: Error): void }

const CHECK_EVERY_MS = 250

/**
 * Gives every statement the same timeout. One timer for the process looks at all that run, because a timer for each statement cost an
 * eighth of the throughput. They stand in an array and not in a `Set`: a set that things come to and go from is copied again and again,
 * each copy leads to the next, and so one copy in the old generation kept the answers of all later statements from being collected early.
 */
export function makeDeadline(patienceMs: number): <T>(work: Promise<T>, what?: Described) => Promise<T> {
  const pending: (Pending | undefined)[] = []
  const free: number[] = []
  const end = (at: number, one: Pending) => {
    if (pending[at] !== one) return
    pending[at] = undefined
    free.push(at)
  }
  const giveUp = (dueBefore: number) => {
    for (const [at, one] of pending.entries()) {
      if (one === undefined || one.due > dueBefore) continue
      end(at, one)
      const what = one.what?.describe()
      const details = what === undefined ? '' : `: ${what}`
      one.reject(new DeadlinePassed(`the database did not answer within ${patienceMs} ms${details}`))
    }
  }
  const check = () => {
    const now = performance.now()
    // If this process was busy, the answers have already arrived and are read before the next immediate.
    if (pending.some((one) => one !== undefined && one.due <= now)) setImmediate(giveUp, now)
  }
  setInterval(check, CHECK_EVERY_MS).unref()

  return (work, what) =>
    new Promise((resolve, reject) => {
      const one: Pending = { due: performance.now() + patienceMs, what, reject }
      const at = free.pop() ?? pending.length
      pending[at] = one
      work.then(
        (value) => {
          end(at, one)
          resolve(value)
        },
        (error) => {
          end(at, one)
          reject(error)
        },
      )
    })
}

/** The advisory lock that lets one process at a time migrate: `plumbline` as a number. */
const MIGRATION_LOCK = 0x706c756d

/** A request statement that takes longer has met a database in trouble; the client gets its error within 3 s. */
const PATIENCE_MS = 2_500

/** The time limit for connecting. It applies to the client and not the pool, which would set a timer for every statement. */
export const CONNECTING = { connectionTimeoutMillis: 2_000 }

/** The time limit for connecting for a migration, which may have to wake a sleeping database. */
const CONNECTING_TO_MIGRATE = { connectionTimeoutMillis: 10_000 }

/** Settings of every pool. */
export const POOLED = { keepAlive: true, idleTimeoutMillis: 30_000 }

/**
 * The address of a Postgres and that for its migrations, how it is used, and the folder of its migrations and functions. Statements are
 * `named`, unless a pooler does not keep them.
 */
export type Connected = Address & { migrations: Address; poolSize: number; sqlFolder: string; named: boolean }

type Client = {
  connect(): Promise<unknown>
  query(text: string): Promise<{ rows: object[] }>
  end(): Promise<void>
}
type Connection = { release(broken?: boolean): void }
type Pool<C extends Connection> = {
  connect(): Promise<C>
  query<Row extends object>(statement: { name?: string; text: string; values: Value[] }): Promise<{ rows: Row[] }>
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
 * Migrates, where a migration or a newer function is missing, while others that would do the same wait. The lock belongs to a transaction and
 * not to a session: a pooler keeps one server connection for a transaction, but could leave a session's lock behind on any connection. It ends
 * with the connection, so a process that is killed leaves nothing behind.
 */
export async function migrateUnderLock(
  { migrations, sqlFolder }: Connected,
  clientOf: (options: { connectionString: string }) => Client,
): Promise<void> {
  const work = async (connection: Client) => {
    const ask = (text: string) => connection.query(text)
    await ask(withoutJit)
    if (await isMigrated(ask, sqlFolder)) return
    await migrate(ask, sqlFolder, `select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  }
  await connected(clientOf({ connectionString: migrations.url, ...CONNECTING_TO_MIGRATE }), work).catch((error) => {
    throw explained(error, migrations)
  })
}

async function connected(client: Client, work: (client: Client) => Promise<void>): Promise<void> {
  await client.connect()
  try {
    await work(client)
  } finally {
    // Not awaited: on a broken connection an old client never reports that it has ended.
    client.end().catch(() => {})
  }
}

type Heard = (...answer: unknown[]) => void

/** Tells the statement that asks for a connection when it has one: by `connect` of the pool, which its `query` calls too. */
function timeConnections(pool: { connect(heard?: Heard): unknown }): void {
  const connect = pool.connect.bind(pool)
  pool.connect = (heard) => {
    const part = startingStatement()
    if (!part) return connect(heard)
    part.waits()
    if (!heard) return Promise.resolve(connect()).finally(() => part.goesOn())
    return connect((...answer) => {
      part.goesOn()
      heard(...answer)
    })
  }
}

/** The name of the wait for a transaction's connection. */
const TRANSACTION = { name: 'transaction' }

/**
 * A driver's pool, Drizzle over it and over one of its connections. `brief` makes the shorter way for brief statements, and `long` runs what can be
 * ended, where the driver has them.
 */
type Over<C extends Connection> = {
  driver: Database['driver']
  pool: Pool<C>
  orm: Orm
  ormOf(client: C): Orm
  brief?(note: (error: unknown) => void): (statement: Statement, values: Value[]) => Promise<object[]>
  long?(statement: { name?: string; text: string; values: Value[] }, abandoned: AbortSignal): Promise<object[]>
}

/**
 * A pool as a {@link Database}: statements with a timeout, and transactions each on a connection that returns to the pool however
 * they end.
 */
export function overPool<C extends Connection>(
  { setting, named }: Connected,
  { driver, pool, orm, ormOf, brief, long }: Over<C>,
): Database {
  const { note, trouble } = watchMixedUp(setting)
  const runBrief = brief?.(note)
  const withinPatience = makeDeadline(PATIENCE_MS)
  // The pool drops a connection that breaks; an event without a listener would end the process.
  pool.on('error', () => {})
  pool.on('connect', (connection) => connection.on('error', () => {}))
  timeConnections(pool)
  const made = new WeakMap<C, Orm>()
  // Creating one takes most of a millisecond; connections are few and long-lived.
  const through = (connection: C): Orm => {
    const found = made.get(connection) ?? ormOf(connection)
    made.set(connection, found)
    return found
  }
  // Drizzle's own begins a transaction before the try that releases its connection, so each BEGIN that fails would keep one
  // (https://github.com/drizzle-team/drizzle-orm/issues/6241).
  orm.transaction = async (work, config) => {
    const connection = await measured(TRANSACTION, (part) => {
      part.waits()
      return pool.connect()
    })
    try {
      return await through(connection).transaction(work, config)
    } finally {
      connection.release()
    }
  }
  const runAlone = async ({ name, text }: Statement, values: Value[], abandoned?: AbortSignal) => {
    const sent = named ? { name, text, values } : { text, values }
    try {
      return abandoned && long ? await long(sent, abandoned) : (await pool.query<object>(sent)).rows
    } catch (error) {
      note(error)
      throw error
    }
  }
  /** Runs what ends when its client has left or its time is over. */
  const runLong = async (statement: Statement, values: Value[], part: Part) => {
    const abandoned = new AbortController()
    const abandon = () => abandoned.abort()
    const gone = currentParts()?.gone?.()
    if (gone?.aborted) abandon()
    gone?.addEventListener('abort', abandon, { once: true })
    try {
      return await withinPatience(runAlone(statement, values, abandoned.signal), part)
    } catch (error) {
      // That a client has left is no fault to log.
      throw gone?.aborted ? new ServiceError('busy', 'Nobody waits for the answer any more.', { cause: error }) : error
    } finally {
      abandon()
      gone?.removeEventListener('abort', abandon)
    }
  }
  return {
    driver,
    orm,
    run: <Row extends object>(statement: Statement, values: Value[]) => {
      const runIt = statement.brief && runBrief ? runBrief : runAlone
      return measured(statement, (part) =>
        statement.long ? runLong(statement, values, part) : withinPatience(runIt(statement, values), part),
      ) as Promise<Row[]>
    },
    patiently: (work) => withinPatience(work, currentParts()).catch(noteOverload),
    trouble,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}
