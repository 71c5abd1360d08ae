import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { DatabaseDriver } from '../../lib/core/database-settings'
import type * as schema from '../schema'

/** Drizzle over whichever driver is in use; queries are written once, against this. A transaction is one too. */
export type Orm = PgDatabase<PgQueryResultHKT, typeof schema>

/** A statement with a name: prepared once per connection where the driver can. The name is one-to-one with the text. */
export type Statement = { name: string; text: string }
export type Value = string | number | boolean | null

/** What every driver offers; nothing above `db/client.ts` knows which one it has. */
export type Database = {
  driver: DatabaseDriver
  orm: Orm
  /** The hot path: one named statement, rows as objects by column name, no mapping in between. */
  run<Row extends object>(statement: Statement, values: Value[]): Promise<Row[]>
  /** Work through Drizzle for which a request waits: given up when the database does not answer in time. Jobs may take longer. */
  patiently<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
  /** How many statements of requests were run so far; the embedded database only, which does one thing at a time. */
  asked?(): number
  /** How many connections are open, how many of them idle, and how many statements wait for one; where the driver has a pool. */
  pool?(): { open: number; idle: number; waiting: number }
  /** The embedded database only: publishes where its holder takes commands from this machine. */
  publishControl?(control: { port: number; token: string }): void
}

/**
 * Rows of a raw statement. The caller names the row's type beside the SQL that makes it: all drivers answer `{rows}` with
 * objects by column name, which Drizzle's general type does not say; that is the whole of what is asserted here.
 */
export async function rows<Row extends object>(orm: Orm, statement: SQL): Promise<Row[]> {
  const result = (await orm.execute(statement)) as { rows: Row[] }
  return result.rows
}
