import type { SQL } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { DatabaseDriver } from '../../lib/core/database-settings'

/** The Drizzle instance over the driver in use; queries are written once, against this type. A transaction has it too. */
export type Orm = PgDatabase<PgQueryResultHKT>

/**
 * A named statement: prepared once per connection where the driver can. Each name has exactly one text. One that is `brief` only reads, a
 * few rows that an index leads to, so that it may share a round trip with others. One that is `long` only reads too, and ends when the client
 * has left or the time is over.
 */
export type Statement = { name: string; text: string; brief?: boolean; long?: boolean }
export type Value = string | number | boolean | null

/** The interface of every driver; only `db/client.ts` knows which one is in use. */
export type Database = {
  driver: DatabaseDriver
  orm: Orm
  /** The hot path: one named statement, rows as objects by column name, no mapping. */
  run<Row extends object>(statement: Statement, values: Value[]): Promise<Row[]>
  /** Runs work through Drizzle that a request waits for: abandoned when the database does not answer in time. Jobs may take longer. */
  patiently<T>(work: Promise<T>): Promise<T>
  close(): Promise<void>
  /** Returns how many request statements have run so far; embedded database only, which runs one at a time. */
  asked?(): number
  /** Open and idle connections, and statements that wait for one; only where the driver has a pool. */
  pool?(): { open: number; idle: number; waiting: number }
  /** Returns why statements fail, for the operator, while they do; only where a pooler can be the reason. */
  trouble?(): string | undefined
  /** Publishes where its holder takes commands from this machine; embedded database only. */
  publishControl?(control: { port: number; token: string }): void
}

/**
 * Rows of a raw statement. The caller states the row's type next to the SQL that produces it: all drivers return `{rows}` with
 * objects by column name, which Drizzle's general type does not say; nothing else is asserted.
 */
export async function rows<Row extends object>(orm: Orm, statement: SQL): Promise<Row[]> {
  const result = (await orm.execute(statement)) as { rows: Row[] }
  return result.rows
}
