import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { drizzle } from 'drizzle-orm/pglite'
import { Embedded } from '@/patches/pglite-array-types'
import { measured } from '../statements'
import type { Database, Statement, Value } from './driver'
import { acquireLock } from './lock'
import { isMigrated, migrate } from './migrated'
import { embeddedCode } from './pglite-code'
import { preparedStatements } from './pglite-statements'

/** The embedded database has no background process, so this one removes dead rows and updates statistics. */
const TIDY_EVERY_MS = 6 * 3_600_000

/** The database's own cache of pages. Its default of 128 MB stays in this process, beside the system's cache of the same files; 32 MB doubles what inserts cost. */
const CACHE = 'shared_buffers=64MB'

/**
 * Opens the embedded Postgres in `<directory>/pg` under the directory's lock, migrated. Acknowledged writes survive the death of
 * the process but not a power failure (its fsync does nothing).
 * @throws DirectoryLocked when another process has it open
 */
export async function openPglite(directory: string, sqlFolder: string): Promise<Database> {
  const lock = await acquireLock(directory)
  try {
    const code = await embeddedCode()
    const client = new Embedded(join(directory, 'pg'), {
      ...(code ? { pgliteWasmModule: code } : {}),
      startParams: [...PGlite.defaultStartParams, '-c', CACHE, '-c', 'timezone=UTC'],
    })
    await client.waitReady
    const orm = drizzle(client)
    if (!(await isMigrated((text) => client.query(text), sqlFolder)))
      await migrate(async (text) => (await client.exec(text)).at(-1) ?? { rows: [] }, sqlFolder)
    const tidying = setInterval(() => client.exec('vacuum (analyze)').catch(() => {}), TIDY_EVERY_MS)
    tidying.unref()
    const run = preparedStatements(client)
    let asked = 0
    return {
      driver: 'pglite',
      orm,
      run: <Row extends object>(statement: Statement, values: Value[]) => {
        asked++
        return measured(statement, () => run(statement, values)) as Promise<Row[]>
      },
      asked: () => asked,
      // It runs in this process: while it does not answer, no timer would run either.
      patiently: (work) => work,
      publishControl: lock.publish,
      close: async () => {
        clearInterval(tidying)
        await client.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
