import type { Orm } from '@/db/client'
import type { Contractor } from '@/db/queries/contractors'
import { expireKey, insertKey, type KeyRecord, lockKey, revokeKey as markRevoked } from '@/db/queries/keys'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import { forgetKeys } from './authenticate'
import { hashKey, last4, newKeyText } from './keys'
import type { Preset, Scope } from './scopes'

/** How long the old secret of a rotated key goes on working, in milliseconds. */
export const OVERLAPS = { now: 0, '1h': 3_600_000, '24h': 86_400_000, '3d': 259_200_000, '7d': 604_800_000 } as const
export type Overlap = keyof typeof OVERLAPS
export const isOverlap = (text: string): text is Overlap => Object.hasOwn(OVERLAPS, text)

/** A key just made: `text` is the secret, there to be shown once; nothing that is stored leads back to it. */
export type MadeKey = { id: string; text: string; name: string; scopes: string[]; expiresAt: Date | null }

type KeyRequest = { name: string; scopes: readonly Scope[]; preset?: Preset | undefined; expiresAt?: Date | undefined }

async function store(
  orm: Orm,
  record: Pick<KeyRecord, 'contractorId' | 'name' | 'preset' | 'scopes' | 'mode' | 'expiresAt' | 'rotatedFrom'>,
) {
  const text = newKeyText(record.mode)
  const id = newId('key')
  await insertKey(orm, { ...record, id, secretHash: hashKey(text), last4: last4(text) })
  return { id, text, name: record.name, scopes: record.scopes, expiresAt: record.expiresAt }
}

/**
 * Issues a key for a contractor; `plb_test_` for one of the demonstration.
 * @throws ServiceError `bad_request` without a name or scopes, or with an end in the past
 */
export async function createKey(
  orm: Orm,
  contractor: Contractor,
  { name, scopes, preset, expiresAt }: KeyRequest,
): Promise<MadeKey> {
  if (name.trim() === '' || name.length > 100)
    throw new ServiceError(
      'bad_request',
      'A key needs a name of at most 100 characters, so that people can tell it from others.',
    )
  if (scopes.length === 0) throw new ServiceError('bad_request', 'A key needs at least one scope or a preset.')
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw new ServiceError('bad_request', 'The key’s end lies in the past.')
  const made = await store(orm, {
    contractorId: contractor.id,
    name: name.trim(),
    preset: preset ?? null,
    scopes: [...scopes],
    mode: contractor.demo ? 'test' : 'live',
    expiresAt: expiresAt ?? null,
    rotatedFrom: null,
  })
  forgetKeys()
  return made
}

function requireUsable(key: KeyRecord | undefined, now: Date): KeyRecord {
  if (!key) throw new ServiceError('not_found', 'There is no key with this id. `keys list` shows those there are.')
  if (key.revokedAt) throw new ServiceError('bad_request', 'This key is revoked. Create a new one instead.')
  if (key.expiresAt && key.expiresAt <= now)
    throw new ServiceError('bad_request', 'This key has expired. Create a new one instead.')
  return key
}

/**
 * Makes a successor with the same rights and the same length of life; the old secret works until the overlap is over.
 * @throws ServiceError `not_found`, or `bad_request` when the key has ended
 */
export async function rotateKey(orm: Orm, id: string, overlap: Overlap): Promise<MadeKey & { oldWorksUntil: Date }> {
  const now = new Date()
  const made = await orm.transaction(async (tx) => {
    const key = requireUsable(await lockKey(tx, id), now)
    const expiresAt = key.expiresAt && new Date(now.getTime() + key.expiresAt.getTime() - key.createdAt.getTime())
    const oldWorksUntil = new Date(
      Math.min(now.getTime() + OVERLAPS[overlap], key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
    )
    const successor = await store(tx, { ...key, expiresAt, rotatedFrom: key.id })
    await expireKey(tx, key.id, oldWorksUntil)
    return { ...successor, oldWorksUntil }
  })
  forgetKeys()
  return made
}

/**
 * Ends a key: at once in this process, within five seconds in every other.
 * @throws ServiceError `not_found`, or `bad_request` when it was revoked before
 */
export async function revokeKey(orm: Orm, id: string): Promise<void> {
  await orm.transaction(async (tx) => {
    const key = await lockKey(tx, id)
    if (!key) throw new ServiceError('not_found', 'There is no key with this id. `keys list` shows those there are.')
    if (!(await markRevoked(tx, id))) throw new ServiceError('bad_request', 'This key was revoked before.')
  })
  forgetKeys()
}
