import { LRUCache } from 'lru-cache'
import { shared } from '@/lib/core/shared'
import { unreserved } from '@/lib/core/unreserved'
import type { KeyActor } from './actor'
import { hashKey, isKeyShaped } from './keys'

/** The known state of a key: its holder and its expiry in epoch milliseconds, or that no such key exists. */
export type CachedKey = { actor: KeyActor; expiresAt: number } | 'unknown'

/**
 * A revoked key is refused everywhere within five seconds; the process that revokes it forgets it at once. The cache reads the
 * clock at most every half second (its default, every millisecond, costs a timer per request).
 */
export const keyCache = shared<LRUCache<string, CachedKey>>(
  'keyCache',
  () => new LRUCache({ ...unreserved(20_000), ttl: 4_000, ttlResolution: 500 }),
)

/** Lookups in progress, by the hash of the key. */
export const keyLookUps = shared<Map<string, Promise<CachedKey>>>('keyLookUps', () => new Map())

/** Empties the cache of keys in this process, after one was created, rotated or revoked here. */
export function forgetKeys(): void {
  keyCache().clear()
  keyLookUps().clear()
}

/**
 * Returns a key's holder as far as this process already knows it, and the hash that finds it in the database. The request log uses
 * it to name the holder of refused requests too. It grants no access. Undefined for a text that is not a key.
 */
export function recognizedKey(text: string | undefined): { actor: KeyActor | undefined; hash: string } | undefined {
  if (text === undefined || !isKeyShaped(text)) return undefined
  const hash = hashKey(text)
  const known = keyCache().peek(hash, { allowStale: true })
  return { actor: known === 'unknown' ? undefined : known?.actor, hash }
}
