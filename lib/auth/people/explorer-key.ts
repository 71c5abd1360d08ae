import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import { EXPLORER_KEY_PREFIX } from '@/db/queries/retention'
import { ServiceError } from '@/lib/core/errors'
import { consumeOwnLimit } from '@/lib/limits/limiter'
import type { PersonActor } from '../actor'
import type { MadeKey } from '../key-record'
import { createKey } from '../manage-keys'
import { PRESETS } from '../scopes'

/** The time that an explorer key works, so that nobody has to remember to revoke it. */
const EXPLORER_KEY_MS = 3_600_000
/** Limits how many are created, because each stays in the list of keys until retention removes it. */
const MOST_PER_MINUTE = 5
const LONGEST_NAME = 100

/** Reports whether a key was issued for the explorer, judging by its name and one-hour lifetime, which the portal offers for no other key. */
export function isExplorerKey(key: { name: string; createdAt: Date; expiresAt: Date | null }): boolean {
  const end = key.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
  return key.name.startsWith(EXPLORER_KEY_PREFIX) && end - key.createdAt.getTime() <= EXPLORER_KEY_MS
}

/**
 * Issues a key for trying the API. It can read for an hour, or until its holder loses access, and is in the audit log like any
 * other.
 * @throws ServiceError `rate_limited` after five in a minute
 */
export async function issueExplorerKey(by: PersonActor): Promise<MadeKey> {
  const { allowed } = await consumeOwnLimit(MOST_PER_MINUTE, 'explorer key', by.personId)
  if (!allowed)
    throw new ServiceError('rate_limited', 'You had five keys within a minute. Use the last one, or wait a minute.')
  const { orm } = await database()
  const contractor = await findContractor(orm, by.contractorId)
  if (!contractor) throw new ServiceError('not_found', 'This contractor is not there any more.')
  const wanted = {
    name: `${EXPLORER_KEY_PREFIX}${by.name}`.slice(0, LONGEST_NAME),
    scopes: PRESETS.integration.scopes,
    expiresAt: new Date(Date.now() + EXPLORER_KEY_MS),
    issuedTo: by.personId,
  }
  return await createKey(orm, contractor, wanted, by)
}
