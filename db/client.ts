import { join } from 'node:path'
import { type Env, env } from '../lib/core/env'
import { log } from '../lib/core/log'
import type { Database, Orm } from './drivers/driver'
import { fenceDown, raiseFence } from './fence'
import { type SharedDatabase, shared } from './shared'
import { watched } from './statements'

export { type Database, type Orm, rows, type Statement, type Value } from './drivers/driver'
export { DirectoryLocked, lockHolder, processStarted } from './drivers/holder'
export { withinContractor } from './fence'
export { closeDatabase, openingFault, requireOfDatabase, type SharedDatabase, shareDatabase } from './shared'

const migrationsFolder = join(/* turbopackIgnore: true */ process.cwd(), 'db', 'migrations')

type OpenedBy = Pick<Env, 'databaseDriver' | 'databaseUrl' | 'migrationsUrl' | 'poolSize' | 'dataDir'>

/** Opens a separate database, migrated; the caller closes it. Requests use {@link database}, which is shared. */
export async function openDatabase(settings: OpenedBy): Promise<Database> {
  const opened = await openDriver(settings)
  const why = await raiseFence(opened.orm).catch(async (error) => {
    await opened.close()
    throw error
  })
  if (why) log('warn', { operation: 'start' }, fenceDown(why))
  return opened
}

async function openDriver(settings: OpenedBy): Promise<Database> {
  const { databaseDriver, databaseUrl: url, migrationsUrl, poolSize } = settings
  if (!url) {
    const { openPglite } = await import('./drivers/pglite')
    return openPglite(settings.dataDir, migrationsFolder)
  }
  const place = { url, migrationsUrl, poolSize, migrationsFolder }
  return databaseDriver === 'vercel'
    ? (await import('./drivers/vercel')).openVercel(place)
    : (await import('./drivers/pg')).openPg(place)
}

async function openChecked(holder: SharedDatabase): Promise<Database> {
  const opened = await openDatabase(env())
  try {
    await holder.check?.(opened)
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

/**
 * The process's database, opened and migrated by the first call. A failed opening is not remembered, so the next request tries
 * again and the service recovers on its own.
 */
export function database(): Promise<Database> {
  const holder = shared()
  holder.opened ??= openChecked(holder)
    .then((opened) => {
      holder.fault = undefined
      holder.isOpen = true
      return watched(opened)
    })
    .catch((error) => {
      holder.opened = undefined
      holder.fault = error
      throw error
    })
  return holder.opened
}

/**
 * Runs a request's work through Drizzle on the process's database.
 * @throws DeadlinePassed when it takes longer than a request may wait; it may still complete once the database answers
 */
export async function patiently<T>(work: (orm: Orm) => Promise<T>): Promise<T> {
  const db = await database()
  return db.patiently(work(db.orm))
}
