import { type CryptoKey, importJWK, type JWTPayload, jwtVerify } from 'jose'
import { database } from '@/db/client'
import { findLiveGrant, type LiveGrant, signingKeys } from '@/db/queries/oauth-grants'
import { env } from '@/lib/core/env'
import { shared } from '@/lib/core/shared'
import type { KeyActor, ProtectedResource } from '../actor'
import { scopesOfRole } from '../roles'
import { GRANT_CLAIM, issuerOf, resourceOf } from './places'

/** The public keys as last read, by id, and when that was. */
export type SigningKeys = { at: number; byId: Map<string, CryptoKey | Uint8Array> }

const kept = shared<{ current?: SigningKeys }>('oauthKeys', () => ({}))

/** The time for which the keys are kept. For one that is not among them they are read again, which costs what an unknown API key costs. */
const KEEP_MS = 60_000

async function readKeys(): Promise<SigningKeys> {
  const rows = await signingKeys(await database())
  const imported = rows.map(async ({ id, publicKey, alg }) => {
    return [id, await importJWK(JSON.parse(publicKey), alg ?? 'EdDSA')] as const
  })
  const keys = { at: performance.now(), byId: new Map(await Promise.all(imported)) }
  kept().current = keys
  return keys
}

async function keyOf({ kid }: { kid?: string | undefined }): Promise<CryptoKey | Uint8Array> {
  const known = kept().current
  const age = known ? performance.now() - known.at : Number.POSITIVE_INFINITY
  const isFresh = known?.byId.has(kid ?? '') === true && age < KEEP_MS
  const key = (isFresh ? known : await readKeys()).byId.get(kid ?? '')
  if (!key) throw new Error('no key of ours signed this')
  return key
}

/** Forgets the keys that this process keeps, for tests of their rotation. */
export function forgetSigningKeys(): void {
  delete kept().current
}

/**
 * Checks a token's signature, issuer, type, end and audience (RFC 9068, 4).
 * @returns its claims and the face it is for; undefined for anything else
 */
export async function verifiedToken(
  text: string,
): Promise<{ face: ProtectedResource; claims: JWTPayload } | undefined> {
  const settings = env()
  const faces = { [resourceOf('mcp', settings)]: 'mcp', [resourceOf('api', settings)]: 'api' } as const
  const audience = Object.keys(faces)
  try {
    const { payload } = await jwtVerify(text, keyOf, {
      issuer: issuerOf(settings),
      audience,
      typ: 'at+jwt',
      algorithms: ['EdDSA'],
      requiredClaims: ['exp', 'iat', 'sub', 'client_id', 'scope'],
    })
    // A token for both would let one face's holder call the other.
    const face = typeof payload.aud === 'string' ? faces[payload.aud] : undefined
    return face && { face, claims: payload }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_J')) return undefined
    if (error instanceof Error && error.message === 'no key of ours signed this') return undefined
    throw error
  }
}

/** A grant as the actor of a token: what the token says and the person's role allows now. */
function actorOf(grant: LiveGrant, face: ProtectedResource, scope: string): KeyActor {
  const said = new Set(scope.split(' '))
  return {
    kind: 'key',
    keyId: grant.id,
    lineage: grant.id,
    contractorId: grant.contractorId,
    scopes: new Set([...scopesOfRole(grant.role)].filter((each) => said.has(each))),
    grant: {
      person: { id: grant.personId, name: grant.name, email: grant.email },
      client: grant.client,
      role: grant.role,
      face,
    },
  }
}

/** Returns the actor of an access token, and its end in epoch milliseconds; undefined when it does not work. */
export async function actorOfToken(text: string): Promise<{ actor: KeyActor; expiresAt: number } | undefined> {
  const verified = await verifiedToken(text)
  if (!verified) return undefined
  const { claims, face } = verified
  const { [GRANT_CLAIM]: grantId, scope, exp = 0, sub, client_id: clientId } = claims
  if (typeof grantId !== 'string' || typeof scope !== 'string') return undefined
  const grant = await findLiveGrant(await database(), grantId)
  if (!grant || grant.personId !== sub || grant.clientId !== clientId) return undefined
  return { actor: actorOf(grant, face, scope), expiresAt: exp * 1000 }
}
