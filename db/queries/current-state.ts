import type { Database } from '../client'
import { FEED_STATE } from './feed-state'
import { type ListSource, statementOf } from './list'
import { staleFlag } from './turning'

/**
 * Returns the {@link FEED_STATE} of a contractor, which says whether a page that was read before is still what would be read now. Null also
 * when statuses of the resource are due to turn with the time.
 */
export async function currentState(db: Database, source: ListSource, contractorId: string): Promise<string | null> {
  const text = () => `select case when not ${staleFlag(source)} then ${FEED_STATE} end as state`
  const [row] = await db.run<{ state: string | null }>(statementOf(`state | ${source.table}`, text, true), [
    contractorId,
  ])
  return row?.state ?? null
}
