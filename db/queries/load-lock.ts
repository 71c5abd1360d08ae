import { sql } from 'drizzle-orm'
import { openDatabase, rows } from '../client'

type Settings = Parameters<typeof openDatabase>[0]

/**
 * Locks loading for a contractor across all processes on the database. Returns the function that releases it, or undefined while
 * another process holds it. The lock ends with its connection, so a process that dies leaves nothing behind. The embedded database
 * has only one process and needs no lock.
 */
export async function lockLoads(settings: Settings, contractorId: string): Promise<(() => Promise<void>) | undefined> {
  if (settings.databaseDriver === 'pglite') return async () => {}
  // Uses its own connection. If each load held one from the pool, none might be left to load with.
  const db = await openDatabase({ ...settings, poolSize: 1 })
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
    await db.close()
    throw error
  })
  const release = async () => {
    endLock()
    // A broken connection has already released the lock.
    await held.catch(() => {})
    await db.close()
  }
  if (taken) return release
  await release()
  return undefined
}
