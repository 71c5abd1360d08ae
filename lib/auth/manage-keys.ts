import { type Orm, withinContractor } from '@/db/client'
import type { Contractor } from '@/db/queries/contractors'
import {
  expireKey,
  findKey,
  type KeyRecord,
  lockKey,
  lockLineage,
  revokeKey as markRevoked,
  updateKey,
} from '@/db/queries/keys'
import { endSessionsOfDeadLineage } from '@/db/queries/mcp-sessions'
import { ServiceError } from '@/lib/core/errors'
import type { ActingPerson } from './actor'
import { audit } from './audit'
import { forgetKeys } from './key-cache'
import { lineageOf, type MadeKey, olderOf, requireOwn, requireUsable, storeKey } from './key-record'
import { lastingKeyNotice } from './lasting-keys'
import type { Preset, Scope } from './scopes'

/**
 * The places that a key may be used from (addresses, CIDR ranges; empty for anywhere), and how often per minute (undefined for only the
 * usual limits).
 */
type KeyTerms = {
  allowedAddresses?: readonly string[] | undefined
  perMinute?: number | undefined
  /** True when that limit replaces the one by address. */
  insteadOfAddress?: boolean | undefined
}

/** @throws ServiceError `bad_request` when the limit by address would be replaced by none */
function requireLimit({ perMinute, insteadOfAddress }: KeyTerms): void {
  if (!insteadOfAddress || perMinute !== undefined) return
  const message = 'is needed to replace the limit per address'
  throw new ServiceError('bad_request', `perMinute: ${message}`, { fields: [{ field: 'perMinute', message }] })
}

/** A key's name and terms as they are stored. */
const storedTerms = ({ name, allowedAddresses = [], perMinute, insteadOfAddress }: KeyTerms & { name: string }) => ({
  name,
  allowedAddresses: allowedAddresses.length > 0 ? [...allowedAddresses] : null,
  perMinute: perMinute ?? null,
  insteadOfAddress: perMinute !== undefined && insteadOfAddress === true,
})

/** The times that the old secret of a rotated key keeps working, in milliseconds. */
export const OVERLAPS = { now: 0, '1h': 3_600_000, '24h': 86_400_000, '3d': 259_200_000, '7d': 604_800_000 } as const
export type Overlap = keyof typeof OVERLAPS
export const isOverlap = (text: string): text is Overlap => Object.hasOwn(OVERLAPS, text)

/** Validated settings for a new key; `lib/operations/keys/terms.ts` defines what people may enter. */
export type KeyRequest = KeyTerms & {
  name: string
  scopes: readonly Scope[]
  preset?: Preset | undefined
  /** The lead source that a key for URLs sends to. */
  leadSource?: string | undefined
  expiresAt?: Date | undefined
  /** The person it is issued to, when it ends with their access. */
  issuedTo?: string | undefined
}

/** Creates a key for a contractor; `plb_test_` for a demonstration contractor. */
export async function createKey(
  orm: Orm,
  contractor: Contractor,
  { scopes, preset, leadSource, expiresAt, issuedTo, ...rest }: KeyRequest,
  by: ActingPerson,
): Promise<MadeKey> {
  requireLimit(rest)
  const made = await withinContractor(orm, contractor.id, async (tx) => {
    const key = await storeKey(tx, {
      ...storedTerms(rest),
      contractorId: contractor.id,
      preset: preset ?? null,
      leadSource: leadSource ?? null,
      scopes: [...scopes],
      mode: contractor.demo ? 'test' : 'live',
      expiresAt: expiresAt ?? null,
      issuedTo: issuedTo ?? null,
      rotatedFrom: null,
      lineage: null,
    })
    await audit(tx, by, {
      event: 'key_created',
      subject: key.id,
      contractorId: contractor.id,
      detail: {
        name: key.name,
        scopes: scopes.join(' '),
        expires: expiresAt?.toISOString() ?? null,
        ...(leadSource !== undefined && { source: leadSource }),
      },
      told: lastingKeyNotice(key, new Date()),
    })
    return key
  })
  forgetKeys()
  return made
}

/**
 * Creates a successor with the same scopes and the same lifetime. The old secret works until the overlap ends.
 * @throws ServiceError `not_found`, or `bad_request` when the key has ended
 */
export async function rotateKey(
  orm: Orm,
  id: string,
  overlap: Overlap,
  by: ActingPerson,
): Promise<MadeKey & { oldWorksUntil: Date }> {
  const now = new Date()
  const made = await withinContractor(orm, by.contractorId, async (tx) => {
    const key = requireUsable(requireOwn(await lockKey(tx, id), by), now)
    const expiresAt = key.expiresAt && new Date(now.getTime() + key.expiresAt.getTime() - key.createdAt.getTime())
    const oldWorksUntil = new Date(
      Math.min(now.getTime() + OVERLAPS[overlap], key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
    )
    const successor = await storeKey(tx, { ...key, expiresAt, rotatedFrom: key.id, lineage: lineageOf(key) })
    await expireKey(tx, key.id, oldWorksUntil)
    await audit(tx, by, {
      event: 'key_rotated',
      subject: key.id,
      detail: { name: key.name, successor: successor.id, oldWorksUntil: oldWorksUntil.toISOString() },
      told: lastingKeyNotice(successor, now),
    })
    return { ...successor, oldWorksUntil }
  })
  forgetKeys()
  return made
}

/** The secrets of a rotated key to revoke: all, only its own, or only the older ones that still work. */
export const SECRETS = ['both', 'new', 'old'] as const
export type Secrets = (typeof SECRETS)[number]

/**
 * Revokes secrets, and ends what nothing of their keys keeps alive any more, in the transaction that decides on it. The caller must call
 * `forgetKeys` after it commits.
 */
export async function endKeys(tx: Orm, keys: readonly KeyRecord[], by: ActingPerson): Promise<void> {
  for (const { id, name } of keys) {
    await markRevoked(tx, id)
    await audit(tx, by, { event: 'key_revoked', subject: id, detail: { name } })
  }
  for (const lineage of new Set(keys.map(lineageOf))) {
    await endSessionsOfDeadLineage(tx, lineage)
  }
}

/**
 * Revokes a key: at once in this process, within five seconds in every other. When the old secret of a rotated key still works,
 * `secrets` selects which of the two.
 * @returns the ids of the revoked secrets
 * @throws ServiceError `not_found`, or `bad_request` when it was already revoked or has no old secret that works
 */
export async function revokeKey(orm: Orm, id: string, by: ActingPerson, secrets: Secrets = 'both'): Promise<string[]> {
  const ended = await withinContractor(orm, by.contractorId, async (tx) => {
    const lineage = lineageOf(requireOwn(await findKey(tx, id), by))
    const chain = await lockLineage(tx, lineage)
    const key = requireOwn(
      chain.find((each) => each.id === id),
      by,
    )
    if (key.revokedAt && secrets !== 'old') throw new ServiceError('bad_request', 'This key was revoked before.')
    const older = secrets === 'new' ? [] : olderOf(key, chain, new Date())
    if (secrets === 'old' && older.length === 0)
      throw new ServiceError(
        'bad_request',
        'No old secret of this key works any more. There is nothing left to revoke.',
      )
    const ending = secrets === 'old' ? older : [key, ...older]
    await endKeys(tx, ending, by)
    return ending.map((each) => each.id)
  })
  forgetKeys()
  return ended
}

/**
 * Changes a key's name, addresses and limit: at once in this process, within five seconds in every other.
 * @throws ServiceError `not_found`, or `bad_request` when the key has ended
 */
export async function changeKey(
  orm: Orm,
  id: string,
  wanted: KeyTerms & { name: string },
  by: ActingPerson,
): Promise<void> {
  requireLimit(wanted)
  const terms = storedTerms(wanted)
  await withinContractor(orm, by.contractorId, async (tx) => {
    const now = new Date()
    const key = requireUsable(requireOwn(await lockKey(tx, id), by), now)
    await updateKey(tx, id, terms)
    const detail = {
      name: terms.name,
      addresses: terms.allowedAddresses?.join(' ') ?? null,
      perMinute: terms.perMinute,
      insteadOfAddress: terms.insteadOfAddress,
    }
    const where = terms.allowedAddresses ? `from ${terms.allowedAddresses.join(', ')}` : 'from any address'
    const told = lastingKeyNotice({ ...key, name: terms.name }, now)
    await audit(tx, by, { event: 'key_changed', subject: id, detail, told: told && `${told}, ${where}` })
  })
  forgetKeys()
}
