import { type Orm, withinContractor } from '@/db/client'
import type { Contractor } from '@/db/queries/contractors'
import {
  expireKey,
  findKey,
  insertKey,
  type KeyRecord,
  lockKey,
  lockLineage,
  revokeKey as markRevoked,
  updateKey,
} from '@/db/queries/keys'
import { endSessionsOfDeadLineage } from '@/db/queries/mcp-sessions'
import { pauseWebhooksOf } from '@/db/queries/webhooks'
import { ServiceError } from '@/lib/core/errors'
import { newId } from '@/lib/core/ids'
import type { ActingPerson } from './actor'
import { audit } from './audit'
import { forgetKeys } from './key-cache'
import { isOver } from './key-state'
import { hashKey, last4, newKeyText } from './keys'
import type { Preset, Scope } from './scopes'

/** How long the old secret of a rotated key keeps working, in milliseconds. */
export const OVERLAPS = { now: 0, '1h': 3_600_000, '24h': 86_400_000, '3d': 259_200_000, '7d': 604_800_000 } as const
export type Overlap = keyof typeof OVERLAPS
export const isOverlap = (text: string): text is Overlap => Object.hasOwn(OVERLAPS, text)

/** A new key. `text` is the secret, to be shown once; it cannot be recovered from what is stored. */
export type MadeKey = {
  id: string
  text: string
  name: string
  preset: string | null
  leadSource: string | null
  scopes: string[]
  expiresAt: Date | null
}

/**
 * Where a key may be used from (addresses, CIDR ranges; empty for anywhere), and how often per minute (undefined for only the usual
 * limits).
 */
export type KeyTerms = {
  allowedAddresses?: readonly string[] | undefined
  perMinute?: number | undefined
  /** Whether that limit takes the place of the one by address. */
  insteadOfAddress?: boolean | undefined
}

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

/** @throws ServiceError `bad_request` when the limit by address would be replaced by none */
function requireLimit({ perMinute, insteadOfAddress }: KeyTerms): void {
  if (!insteadOfAddress || perMinute !== undefined) return
  const message = 'is needed to replace the limit per address'
  throw new ServiceError('bad_request', `perMinute: ${message}`, { fields: [{ field: 'perMinute', message }] })
}

const stored = ({ name, allowedAddresses = [], perMinute, insteadOfAddress }: KeyTerms & { name: string }) => ({
  name,
  allowedAddresses: allowedAddresses.length > 0 ? [...allowedAddresses] : null,
  perMinute: perMinute ?? null,
  insteadOfAddress: perMinute !== undefined && insteadOfAddress === true,
})

async function store(
  orm: Orm,
  record: Pick<
    KeyRecord,
    | 'contractorId'
    | 'name'
    | 'preset'
    | 'leadSource'
    | 'scopes'
    | 'mode'
    | 'expiresAt'
    | 'rotatedFrom'
    | 'lineage'
    | 'allowedAddresses'
    | 'perMinute'
    | 'insteadOfAddress'
    | 'issuedTo'
  >,
) {
  const text = newKeyText(record.mode)
  const id = newId('key')
  const fresh = { revokedAt: null, createdAt: new Date() }
  await insertKey(orm, { ...record, ...fresh, id, secretHash: hashKey(text), last4: last4(text) })
  const { name, preset, leadSource, scopes, expiresAt } = record
  return { id, text, name, preset, leadSource, scopes, expiresAt }
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
    const key = await store(tx, {
      ...stored(rest),
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
    })
    return key
  })
  forgetKeys()
  return made
}

/** Returns the id of the first key in a chain of rotations, which identifies the chain. */
const lineageOf = ({ id, lineage }: KeyRecord): string => lineage ?? id

/** Returns a key that the actor may manage. Another contractor's key counts as missing. */
function requireOwn(key: KeyRecord | undefined, by: ActingPerson): KeyRecord {
  if (key && by.contractorId === key.contractorId) return key
  throw new ServiceError('not_found', 'There is no key with this id. `keys list` shows the existing ones.')
}

function requireUsable(key: KeyRecord, now: Date): KeyRecord {
  if (!isOver(key, now)) return key
  const why = key.revokedAt ? 'is revoked' : 'has expired'
  throw new ServiceError('bad_request', `This key ${why}. Create a new one instead.`)
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
    const successor = await store(tx, { ...key, expiresAt, rotatedFrom: key.id, lineage: lineageOf(key) })
    await expireKey(tx, key.id, oldWorksUntil)
    await audit(tx, by, {
      event: 'key_rotated',
      subject: key.id,
      detail: { name: key.name, successor: successor.id, oldWorksUntil: oldWorksUntil.toISOString() },
    })
    return { ...successor, oldWorksUntil }
  })
  forgetKeys()
  return made
}

/** Which secrets of a rotated key to revoke: all, only its own, or only the older ones that still work. */
export const SECRETS = ['both', 'new', 'old'] as const
export type Secrets = (typeof SECRETS)[number]

/** Returns a key's earlier secrets that still work, newest first. */
function olderOf(key: KeyRecord, chain: readonly KeyRecord[], now: Date): KeyRecord[] {
  const before = chain.find(({ id }) => id === key.rotatedFrom)
  if (!before) return []
  return [...(isOver(before, now) ? [] : [before]), ...olderOf(before, chain, now)]
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
    for (const each of ending) {
      await markRevoked(tx, each.id)
      await audit(tx, by, { event: 'key_revoked', subject: each.id, detail: { name: each.name } })
    }
    await endSessionsOfDeadLineage(tx, lineage)
    await pauseWebhooksOf(tx, by.contractorId, lineage)
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
  const terms = stored(wanted)
  await withinContractor(orm, by.contractorId, async (tx) => {
    requireUsable(requireOwn(await lockKey(tx, id), by), new Date())
    await updateKey(tx, id, terms)
    const detail = {
      name: terms.name,
      addresses: terms.allowedAddresses?.join(' ') ?? null,
      perMinute: terms.perMinute,
      insteadOfAddress: terms.insteadOfAddress,
    }
    await audit(tx, by, { event: 'key_changed', subject: id, detail })
  })
  forgetKeys()
}
