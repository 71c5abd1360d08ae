import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: 'drizzle-orm',
  version: '0.45.4',
  what: 'transaction() of a database over a pool. It begins the transaction before the try that releases the connection, so each BEGIN that fails takes a connection from the pool permanently.',
  upstream: 'https://github.com/drizzle-team/drizzle-orm/issues/6241',
  removeWhen: 'node-postgres and vercel-postgres release the connection when BEGIN fails (pull request 6242).',
}

type Connection = { release(): void }

/**
 * Gives each transaction a connection of the pool that goes back however the transaction ends.
 * @param through Drizzle over one connection
 */
export function releaseAlways<C extends Connection, Schema extends Record<string, unknown>>(
  orm: PgDatabase<PgQueryResultHKT, Schema>,
  pool: { connect(): Promise<C> },
  through: (connection: C) => PgDatabase<PgQueryResultHKT, Schema>,
): void {
  orm.transaction = async (work, config) => {
    const connection = await pool.connect()
    try {
      return await through(connection).transaction(work, config)
    } finally {
      connection.release()
    }
  }
}
