import { LRUCache } from 'lru-cache'
import type { Database } from '@/db/client'
import { currentState } from '@/db/queries/current-state'
import { type ListSource, listPage, type Page, type PageQuery } from '@/db/queries/list'
import { part } from '@/lib/runtime/runtime'

/** The characters that all of them hold. */
const MOST_CHARACTERS = 8_000_000

/** Pages that were read last, by question; a minute bounds what a repair by hand, past the triggers, leaves behind. */
const keptPages = part(
  'keptPages',
  () =>
    new LRUCache<string, Page>({
      maxSize: MOST_CHARACTERS,
      sizeCalculation: ({ items }, question) => items.length + question.length,
      ttl: 60_000,
      ttlResolution: 500,
    }),
)

/**
 * Returns a page of a source that tells its state: the one that was read before while the contractor's records are the same, for which
 * Postgres looks into the feed and reads none of them. A page that was never read, or is of another state, is read.
 */
export async function keptPage(db: Database, source: ListSource, query: PageQuery): Promise<Page> {
  const question = JSON.stringify([source.table, source.variant, query])
  const known = keptPages().get(question)
  if (known && known.state === (await currentState(db, source, query.contractorId))) return known
  const page = await listPage(db, source, query)
  if (page.state !== null) keptPages().set(question, page)
  return page
}
