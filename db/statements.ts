import { aroundQueries } from '@/patches/drizzle-statements'
import { part } from '../lib/runtime/runtime'
import type { Database } from './drivers/driver'

/** Wraps each statement, for example to time it. Must return what `run` returns. */
export type Around = <T>(name: string, run: () => Promise<T>) => Promise<T>

const holder = part('aroundStatements', () => ({}))

/** Returns a statement's verb and first table, such as `select customers`, and never a value. */
function statementName(text: string): string {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const table = /\b(?:from|into|update|table)\s+"?([a-z_]+)"?/i.exec(text)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}

/** Wraps every statement of databases opened from now on in `around`. */
export function aroundStatements(around: Around): void {
  if (holder().current) return
  holder().current = around
  aroundQueries((text, run) => around(statementName(text), run))
}

/** Returns a database whose named statements go through `around`, or the database unchanged when none is set. */
export function watched(db: Database): Database {
  const { current: around } = holder()
  if (!around) return db
  return { ...db, run: (statement, values) => around(statement.name, () => db.run(statement, values)) }
}
