import { database } from '@/db/client'
import { findContractor } from '@/db/queries/contractors'
import type { PersonActor } from '@/lib/auth/actor'
import { createKey, type MadeKey } from '@/lib/auth/manage-keys'
import { requireRole } from '@/lib/auth/require-role'
import { PRESETS } from '@/lib/auth/scopes'
import { ServiceError } from '@/lib/core/errors'
import { takeOwnLimit } from '@/lib/limits/limiter'

/** A key for the explorer works for so long: nobody has to remember to revoke it. */
export const EXPLORER_KEY_MS = 3_600_000
/** Each is a line in the list of keys for good, so nobody makes them by the hundred. */
const MOST_PER_MINUTE = 5
const LONGEST_NAME = 100

/**
 * Issues a key that reads for an hour, to try the API with; written down in the audit log like any other.
 * @throws ServiceError `forbidden` below the role of a developer, `rate_limited` after five in a minute
 */
export async function issueExplorerKey(by: PersonActor): Promise<MadeKey> {
  requireRole(by, 'developer')
  const { allowed } = await takeOwnLimit(MOST_PER_MINUTE, 'explorer key', by.personId)
  if (!allowed)
    throw new ServiceError('rate_limited', 'You had five keys within a minute. Use the last one, or wait a minute.')
  const { orm } = await database()
  const contractor = await findContractor(orm, by.contractorId)
  if (!contractor) throw new ServiceError('not_found', 'This contractor is not there any more.')
  const wanted = {
    name: `Explorer, ${by.name}`.slice(0, LONGEST_NAME),
    scopes: PRESETS.integration.scopes,
    expiresAt: new Date(Date.now() + EXPLORER_KEY_MS),
  }
  return await createKey(orm, contractor, wanted, by)
}
