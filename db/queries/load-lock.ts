import { sql } from 'drizzle-orm'
import { shared } from '../../lib/core/shared'
import { type Database, openDatabase, rows } from '../client'

type Settings = Parameters<typeof openDatabase>[0]

/** The most loads in one process: each holds a connection for its lock as long as it receives and loads. */
export const MOST_LOADS = 8

/** The database whose connections hold the locks: open while there is a lock. */
export type LoadLocks = { opened?: Promise<Database> | undefined; held: number }
const locks = shared<LoadLocks>('loadLocks', () => ({ held: 0 }))

/**
 * Takes the process's database for locks, which is not the shared one: if each load held a connection of that pool, none might be left
 * to load with.
 */
async function takeDatabase(settings: Settings): Promise<{ db: Database; giveBack: () => Promise<void> }> {
  const shared = locks()
  const opened = shared.opened ?? openDatabase({ ...settings, poolSize: MOST_LOADS })
  shared.opened = opened
  shared.held++
  const giveBack = async () => {
    shared.held--
    if (shared.held > 0 || shared.opened !== opened) return
    shared.opened = undefined
    await (await opened.catch(() => undefined))?.close()
  }
  try {
    return { db: await opened, giveBack }
  } catch (error) {
    await giveBack()
    throw error
  }
}

/**
 * Locks loading for a contractor across all processes on the database. Returns the function that releases it, or undefined while
 * another process holds it. The lock ends with its connection, so a process that dies leaves nothing behind. The embedded database
 * has only one process and needs no lock. At most {@link MOST_LOADS} at a time.
 */
export async function lockLoads(settings: Settings, contractorId: string): Promise<(() => Promise<void>) | undefined> {
  if (settings.databaseDriver === 'pglite') return async () => {}
  const { db, giveBack } = await takeDatabase(settings)
  let endLock = () => {}
  const released = new Promise<void>((done) => {
    endLock = done
  })
  let held: Promise<void> = Promise.resolve()
  const taken = await new Promise<boolean>((answer, fail) => {
    held = db.orm.transaction(async (tx) => {
      await tx.execute(sql`set local idle_in_transaction_session_timeout = 0`)
      const [row] = await rows<{ taken: boolean }>(
        tx,
        sql`select pg_try_advisory_xact_lock(hashtextextended(${`load ${contractorId}`}, 0)) as taken`,
      )
      answer(row?.taken === true)
      if (row?.taken === true) await released
    })
    held.catch(fail)
  }).catch(async (error) => {
    await giveBack()
    throw error
  })
  const release = async () => {
    endLock()
    // A broken connection has already released the lock.
    await held.catch(() => {})
    await giveBack()
  }
  if (taken) return release
  await release()
  return undefined
}
