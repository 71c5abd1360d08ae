import { database, withinContractor } from '@/db/client'
import { findKey } from '@/db/queries/keys'
import { isLasting } from '@/lib/auth/lasting-keys'
import type { Context } from '../define'

/** Reports whether the key to be changed is one that lasts; the operation itself reports a key that does not exist. */
export async function isOfLasting(
  { actor, now }: Pick<Context, 'actor' | 'now'>,
  { id }: { id: string },
): Promise<boolean> {
  const { contractorId } = actor
  const key = await withinContractor((await database()).orm, contractorId, (orm) => findKey(orm, id))
  return key?.contractorId === contractorId && isLasting(key, now)
}
