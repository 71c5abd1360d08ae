import { database } from '@/db/client'
import { findLiveKey, type LiveKey } from '@/db/queries/keys'
import { env } from '@/lib/core/env'
import type { KeyActor, ProtectedResource } from './actor'
import { parseRange } from './address-ranges'
import { type CachedKey, keyCache, keyLookUps } from './key-cache'
import { hashKey, isKeyShaped, isTokenShaped } from './keys'
import { isOAuthOffered } from './oauth/places'
import { presentedKey, unauthorized } from './presented-key'
import { isScope, URL_PRESET } from './scopes'

/** Shares one lookup among concurrent requests: a thousand requests with an uncached key run one statement. */
function lookUpOnce(hash: string, lookUp: (hash: string) => Promise<CachedKey>): Promise<CachedKey> {
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

async function lookUpKey(hash: string): Promise<CachedKey> {
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
          ...(key.preset === URL_PRESET && { inUrl: true, leadSource: key.leadSource ?? '' }),
        },
        expiresAt: key.expiresAt ?? Number.POSITIVE_INFINITY,
      }
    : 'unknown'
}

/** Checks an access token. What that needs is loaded with the first one. */
async function lookUpToken(text: string): Promise<CachedKey> {
  const { actorOfToken } = await import('./oauth/verify')
  return (await actorOfToken(text)) ?? 'unknown'
}

/** The place where a credential was sent: which headers, to which face, and whether it was part of the URL instead. */
type Sent = { headers?: Pick<Headers, 'get'>; face?: ProtectedResource; isInUrl?: boolean }

function lookUp(text: string, { isInUrl = false }: Sent): Promise<CachedKey> | 'unknown' {
  if (isKeyShaped(text)) return lookUpOnce(hashKey(text), lookUpKey)
  return isTokenShaped(text) && !isInUrl && isOAuthOffered()
    ? lookUpOnce(hashKey(text), () => lookUpToken(text))
    : 'unknown'
}

/**
 * Reports whether a credential works now and here: a token is good for one face (RFC 8707); keys for URLs work only there, and nothing else
 * does, so that no other credential gets into one.
 */
const works = (
  known: CachedKey | undefined,
  { face = 'api', isInUrl = false }: Sent,
): known is Exclude<CachedKey, 'unknown'> =>
  known !== undefined &&
  known !== 'unknown' &&
  known.expiresAt > Date.now() &&
  (known.actor.inUrl === true) === isInUrl &&
  (known.actor.grant === undefined || known.actor.grant.face === face)

/**
 * Returns the actor for a request's API key or access token.
 * @param text the key or token of the request
 * @throws ServiceError `unauthorized`, with the same message for a missing, malformed, unknown, revoked or expired key; `bad_request` for a
 *   key and a token together
 */
export async function authenticateKey(text: string | undefined, sent: Sent = {}): Promise<KeyActor> {
  if (text !== undefined) {
    const known = keyCache().get(hashKey(text)) ?? (await lookUp(text, sent))
    if (works(known, sent)) return known.actor
  }
  throw unauthorized(sent.headers, sent.face)
}

/** Returns the actor of a request to the data API as far as this process knows its key, without waiting; undefined when it must be looked up. */
export function cachedActor(headers: Pick<Headers, 'get'>): KeyActor | undefined {
  const text = presentedKey(headers)
  const known = text === undefined ? undefined : keyCache().get(hashKey(text))
  return works(known, { face: 'api' }) ? known.actor : undefined
}

/** Returns the actor for a request's headers; see {@link authenticateKey}. */
export const authenticate = (headers: Pick<Headers, 'get'>, face: ProtectedResource = 'api'): Promise<KeyActor> =>
  authenticateKey(presentedKey(headers), { headers, face })
