import { LRUCache } from 'lru-cache'
import { database } from '@/db/client'
import { findLiveKey } from '@/db/queries/keys'
import { ServiceError } from '@/lib/core/errors'
import { processWide } from '@/lib/core/shared'
import type { KeyActor } from './actor'
import { parseRange } from './address-ranges'
import { hashKey, isKeyShaped } from './keys'
import { isScope } from './scopes'

type Known = { actor: KeyActor; expiresAt: number } | 'unknown'

/**
 * A revoked key is refused everywhere within five seconds; the process that revokes forgets it at once. The cache looks at the
 * clock every half second at most (to do so every millisecond, its default, costs a timer per request).
 */
const cache = processWide('keys', () => new LRUCache<string, Known>({ max: 20_000, ttl: 4_000, ttlResolution: 500 }))

const underWay = processWide('key look-ups', () => new Map<string, Promise<Known>>())

/** Makes this process look every key up again: after one was made, rotated or revoked here. */
export function forgetKeys(): void {
  cache().clear()
  underWay().clear()
}

const BEARER = /^Bearer +([^\s]+) *$/i
const BASIC = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i

/** The password of HTTP Basic credentials (RFC 7617); whatever the user name is, it is not looked at. */
function basicPassword(authorization: string): string | undefined {
  const credentials = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString()
  return credentials.includes(':') ? credentials.slice(credentials.indexOf(':') + 1) : undefined
}

/**
 * The key a request carries in `x-api-key` or `Authorization: Bearer`; undefined when none, malformed, or two that differ. Basic
 * credentials that are no key, of a proxy in front, may stand beside `x-api-key`.
 * @param takesBasic where senders can set no header of their own: the password of `Authorization: Basic` is read too
 */
export function presentedKey(headers: Pick<Headers, 'get'>, takesBasic = false): string | undefined {
  const direct = headers.get('x-api-key')
  const authorization = headers.get('authorization')
  if (authorization === null) return direct ?? undefined
  const password = basicPassword(authorization)
  // A proxy in front may ask for credentials of its own; what is no key of ours says nothing against the key beside it.
  if (direct !== null && password !== undefined && !isKeyShaped(password)) return direct
  const other = BEARER.exec(authorization)?.[1] ?? (takesBasic ? password : undefined)
  if (other === undefined) return undefined
  return direct === null || direct === other ? other : undefined
}

/** One look-up for all who ask at once: a thousand requests with a key not seen for a while are one statement. */
function lookUpOnce(hash: string): Promise<Known> {
  const found = underWay().get(hash)
  if (found) return found
  const looking = lookUp(hash)
    .then((known) => {
      // One that began before keys changed here answers its own request, and is not remembered.
      if (underWay().get(hash) === looking) cache().set(hash, known)
      return known
    })
    .finally(() => underWay().get(hash) === looking && underWay().delete(hash))
  underWay().set(hash, looking)
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
 * Who sends a request, from the API key it presents.
 * @throws ServiceError `unauthorized`, with one and the same answer for a missing, malformed, unknown, revoked or expired key
 */
export async function authenticateKey(text: string | undefined): Promise<KeyActor> {
  if (text !== undefined) {
    const known = cache().get(hashKey(text)) ?? (isKeyShaped(text) ? await lookUpOnce(hashKey(text)) : 'unknown')
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

/**
 * Whose key a text is, as far as this process knows from before, and what finds it in the database: for the request log, which names
 * the holder also of what was refused. It gives no right to anything. Undefined for what is no key.
 */
export function recognizedKey(text: string | undefined): { actor: KeyActor | undefined; hash: string } | undefined {
  if (text === undefined || !isKeyShaped(text)) return undefined
  const hash = hashKey(text)
  const known = cache().peek(hash, { allowStale: true })
  return { actor: known === 'unknown' ? undefined : known?.actor, hash }
}

/** Who sends a request, from its headers; see {@link authenticateKey}. */
export const authenticate = (headers: Pick<Headers, 'get'>): Promise<KeyActor> => authenticateKey(presentedKey(headers))
