import type { Database } from '../client'
import { keysAlive } from './keys'
import { grantsAlive } from './oauth-grants'

const GRANT = 'grt_'

/** Returns those of the keys and connections, by id, that still work. */
export async function credentialsAlive(db: Database, ids: string[]): Promise<Set<string>> {
  const grants = ids.filter((id) => id.startsWith(GRANT))
  const keys = ids.filter((id) => !id.startsWith(GRANT))
  const alive = keys.length > 0 ? await keysAlive(db, keys) : []
  return new Set([...alive, ...(grants.length > 0 ? await grantsAlive(db, grants) : [])])
}
