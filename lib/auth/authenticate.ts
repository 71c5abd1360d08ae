import { LRUCache } from 'lru-cache'
import { database } from '@/db/client'
import { findLiveKey } from '@/db/queries/keys'
import { ServiceError } from '@/lib/core/errors'
import { processWide } from '@/lib/core/shared'
import type { Actor } from './actor'
import { hashKey, isKeyShaped } from './keys'
import { isScope } from './scopes'

type Known = { actor: Actor; expiresAt: number } | 'unknown'

/**
 * A revoked key is refused everywhere within five seconds; the process that revokes forgets it at once. The cache looks at the
 * clock every half second at most (to do so every millisecond, its default, costs a timer per request).
 */
const cache = processWide('keys', () => new LRUCache<string, Known>({ max: 20_000, ttl: 4_000, ttlResolution: 500 }))

/** Makes this process look every key up anew: after one was made, rotated or revoked here. */
export function forgetKeys(): void {
  cache().clear()
}

const BEARER = /^Bearer +([^\s]+) *$/i

/** The key a request carries in `x-api-key` or `Authorization: Bearer`; undefined when none, malformed, or two that differ. */
export function presentedKey(headers: Pick<Headers, 'get'>): string | undefined {
  const direct = headers.get('x-api-key')
  const authorization = headers.get('authorization')
  if (authorization === null) return direct ?? undefined
  const bearer = BEARER.exec(authorization)?.[1]
  if (bearer === undefined) return undefined
  return direct === null || direct === bearer ? bearer : undefined
}

async function lookUp(hash: string): Promise<Known> {
  const key = await findLiveKey(await database(), hash)
  const known: Known = key
    ? {
        actor: {
          kind: 'key',
          keyId: key.id,
          contractorId: key.contractorId,
          scopes: new Set(key.scopes.filter(isScope)),
        },
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
      }
    : 'unknown'
  cache().set(hash, known)
  return known
}

/**
 * Who sends a request, from its API key.
 * @throws ServiceError `unauthorized`, with one and the same answer for a missing, malformed, unknown, revoked or expired key
 */
export async function authenticate(headers: Pick<Headers, 'get'>): Promise<Actor> {
  const text = presentedKey(headers)
  if (text !== undefined) {
    const known = cache().get(hashKey(text)) ?? (isKeyShaped(text) ? await lookUp(hashKey(text)) : 'unknown')
    if (known !== 'unknown' && known.expiresAt > Date.now()) return known.actor
  }
  throw new ServiceError(
    'unauthorized',
    'A valid API key is needed. Send it as `x-api-key` or `Authorization: Bearer`.',
    {
      headers: { 'www-authenticate': 'Bearer realm="plumbline"' },
    },
  )
}
