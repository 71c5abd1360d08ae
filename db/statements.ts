import { aroundQueries } from '@/patches/drizzle-statements'
import { part } from '../lib/runtime/runtime'
import type { Database } from './drivers/driver'

/** What is to happen around each statement, such as timing it; it answers what `run` answers. */
export type Around = <T>(name: string, run: () => Promise<T>) => Promise<T>

const holder = part('aroundStatements', () => ({}))

/** A statement's verb and first table, such as `select customers`; never a value. */
export function statementName(text: string): string {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update|table)\s+"?([a-z_]+)"?/i.exec(text)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}

/** Has `around` stand around every statement of databases that are opened from now on. */
export function aroundStatements(around: Around): void {
  if (holder().current) return
  holder().current = around
  aroundQueries((text, run) => around(statementName(text), run))
}

/** A database whose named statements pass `around` too, where one is set; else the database as it is. */
export function watched(db: Database): Database {
  const { current: around } = holder()
  if (!around) return db
  return { ...db, run: (statement, values) => around(statement.name, () => db.run(statement, values)) }
}
