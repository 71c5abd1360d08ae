import { database } from '@/db/client'
import { findLiveKey, type LiveKey } from '@/db/queries/keys'
import { env } from '@/lib/core/env'
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

/** A limit in place of the one by address never allows more than the operator does. */
function ownLimitOf({ perMinute, insteadOfAddress }: LiveKey): Pick<KeyActor, 'perMinute' | 'insteadOfAddress'> {
  if (perMinute === null) return {}
  return insteadOfAddress ? { perMinute: Math.min(perMinute, env().limits.key), insteadOfAddress } : { perMinute }
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
          ...ownLimitOf(key),
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

/** Returns the actor for a request's headers as far as this process knows its key, without waiting; undefined when it must be looked up. */
export function knownActor(headers: Pick<Headers, 'get'>): KeyActor | undefined {
  const text = presentedKey(headers)
  const known = text === undefined ? undefined : keyCache().get(hashKey(text))
  return known === undefined || known === 'unknown' || known.expiresAt <= Date.now() ? undefined : known.actor
}

/** Returns the actor for a request's headers; see {@link authenticateKey}. */
export const authenticate = (headers: Pick<Headers, 'get'>): Promise<KeyActor> => authenticateKey(presentedKey(headers))
