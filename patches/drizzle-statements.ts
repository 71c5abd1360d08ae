import { PgPreparedQuery } from 'drizzle-orm/pg-core'
import type { Patch } from './patch'

export const PATCH: Patch = {
  package: 'drizzle-orm',
  version: '0.45.4',
  what: 'PgPreparedQuery.prototype.queryWithCache, through which every driver runs every statement, inside transactions too. Its logger hears of a statement before it runs, not of its end.',
  upstream: 'https://github.com/drizzle-team/drizzle-orm/issues/371',
  removeWhen: 'Drizzle calls a hook around a statement, or publishes its begin and end on a diagnostics channel.',
}

type Query = (this: unknown, text: string, values: unknown[], run: () => Promise<unknown>) => Promise<unknown>

/** The method is left out of the types. */
const queries = PgPreparedQuery.prototype as unknown as { queryWithCache: Query }

/**
 * Has `around` called with the text of every statement that this copy of Drizzle runs; it runs the statement.
 * @param done the copies that have it already
 */
export function aroundQueries(
  done: WeakSet<object>,
  around: <T>(text: string, run: () => Promise<T>) => Promise<T>,
): void {
  if (done.has(queries)) return
  done.add(queries)
  const { queryWithCache } = queries
  queries.queryWithCache = function (text, values, run) {
    return around(text, () => queryWithCache.call(this, text, values, run))
  }
}
