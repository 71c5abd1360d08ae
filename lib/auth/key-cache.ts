import { LRUCache } from 'lru-cache'
import { part } from '@/lib/runtime/runtime'
import type { KeyActor } from './actor'
import { hashKey, isKeyShaped } from './keys'

/** What is known about a key: its holder and its expiry in epoch milliseconds, or that no such key exists. */
export type Known = { actor: KeyActor; expiresAt: number } | 'unknown'

/**
 * A revoked key is refused everywhere within five seconds; the process that revokes forgets it at once. The cache looks at the
 * clock every half second at most (to do so every millisecond, its default, costs a timer per request).
 */
export const keyCache = part('keyCache', () => new LRUCache({ max: 20_000, ttl: 4_000, ttlResolution: 500 }))

/** Lookups in progress, by the hash of the key. */
export const keyLookUps = part('keyLookUps', () => new Map())

/** Empties the cache of keys in this process, after one was created, rotated or revoked here. */
export function forgetKeys(): void {
  keyCache().clear()
  keyLookUps().clear()
}

/**
 * Whose key a text is, as far as this process knows from before, and what finds it in the database: for the request log, which names
 * the holder also of what was refused. It gives no right to anything. Undefined for what is no key.
 */
export function recognizedKey(text: string | undefined): { actor: KeyActor | undefined; hash: string } | undefined {
  if (text === undefined || !isKeyShaped(text)) return undefined
  const hash = hashKey(text)
  const known = keyCache().peek(hash, { allowStale: true })
  return { actor: known === 'unknown' ? undefined : known?.actor, hash }
}
