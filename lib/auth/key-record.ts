import type { Orm } from '@/db/client'
import { insertKey, type KeyRecord } from '@/db/queries/keys'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import type { ActingPerson } from './actor'
import { isOver } from './key-state'
import { hashKey, last4, newKeyText } from './keys'

/** A new key. `text` is the secret, to be shown once; it cannot be recovered from what is stored. */
export type MadeKey = {
  id: string
  text: string
  name: string
  preset: string | null
  leadSource: string | null
  scopes: string[]
  expiresAt: Date | null
}

/** Makes a secret and stores the key with its hash. */
export async function storeKey(
  orm: Orm,
  record: Pick<
    KeyRecord,
    | 'contractorId'
    | 'name'
    | 'preset'
    | 'leadSource'
    | 'scopes'
    | 'mode'
    | 'expiresAt'
    | 'rotatedFrom'
    | 'lineage'
    | 'allowedAddresses'
    | 'perMinute'
    | 'insteadOfAddress'
    | 'issuedTo'
  >,
): Promise<MadeKey> {
  const text = newKeyText(record.mode)
  const id = newId('key')
  const fresh = { revokedAt: null, createdAt: new Date() }
  await insertKey(orm, { ...record, ...fresh, id, secretHash: hashKey(text), last4: last4(text) })
  const { name, preset, leadSource, scopes, expiresAt } = record
  return { id, text, name, preset, leadSource, scopes, expiresAt }
}

/** Returns the id of the first key in a chain of rotations, which identifies the chain. */
export const lineageOf = ({ id, lineage }: KeyRecord): string => lineage ?? id

/** Returns a key that the actor may manage. @throws ServiceError `not_found`, also for another contractor's key */
export function requireOwn(key: KeyRecord | undefined, by: ActingPerson): KeyRecord {
  if (key && by.contractorId === key.contractorId) return key
  throw new ServiceError('not_found', 'There is no key with this id. `keys list` shows the existing ones.')
}

/** Returns a key that still works. @throws ServiceError `bad_request` when it has ended */
export function requireUsable(key: KeyRecord, now: Date): KeyRecord {
  if (!isOver(key, now)) return key
  const why = key.revokedAt ? 'is revoked' : 'has expired'
  throw new ServiceError('bad_request', `This key ${why}. Create a new one instead.`)
}

/** Returns a key's earlier secrets that still work, newest first. */
export function olderOf(key: KeyRecord, chain: readonly KeyRecord[], now: Date): KeyRecord[] {
  const before = chain.find(({ id }) => id === key.rotatedFrom)
  if (!before) return []
  return [...(isOver(before, now) ? [] : [before]), ...olderOf(before, chain, now)]
}
