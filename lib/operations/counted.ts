import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { database } from '@/db/client'
import { type Counted, type CountQuery, countFound, type Sums } from '@/db/queries/count'
import type { ListSource } from '@/db/queries/list-types'
import { shared } from '@/lib/core/shared'

/**
 * The last counts, by question. An agent asks the same list again and again, and to count and add up ten thousand records takes Postgres
 * longer than to read a page of them. An answer is used only while the contractor's records are those that were counted, so its age does
 * not matter; a minute bounds what a repair by hand, past the triggers, leaves behind.
 */
const countedLists = shared(
  'countedLists',
  () => new LRUCache<string, Counted>({ max: 5_000, ttl: 60_000, ttlResolution: 500 }),
)

/** The longest question that is kept as it is. */
const LONGEST = 2_000

/**
 * Counts and sums what a list finds, or returns what was counted before for the same `state` of the contractor's records. The counts belong
 * to that state or to a later one.
 */
export async function countedIn(
  state: string | null,
  source: ListSource,
  sums: Sums | undefined,
  query: CountQuery,
): Promise<Counted> {
  const { contractorId, filters, sort } = query
  const asked = JSON.stringify([contractorId, source.table, source.only, filters, sort?.column])
  // The ids that a name stands for may be thousands.
  const question = asked.length <= LONGEST ? asked : createHash('sha256').update(asked).digest('base64')
  const known = countedLists().get(question)
  if (known && known.state === state) return known
  const counted = await countFound(await database(), source, sums, query)
  if (counted.state !== null) countedLists().set(question, counted)
  return counted
}
