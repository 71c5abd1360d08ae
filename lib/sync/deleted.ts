import type { Database } from '@/db/client'
import { numberChanges } from '@/db/queries/changes'
import { deletionOf } from '@/db/queries/deleted'
import { NUMBERED_AT_ONCE } from './feed'

const MOST_ROUNDS = 4

/**
 * Returns when a record that is not there was deleted (ISO 8601), or undefined when the feed, kept for 90 days, does not know it. A
 * deletion that has no position in the feed yet gets one first, so that every answer shows the same moment.
 */
export async function deletedAt(
  db: Database,
  record: { contractorId: string; resource: string; id: string },
): Promise<string | undefined> {
  let { at, queued } = await deletionOf(db, record)
  for (let round = 0; queued && round < MOST_ROUNDS; round++) {
    await numberChanges(db, record.contractorId, NUMBERED_AT_ONCE)
    const found = await deletionOf(db, record)
    at = found.at
    queued = found.queued
  }
  return at ?? (queued ? new Date().toISOString() : undefined)
}
