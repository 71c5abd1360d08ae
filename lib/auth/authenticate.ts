import { database } from '@/db/client'
import { findLiveKey } from '@/db/queries/keys'
import type { KeyActor } from './actor'
import { parseRange } from './address-ranges'
import { type Known, keyCache, keyLookUps } from './key-cache'
import { hashKey, isKeyShaped } from './keys'
import { presentedKey, unauthorized } from './presented-key'
import { isScope } from './scopes'

/** Shares one lookup among concurrent requests: a thousand requests with an uncached key run one statement. */
function lookUpOnce(hash: string): Promise<Known> {
  const found = keyLookUps().get(hash)
  if (found) return found
  const looking = lookUp(hash)
    .then((known) => {
      // A lookup that began before keys changed in this process answers its own request but is not cached.
      if (keyLookUps().get(hash) === looking) keyCache().set(hash, known)
      return known
    })
    .finally(() => keyLookUps().get(hash) === looking && keyLookUps().delete(hash))
  keyLookUps().set(hash, looking)
  return looking
}

async function lookUp(hash: string): Promise<Known> {
  const key = await findLiveKey(await database(), hash)
  return key
    ? {
        actor: {
          kind: 'key',
          keyId: key.id,
          lineage: key.lineage,
          contractorId: key.contractorId,
          scopes: new Set(key.scopes.filter(isScope)),
          allowed: key.allowedAddresses?.flatMap((text) => [parseRange(text)].filter((range) => range !== undefined)),
          perMinute: key.perMinute ?? undefined,
        },
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
      }
    : 'unknown'
}

/**
 * Returns the actor for a request's API key.
 * @throws ServiceError `unauthorized`, with the same message for a missing, malformed, unknown, revoked or expired key
 */
export async function authenticateKey(text: string | undefined): Promise<KeyActor> {
  if (text !== undefined) {
    const known = keyCache().get(hashKey(text)) ?? (isKeyShaped(text) ? await lookUpOnce(hashKey(text)) : 'unknown')
    if (known !== 'unknown' && known.expiresAt > Date.now()) return known.actor
  }
  throw unauthorized()
}

/** Returns the actor for a request's headers; see {@link authenticateKey}. */
export const authenticate = (headers: Pick<Headers, 'get'>): Promise<KeyActor> => authenticateKey(presentedKey(headers))
