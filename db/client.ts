import { join } from 'node:path'
import { type Env, env } from '../lib/core/env'
import { log } from '../lib/core/log'
import type { Database, Orm } from './drivers/driver'
import { explained } from './drivers/unusable'
import { fenceDown, raiseFence } from './fence'
import { type SharedDatabase, sharedDatabase } from './shared'
import { measureQueries, noteOverload } from './statements'

export { type Database, type Orm, rows, type Statement, type Value } from './drivers/driver'
export { DirectoryLocked, lockHolder, processStarted } from './drivers/holder'
export { DatabaseTooOld } from './drivers/migrated'
export { isMigrating } from './drivers/migrating'
export { makePrivate } from './drivers/private-directory'
export { withinContractor } from './fence'
export { closeDatabase, isOpened, openingFault, requireOfDatabase, type SharedDatabase, shareDatabase } from './shared'

const sqlFolder = join(/* turbopackIgnore: true */ process.cwd(), 'db')

type OpenedBy = Pick<
  Env,
  'databaseDriver' | 'databaseUrl' | 'databaseSetting' | 'migrationsUrl' | 'poolSize' | 'namedStatements' | 'dataDir'
>

/**
 * Opens a separate database, migrated; the caller closes it. Requests use {@link database}, which is shared.
 * @param folder the folder of `migrations` and `functions`
 * @throws OperatorError when the operator can change why it does not open
 */
export async function openDatabase(settings: OpenedBy, folder = sqlFolder): Promise<Database> {
  measureQueries()
  const opened = await openDriver(settings, folder)
  const why = await raiseFence(opened.orm).catch(async (error) => {
    await opened.close()
    throw error
  })
  if (why) log('warn', { operation: 'start' }, fenceDown(why))
  return opened
}

async function openDriver(settings: OpenedBy, folder: string): Promise<Database> {
  const { databaseDriver, databaseUrl: url, databaseSetting: setting, migrationsUrl, poolSize } = settings
  if (!url) {
    const { openPglite } = await import('./drivers/pglite')
    return openPglite(settings.dataDir, folder)
  }
  const address = { url, setting }
  const migrations = migrationsUrl ? { url: migrationsUrl, setting: 'POSTGRES_URL_NON_POOLING' } : address
  const place = { ...address, migrations, poolSize, sqlFolder: folder, named: settings.namedStatements }
  const opening =
    databaseDriver === 'vercel'
      ? (await import('./drivers/vercel')).openVercel(place)
      : (await import('./drivers/pg')).openPg(place)
  return opening.catch((error) => {
    throw explained(error, address)
  })
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
  const holder = sharedDatabase()
  holder.opened ??= openChecked(holder)
    .then((opened) => {
      holder.fault = undefined
      holder.isOpen = true
      return opened
    })
    .catch((error) => {
      holder.opened = undefined
      holder.fault = error
      return noteOverload(error)
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
